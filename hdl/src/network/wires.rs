//! Which words of a drawing become wires, and their names.
//!
//! Words that the source names, by a port's field or by [`Word::named`](super::Word::named), are wires of these names.
//! Any other word is written where it is used, if that is one place and the expression is short. Else it is a wire: named
//! after the port if a port takes it alone (`from_next`), or after the first word that it is part of (`landing_term1`).
//! Words that no register needs are left out; wires of those that are there and that nothing reads are told.
//!
//! Verilog widens the operands of an expression to the widest of them. So an expression is written inside another only
//! where all widths are equal or the place does not widen. Sums and products are always wires of their own; the operands
//! of sums, products and `<` are names, selections or constants.

use super::emit::Drawing;
use super::expression::{select, Expression};
use super::graph::{Graph, Node};
use super::names::Names;
use super::reads::Reads;
use super::Net;
use std::collections::HashMap;

/// Length of the longest expression that is written inside another one.
const INLINE: usize = 80;
/// Length of the longest list of wires that is.
const INLINE_LIST: usize = 320;
/// Length of the longest expression that is written in more than one place.
const REPEATED: usize = 28;

/// A wire, and the expression that drives it.
pub(super) struct Wire {
    pub name: String,
    pub width: usize,
    pub value: String,
}

/// The wires of a drawing in the order in which they depend on each other, and what each register takes.
#[derive(Default)]
pub(super) struct Text {
    pub wires: Vec<Wire>,
    pub registers: Vec<(&'static str, String)>,
    /// Input ports that are read.
    pub read: Vec<&'static str>,
    /// Wires of input ports and of words that nothing reads.
    pub unread: Vec<String>,
}

/// What the place of an operand asks of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The place keeps the operand's width.
    Exact,
    /// The place may widen it: a name, a selection or a constant.
    Widened,
    /// Wires of it are selected.
    Name,
}

/// What the others make of a word.
#[derive(Clone)]
pub(super) struct Use {
    pub count: usize,
    place: Place,
    /// The first name that the word is part of.
    part_of: String,
}

/// A part of what a register takes.
pub(super) enum Part {
    /// Wires `low .. high` of an input port of so many wires.
    Port(&'static str, usize, usize, usize),
    Word(Net),
}

impl Text {
    /// Writes the registers of a drawing, and these words.
    pub fn new(graph: Graph, drawing: &Drawing, words: &[Net]) -> Text {
        let parts: Vec<(&'static str, Vec<Part>)> =
            drawing.registers.iter().map(|(port, fields)| (*port, graph.parts(fields))).collect();
        let uses = graph.uses(&parts, words);

        let mut names = Names::default();
        let ports = drawing.inputs.iter().map(|input| input.0).chain(drawing.registers.iter().map(|r| r.0));
        ports.chain(drawing.hold).chain(["clock", "settled", "unused"]).for_each(|port| names.take(port));
        let named: HashMap<usize, String> = (0..graph.nodes.len())
            .filter(|&i| uses[i].count > 0)
            .filter_map(|i| Some((i, names.unique(graph.names.get(&Net(i as u32))?))))
            .collect();

        // A port that takes one word, which has no name: the word is what comes next.
        let next: HashMap<usize, &str> = (parts.iter())
            .filter_map(|(port, parts)| match parts[..] {
                [Part::Word(net)] => Some((net.0 as usize, *port)),
                _ => None,
            })
            .collect();

        let (mut text, mut terms) = (Text::default(), HashMap::new());
        let reads = Reads::of(&graph, &uses, &parts, words);
        let mut written: Vec<Expression> = vec![Expression::default(); graph.nodes.len()];
        for (i, (node, width)) in graph.nodes.iter().enumerate().filter(|(i, _)| uses[*i].count > 0) {
            let expression = graph.expression(node, *width, &written);
            let inlined = !named.contains_key(&i) && graph.can_be_inlined(node, *width, &uses[i], &expression);
            written[i] = if inlined {
                expression
            } else {
                let name = match (named.get(&i), next.get(&i)) {
                    (Some(name), _) => name.clone(),
                    (None, Some(port)) => names.unique(&format!("{port}_next")),
                    (None, None) => {
                        let part_of = &uses[i].part_of;
                        let number = terms.entry(part_of.clone()).or_insert(0);
                        *number += 1;
                        names.unique(&format!("{part_of}_term{number}"))
                    }
                };
                text.unread.extend(reads.unread_of_wire(&graph, i, &name));
                text.wires.push(Wire { name: name.clone(), width: *width, value: expression.text });
                Expression { text: name, op: None }
            };
        }
        (text.read, text.unread) = reads.ports(&drawing.inputs, text.unread);
        let width = |parts: &[Part]| {
            let widths = parts.iter().map(|part| match part {
                Part::Port(_, low, high, _) => high - low,
                Part::Word(net) => graph.nodes[net.0 as usize].1,
            });
            widths.sum::<usize>()
        };
        for (port, parts) in &parts {
            let mut texts: Vec<String> = parts
                .iter()
                .map(|part| match part {
                    Part::Port(port, low, high, of) => select(port, *of, *low, high - low),
                    Part::Word(net) => written[net.0 as usize].text.clone(),
                })
                .collect();
            texts.reverse();
            let value = if texts.len() == 1 { texts.remove(0) } else { format!("{{{}}}", texts.join(", ")) };
            let is_name = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let value =
                if is_name { value } else { text.next(names.unique(&format!("{port}_next")), width(parts), value) };
            text.registers.push((port, value));
        }
        text
    }
}

impl Text {
    /// A wire for what a register takes next.
    fn next(&mut self, name: String, width: usize, value: String) -> String {
        self.wires.push(Wire { name: name.clone(), width, value });
        name
    }
}

impl Graph {
    /// Fields as parts; neighbours on an input port that are neighbours again are one part.
    fn parts(&self, fields: &[Net]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for &field in fields {
            match (&self.nodes[field.0 as usize], parts.last_mut()) {
                ((Node::Port { port, low, .. }, width), Some(Part::Port(last, _, high, _)))
                    if last == port && high == low =>
                {
                    *high += width;
                }
                ((Node::Port { port, low, of }, width), _) => parts.push(Part::Port(port, *low, low + width, *of)),
                _ => parts.push(Part::Word(field)),
            }
        }
        parts
    }

