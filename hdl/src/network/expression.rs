//! The Verilog expression of one word from those of its operands.

use super::graph::{Graph, Node};
use super::Net;

/// An expression; `op` is the operator of one that needs parentheses inside another.
#[derive(Clone, Default)]
pub(super) struct Expression {
    pub text: String,
    pub op: Option<&'static str>,
}

impl Expression {
    /// As a part of a list: without the braces of a list of its own.
    fn listed(&self) -> &str {
        match self.text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
            Some(list) if self.op.is_none() && !list.contains('{') => list,
            _ => &self.text,
        }
    }

    /// As an operand of another operator. A negation binds tighter than the operators of two operands.
    fn operand(&self, op: &str) -> String {
        match self.op {
            None => self.text.clone(),
            Some("~") if !matches!(op, "~" | "|x") => self.text.clone(),
            Some(own) if own == op && matches!(op, "&" | "|" | "^") => self.text.clone(),
            Some(_) => format!("({})", self.text),
        }
    }
}

impl Graph {
    /// The expression of a node, where the others are written.
    pub fn expression(&self, node: &Node, width: usize, written: &[Expression]) -> Expression {
        let text = |net: &Net| &written[net.0 as usize].text;
        let operand = |net: &Net, op: &str| written[net.0 as usize].operand(op);
        let (text, op) = match node {
            Node::Port { port, low, of } => (select(port, *of, *low, width), None),
            Node::Constant(value) => (format!("{width}'h{value:x}"), None),
            Node::Wires(a, wires) => (selection(text(a), self.nodes[a.0 as usize].1, wires), None),
            Node::Join(parts) => {
                // A list in a list is one list.
                let parts: Vec<&str> = parts.iter().rev().map(|part| written[part.0 as usize].listed()).collect();
                (format!("{{{}}}", parts.join(", ")), None)
            }
            Node::Not(a) => (format!("~{}", operand(a, "~")), Some("~")),
            Node::Any(a) => (format!("|{}", operand(a, "|x")), Some("|x")),
            Node::Binary(op, a, b) => (format!("{} {op} {}", operand(a, op), operand(b, op)), Some(*op)),
            Node::TimesSigned(a, b) => (format!("$signed({}) * $signed({})", text(a), text(b)), None),
            Node::Choose(c, a, b) => {
                (format!("{} ? {} : {}", operand(c, "?"), operand(a, "?"), operand(b, "?")), Some("?"))
            }
        };
        Expression { text, op }
    }
}

/// Wires `low .. low + width` of a name of `of` wires.
pub(super) fn select(name: &str, of: usize, low: usize, width: usize) -> String {
    match width {
        width if width == of => name.to_string(),
        1 => format!("{name}[{low}]"),
        _ => format!("{name}[{}:{low}]", low + width - 1),
    }
}

/// Wires of a name of `of` wires, the first in the least significant place.
fn selection(name: &str, of: usize, wires: &[u8]) -> String {
    // Runs that rise, and runs of one wire repeated.
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for wire in wires.iter().map(|&wire| wire as usize) {
        match runs.last_mut() {
            Some((low, width, 1)) if wire == *low + *width => *width += 1,
            Some((low, 1, times)) if wire == *low => *times += 1,
            _ => runs.push((wire, 1, 1)),
        }
    }
    let run = |&(low, width, times): &(usize, usize, usize)| match times {
        1 => select(name, of, low, width),
        _ => format!("{{{times}{{{}}}}}", select(name, of, low, 1)),
    };
    let parts: Vec<String> = runs.iter().rev().map(run).collect();
    match &parts[..] {
        [one] => one.clone(),
        _ => format!("{{{}}}", parts.join(", ")),
    }
}
