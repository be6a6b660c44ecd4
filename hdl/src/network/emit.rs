//! A drawn network as Verilog.
//!
//! [`super::wires`] tells which words become wires, and their names.

use super::wires::Text;
use super::{graph, Net};
use super::{Layout, Word};

/// The macro with which a simulation passes over networks whose inputs have not changed.
pub const SKIP: &str = "SKIP_SETTLED";
/// How an output begins that is a wire.
pub const ASSIGN: &str = "assign ";
/// Columns of a line, about.
const COLUMNS: usize = 118;

/// A block being drawn: its ports and what its registers take.
pub struct Drawing {
    pub(super) hold: Option<&'static str>,
    pub(super) inputs: Vec<(&'static str, usize)>,
    pub(super) registers: Vec<(&'static str, Vec<Net>)>,
    widths: Vec<(&'static str, usize)>,
}

impl Drawing {
    /// Starts a block, whose registers keep their values while the wire `hold` is high, if there is one.
    pub fn start(hold: Option<&'static str>) -> Drawing {
        graph::take();
        Drawing { hold, inputs: Vec::new(), registers: Vec::new(), widths: Vec::new() }
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
        self.widths.push((port, L::WIDTH));
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
        let text = Text::new(graph::take(), &self, words);
        let wires = text.wires.iter();
        let wires = wires.map(|wire| wrapped(&format!("wire {}{} = {};", range(wire.width), wire.name, wire.value)));
        wires.collect::<String>() + &unused(&text.unread)
    }

    /// The body of a module without registers: its outputs are wires.
    pub fn assigned(self) -> String {
        let text = Text::new(graph::take(), &self, &[]);
        let wires = text.wires.iter();
        let wires = wires.map(|wire| wrapped(&format!("wire {}{} = {};", range(wire.width), wire.name, wire.value)));
        let outputs = text.registers.iter().map(|(port, value)| wrapped(&format!("{ASSIGN}{port} = {value};")));
        wires.chain(outputs).collect::<String>() + &unused(&text.unread)
    }

    /// The body of the module: all words in one block, and the registers behind it.
    ///
    /// Simulators compute a block in every clock, and most of the chip is idle in most clocks. So where [`SKIP`] is defined,
    /// the same statements run only in clocks in which an input is not what it was when they last ran.
    pub fn verilog(self) -> String {
        let text = Text::new(graph::take(), &self, &[]);
        let enabled = self.hold.map_or(String::new(), |hold| format!("if (!{hold}) "));
        let mut out = String::new();
        for same in text.wires.chunk_by(|a, b| a.width == b.width) {
            let names: Vec<&str> = same.iter().map(|wire| &wire.name[..]).collect();
            out += &wrapped(&format!("reg {}{};", range(same[0].width), names.join(", ")));
        }
        for (port, width) in &self.widths {
            out += &format!("initial {port} = {width}'h0;\n");
        }
        let clocked = |(port, value): &(&str, String)| format!("always @(posedge clock) {enabled}{port} <= {value};\n");
        let registers: String = text.registers.iter().map(clocked).collect();
        if text.wires.is_empty() || text.read.is_empty() {
            return out + &registers + &unused(&text.unread);
        }
        let assigned = text.wires.iter().map(|wire| indented(&wrapped(&format!("{} = {};", wire.name, wire.value))));
        let body: String = assigned.collect();
        let taken: String = text.registers.iter().map(|(port, value)| format!("    {port} <= {value};\n")).collect();
        let inputs = wrapped(&format!("always @({}) begin", text.read.join(", ")));
        let guard = self.guard(&text);
        out += &format!("`ifdef {SKIP}\n{guard}`else\n{inputs}`endif\n{body}");
        out += &format!("`ifdef {SKIP}\n{taken}`endif\nend\n`ifndef {SKIP}\n{registers}`endif\n");
        out + &unused(&text.unread)
    }

    /// The beginning of a block that runs in clocks in which an input is new.
    fn guard(&self, text: &Text) -> String {
        let (mut out, mut same) = (String::from("reg settled;\ninitial settled = 1'h0;\n"), String::from("settled"));
        let mut body = String::from("    settled <= 1'h1;\n");
        for (port, width) in self.inputs.iter().filter(|(port, _)| text.read.contains(port)) {
            out += &format!("reg {}seen${port};\ninitial seen${port} = {width}'h0;\n", range(*width));
            same += &format!(" & (seen${port} == {port})");
            body += &format!("    seen${port} <= {port};\n");
        }
        let held = self.hold.map_or(String::new(), |hold| format!("!{hold} & "));
        out + &wrapped(&format!("always @(posedge clock) if ({held}!({same})) begin")) + &body
    }
}

/// A wire that reads what nothing else does, so that the text says so.
fn unused(unread: &[String]) -> String {
    match unread {
        [] => String::new(),
        unread => wrapped(&format!("wire unused = &{{1'h0, {}}};", unread.join(", "))),
    }
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("    {line}\n")).collect()
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
