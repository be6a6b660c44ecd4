//! Networks drawn: what becomes Verilog.
//!
//! Each operation becomes one declared wire of its exact width, so that no intermediate result is widened or cut by
//! Verilog's rules for expressions. Equal operations share a wire.

use super::value::count_width;
use super::word::Word;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A wire bundle of the network being drawn by this thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Net(u32);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// Wires of an input port from the given one on; a port of one wire has no index.
    Port(&'static str, Option<usize>),
    Constant(u128),
    Wires(Net, Vec<u8>),
    Join(Vec<Net>),
    Not(Net),
    Binary(&'static str, Net, Net),
    Signed(&'static str, Net, Net),
    Choose(Net, Net, Net),
    Any(Net),
    /// Only in drawings for simulation.
    Count(Net),
}

#[derive(Default)]
struct Drawing {
    nodes: Vec<(Node, usize)>,
    known: HashMap<(Node, usize), Net>,
}

thread_local! {
    static DRAWING: RefCell<Drawing> = RefCell::default();
    static SKIPPING: Cell<bool> = const { Cell::new(false) };
}

/// Draws so that a simulator is fast: it passes over each network whose inputs are those of the clock before, as RustHDL's
/// simulation does (see [`skipping_registers`]), and counts wires by `$countones` instead of adders.
pub fn skipping<R>(draw: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            SKIPPING.set(self.0);
        }
    }
    let _restore = Restore(SKIPPING.replace(true));
    draw()
}

impl Net {
    fn node(node: Node, width: usize) -> Net {
        DRAWING.with_borrow_mut(|d| {
            let key = (node, width);
            if let Some(&net) = d.known.get(&key) {
                return net;
            }
            let net = Net(d.nodes.len() as u32);
            d.nodes.push(key.clone());
            d.known.insert(key, net);
            net
        })
    }

    /// Wires `low .. low + width` of an input port; `None` for a port of one wire.
    pub fn port(name: &'static str, low: Option<usize>, width: usize) -> Net {
        Net::node(Node::Port(name, low), width)
    }

    fn constant_value(self) -> Option<u128> {
        DRAWING.with_borrow(|d| match d.nodes[self.0 as usize].0 {
            Node::Constant(v) => Some(v),
            _ => None,
        })
    }

    fn binary(self, op: &'static str, other: Net, width: usize) -> Net {
        Net::node(Node::Binary(op, self, other), width)
    }

    fn same_width(self, other: Net) -> usize {
        assert_eq!(self.width(), other.width(), "operands of different widths");
        self.width()
    }
}

/// Forgets what this thread has drawn and starts anew.
pub fn start() {
    DRAWING.with_borrow_mut(|d| *d = Drawing::default());
}

/// The wires drawn since [`start`]: width and Verilog expression of each.
fn expressions() -> Vec<(usize, String)> {
    DRAWING.with_borrow(|d| {
        d.nodes
            .iter()
            .map(|(node, width)| {
                let range = |low: usize, width: usize| format!("[{}:{}]", low + width - 1, low);
                let value = match node {
                    Node::Port(name, Some(low)) => format!("{name}{}", range(*low, *width)),
                    Node::Port(name, None) => name.to_string(),
                    Node::Constant(v) => format!("{width}'h{v:x}"),
                    Node::Wires(a, wires) => {
                        let mut parts = Vec::new();
                        let mut i = 0;
                        while i < wires.len() {
                            let mut n = 1;
                            while i + n < wires.len() && wires[i + n] as usize == wires[i] as usize + n {
                                n += 1;
                            }
                            parts.push(format!("n{}{}", a.0, range(wires[i] as usize, n)));
                            i += n;
                        }
                        parts.reverse();
                        format!("{{{}}}", parts.join(", "))
                    }
                    Node::Join(parts) => {
                        let parts: Vec<String> = parts.iter().rev().map(|p| format!("n{}", p.0)).collect();
                        format!("{{{}}}", parts.join(", "))
                    }
                    Node::Not(a) => format!("~n{}", a.0),
                    Node::Binary(op, a, b) => format!("n{} {op} n{}", a.0, b.0),
                    Node::Signed(op, a, b) => format!("$signed(n{}) {op} $signed(n{})", a.0, b.0),
                    Node::Choose(c, a, b) => format!("n{} ? n{} : n{}", c.0, a.0, b.0),
                    Node::Any(a) => format!("|n{}", a.0),
                    Node::Count(a) => format!("$countones(n{})", a.0),
                };
                (*width, value)
            })
            .collect()
    })
}

/// The wires drawn since [`start`], and registers that take fields (the first in the least significant place), but not
/// while the wire `hold` is high, where there is one.
pub fn registered(registers: &[(&str, Vec<Net>)], hold: Option<&str>) -> String {
    if SKIPPING.get() {
        return skipping_registers(registers, hold);
    }
    let enabled = hold.map_or(String::new(), |hold| format!("if (!{hold}) "));
    let mut text = String::new();
    for (i, (width, value)) in expressions().iter().enumerate() {
        writeln!(text, "wire [{}:0] n{i} = {value};", width - 1).unwrap();
    }
    for (name, fields) in registers {
        let fields = joined(fields);
        writeln!(text, "initial {name} = 0;\nalways @(posedge clock) {enabled}{name} <= {fields};").unwrap();
    }
    text
}