    fn uses(&self, registers: &[(&'static str, Vec<Part>)], words: &[Net]) -> Vec<Use> {
        let mut uses = vec![Use { count: 0, place: Place::Exact, part_of: String::new() }; self.nodes.len()];
        for (port, parts) in registers {
            for part in parts {
                if let Part::Word(net) = part {
                    let used = &mut uses[net.0 as usize];
                    used.count += 1;
                    used.part_of = port.to_string();
                }
            }
        }
        for word in words {
            uses[word.0 as usize].count += 1;
        }
        // From the last word to the first: of the words that use another one, the first that was drawn names it.
        for i in (0..self.nodes.len()).rev() {
            if uses[i].count == 0 {
                continue;
            }
            if let Some(name) = self.names.get(&Net(i as u32)) {
                uses[i].part_of = name.clone();
            }
            let part_of = uses[i].part_of.clone();
            for (operand, place) in operands(&self.nodes[i].0) {
                let used = &mut uses[operand.0 as usize];
                used.count += 1;
                used.place = used.place.max(place);
                used.part_of = part_of.clone();
            }
        }
        uses
    }

    fn can_be_inlined(&self, node: &Node, width: usize, used: &Use, expression: &Expression) -> bool {
        let is_arithmetic = matches!(node, Node::Binary("+" | "-", ..) | Node::TimesSigned(..));
        let is_name = matches!(node, Node::Port { of, .. } if *of == width);
        let fits = match used.place {
            Place::Exact => true,
            Place::Widened => expression.op.is_none(),
            Place::Name => is_name,
        };
        let most = match node {
            _ if used.count > 1 => REPEATED,
            Node::Join(_) | Node::Wires(..) => INLINE_LIST,
            _ => INLINE,
        };
        let is_repeatable = match node {
            Node::Not(a) => self.is_selection(*a),
            node => matches!(node, Node::Port { .. } | Node::Constant(_) | Node::Wires(..)),
        };
        !is_arithmetic && fits && expression.text.len() <= most && (used.count == 1 || is_repeatable)
    }

    /// Whether a word is a name or wires of one, wherever it is written.
    fn is_selection(&self, net: Net) -> bool {
        self.names.contains_key(&net) || matches!(self.nodes[net.0 as usize].0, Node::Port { .. } | Node::Wires(..))
    }
}

/// Operands of a word, and their places.
pub(super) fn operands(node: &Node) -> Vec<(Net, Place)> {
    match node {
        Node::Port { .. } | Node::Constant(_) => Vec::new(),
        Node::Wires(a, _) => vec![(*a, Place::Name)],
        Node::Join(parts) => parts.iter().map(|&part| (part, Place::Exact)).collect(),
        Node::Not(a) | Node::Any(a) => vec![(*a, Place::Exact)],
        Node::Binary("&" | "|" | "^" | "==", a, b) => vec![(*a, Place::Exact), (*b, Place::Exact)],
        Node::Binary(_, a, b) | Node::TimesSigned(a, b) => vec![(*a, Place::Widened), (*b, Place::Widened)],
        Node::Choose(c, a, b) => [c, a, b].map(|&net| (net, Place::Exact)).into(),
    }
}
