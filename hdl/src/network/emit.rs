//! A drawn network as Verilog.
//!
//! [`super::wires`] tells which words become wires, and their names.

use super::wires::Text;
use super::{graph, Net};
use super::{Layout, Word};
use std::fmt::Write;

/// Columns of a line, about.
const COLUMNS: usize = 118;

/// A block being drawn: its ports and what its registers take.
pub struct Drawing {
    pub(super) hold: Option<&'static str>,
    pub(super) inputs: Vec<(&'static str, usize)>,
    pub(super) registers: Vec<(&'static str, Vec<Net>)>,
}

impl Drawing {
    /// Starts a block, whose registers keep their values while the wire `hold` is high, if there is one.
    pub fn start(hold: Option<&'static str>) -> Drawing {
        graph::take();
        Drawing { hold, inputs: Vec::new(), registers: Vec::new() }
    }

    /// An input port.
    pub fn input<L: Layout>(&mut self, port: &'static str) -> L::Of<Net> {
        self.inputs.push((port, L::WIDTH));
        let mut low = 0;
        let value = L::read(&mut |width| {
            low += width;
            Net::port(port, low - width, width, L::WIDTH)
        });
        L::name(&value, port, &mut |field, name| {
            field.named(name);
        });
        value
    }

    /// An output port: a register that takes this value.
    pub fn register<L: Layout>(&mut self, port: &'static str, value: &L::Of<Net>) {
        let fields = L::fields(value);
        if fields.len() > 1 {
            L::name(value, port, &mut |field, name| {
                if field.constant_value().is_none() {
                    field.named(name);
                }
            });
        }
        self.registers.push((port, fields));
    }

    /// The wires of these named words, for a block that writes the rest of its Verilog itself.
    pub fn wires(self, words: &[Net]) -> String {
        let wires = Text::new(graph::take(), &self, words).wires;
        wires
            .iter()
            .map(|wire| wrapped(&format!("wire {}{} = {};", range(wire.width), wire.name, wire.value)))
            .collect()
    }

    /// The body of the module.
    pub fn verilog(self) -> String {
        let text = Text::new(graph::take(), &self, &[]);
        if graph::is_skipping() {
            return self.skipping(&text);
        }
        let enabled = self.hold.map_or(String::new(), |hold| format!("if (!{hold}) "));
        let mut out = String::new();
        for wire in &text.wires {
            out += &wrapped(&format!("wire {}{} = {};", range(wire.width), wire.name, wire.value));
        }
        for (port, value) in &text.registers {
            writeln!(out, "initial {port} = 0;").expect("writing to a string");
            out += &wrapped(&format!("always @(posedge clock) {enabled}{port} <= {value};"));
        }
        out
    }

    /// [`verilog`](Drawing::verilog) for a simulator that computes every wire in every clock (Verilator): the same
    /// expressions as statements, behind a test whether the inputs are those of the clock before. The registers then keep
    /// their values, which are what the expressions would give again.
    fn skipping(&self, text: &Text) -> String {
        let (mut out, mut same) = (String::from("reg settled = 0;\n"), String::from("settled"));
        let mut body = String::from("settled <= 1;\n");
        let line = |text: &mut String, line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        for (port, width) in &self.inputs {
            line(&mut out, format!("reg {}seen${port} = 0;", range(*width)));
            same += &format!(" & seen${port} == {port}");
            line(&mut body, format!("seen${port} <= {port};"));
        }
        for wire in &text.wires {
            line(&mut out, format!("reg {}{};", range(wire.width), wire.name));
            line(&mut body, format!("{} = {};", wire.name, wire.value));
        }
        for (port, value) in &text.registers {
            line(&mut out, format!("initial {port} = 0;"));
            line(&mut body, format!("{port} <= {value};"));
        }
        let held = self.hold.map_or(String::new(), |hold| format!("!{hold} & "));
        format!("{out}always @(posedge clock) if ({held}!({same})) begin\n{body}end\n")
    }
}

/// The range in the declaration of a wire.
fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// A line of text, broken at spaces.
fn wrapped(line: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in line.split(' ') {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            out += "\n   ";
            column = 3;
        }
        if column > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += word.len();
    }
    out + "\n"
}