/// [`registered`] for a simulator that computes every wire in every clock (Verilator): the same expressions as
/// statements, behind a test whether the inputs are those of the clock before. The registers then keep their values,
/// which are what the expressions would give again.
fn skipping_registers(registers: &[(&str, Vec<Net>)], hold: Option<&str>) -> String {
    let mut ports: BTreeMap<&str, usize> = BTreeMap::new();
    DRAWING.with_borrow(|d| {
        for (node, width) in &d.nodes {
            if let Node::Port(name, low) = node {
                let port = ports.entry(name).or_default();
                *port = (*port).max(low.unwrap_or(0) + width);
            }
        }
    });
    let (mut text, mut same) = (String::from("reg settled = 0;\n"), String::from("settled"));
    let mut body = String::from("settled <= 1;\n");
    for (name, width) in &ports {
        writeln!(text, "reg [{}:0] seen${name} = 0;", width - 1).unwrap();
        write!(same, " & seen${name} == {name}").unwrap();
        writeln!(body, "seen${name} <= {name};").unwrap();
    }
    for (i, (width, value)) in expressions().iter().enumerate() {
        writeln!(text, "reg [{}:0] n{i};", width - 1).unwrap();
        writeln!(body, "n{i} = {value};").unwrap();
    }
    for (name, fields) in registers {
        writeln!(text, "initial {name} = 0;").unwrap();
        writeln!(body, "{name} <= {};", joined(fields)).unwrap();
    }
    let held = hold.map_or(String::new(), |hold| format!("!{hold} & "));
    format!("{text}always @(posedge clock) if ({held}!({same})) begin\n{body}end\n")
}

/// Fields as one bus, the first in the least significant place.
fn joined(fields: &[Net]) -> String {
    let names: Vec<String> = fields.iter().rev().map(|f| format!("n{}", f.0)).collect();
    format!("{{{}}}", names.join(", "))
}

impl BitAnd for Net {
    type Output = Net;
    fn bitand(self, other: Net) -> Net {
        let width = self.same_width(other);
        self.binary("&", other, width)
    }
}

impl BitOr for Net {
    type Output = Net;
    fn bitor(self, other: Net) -> Net {
        let width = self.same_width(other);
        match (self.constant_value(), other.constant_value()) {
            (Some(0), _) => other,
            (_, Some(0)) => self,
            _ => self.binary("|", other, width),
        }
    }
}

impl BitXor for Net {
    type Output = Net;
    fn bitxor(self, other: Net) -> Net {
        let width = self.same_width(other);
        self.binary("^", other, width)
    }
}

impl Not for Net {
    type Output = Net;
    fn not(self) -> Net {
        Net::node(Node::Not(self), self.width())
    }
}

impl Word for Net {
    fn constant(value: u128, width: usize) -> Net {
        Net::node(Node::Constant(value), width)
    }
    fn width(self) -> usize {
        DRAWING.with_borrow(|d| d.nodes[self.0 as usize].1)
    }
    fn wires(self, wires: &[u8]) -> Net {
        let width = self.width();
        assert!(wires.iter().all(|&w| (w as usize) < width), "wire out of range");
        Net::node(Node::Wires(self, wires.to_vec()), wires.len())
    }
    fn join(parts: &[Net]) -> Net {
        let width = parts.iter().map(|p| p.width()).sum();
        assert!(width <= 128, "more than 128 wires");
        Net::node(Node::Join(parts.to_vec()), width)
    }
    fn choose(self, on: Net, off: Net) -> Net {
        assert_eq!(self.width(), 1);
        let width = on.same_width(off);
        Net::node(Node::Choose(self, on, off), width)
    }
    fn plus(self, other: Net, width: usize) -> Net {
        self.binary("+", other, width)
    }
    fn minus(self, other: Net, width: usize) -> Net {
        self.binary("-", other, width)
    }
    fn times_signed(self, other: Net, width: usize) -> Net {
        Net::node(Node::Signed("*", self, other), width)
    }
    fn any(self) -> Net {
        if self.width() == 1 {
            self
        } else {
            Net::node(Node::Any(self), 1)
        }
    }
    fn equals(self, other: Net) -> Net {
        self.same_width(other);
        self.binary("==", other, 1)
    }
    fn below(self, other: Net) -> Net {
        self.binary("<", other, 1)
    }
    /// Full adders of three wires first, then a tree of adders.
    fn popcount(self) -> Net {
        let width = self.width();
        if SKIPPING.get() {
            return Net::node(Node::Count(self), count_width(width));
        }
        let mut terms: Vec<Net> = Vec::new();
        for low in (0..width).step_by(3) {
            let bits: Vec<Net> = (low..(low + 3).min(width)).map(|i| self.bit(i)).collect();
            terms.push(match bits[..] {
                [a, b, c] => Net::join(&[a ^ b ^ c, (a & b) | (c & (a | b))]),
                [a, b] => Net::join(&[a ^ b, a & b]),
                _ => bits[0],
            });
        }
        while terms.len() > 1 {
            terms = terms
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => a.plus(b, a.width().max(b.width()) + 1),
                    _ => pair[0],
                })
                .collect();
        }
        let total = count_width(width);
        if terms[0].width() >= total {
            terms[0].slice(0, total)
        } else {
            terms[0].extend(total)
        }
    }
}
