//! Networks drawn: the operations of a network as a graph, from which [`super::emit`] writes Verilog.
//!
//! Equal operations are one node. What only moves wires is resolved while it is drawn: a selection from a selection,
//! or from parts side by side, is a selection from where the wires come from.

use super::graph::{self, Node};
use super::value::count_width;
use super::word::Word;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A word of the network being drawn by this thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Net(pub(super) u32);

impl Net {
    fn new(node: Node, width: usize) -> Net {
        graph::with(|graph| graph.add(node, width))
    }

    /// Wires `low .. low + width` of an input port of `of` wires.
    pub(super) fn port(port: &'static str, low: usize, width: usize, of: usize) -> Net {
        Net::new(Node::Port { port, low, of }, width)
    }

    pub(super) fn node(self) -> Node {
        graph::with(|graph| graph.nodes[self.0 as usize].0.clone())
    }

    pub(super) fn constant_value(self) -> Option<u128> {
        match self.node() {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn is_named(self) -> bool {
        graph::with(|graph| graph.names.contains_key(&self))
    }

    /// Where a word that only moves wires takes them from; of another word, itself.
    fn origin(self) -> (Net, Vec<u8>) {
        match self.node() {
            Node::Wires(from, wires) if !self.is_named() => (from, wires),
            _ => (self, (0..self.width() as u8).collect()),
        }
    }

    fn binary(self, op: &'static str, other: Net, width: usize) -> Net {
        Net::new(Node::Binary(op, self, other), width)
    }

    /// With zeros in front, or only the lower wires.
    fn resized(self, width: usize) -> Net {
        match self.width() {
            own if own == width => self,
            own if own < width => self.extend(width),
            _ => self.slice(0, width),
        }
    }

    fn same_width(self, other: Net) -> usize {
        assert_eq!(self.width(), other.width(), "operands of different widths");
        self.width()
    }
}

impl BitAnd for Net {
    type Output = Net;
    fn bitand(self, other: Net) -> Net {
        let width = self.same_width(other);
        let all = u128::MAX >> (128 - width);
        match (self.constant_value(), other.constant_value()) {
            (Some(0), _) => self,
            (_, Some(0)) => other,
            (Some(value), _) if value == all => other,
            (_, Some(value)) if value == all => self,
            _ => self.binary("&", other, width),
        }
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
        let width = self.width();
        match self.constant_value() {
            Some(value) => Net::constant(!value & (u128::MAX >> (128 - width)), width),
            None => Net::new(Node::Not(self), width),
        }
    }
}

impl Word for Net {
    const NAMED: bool = true;

    fn constant(value: u128, width: usize) -> Net {
        // As in `Value`: bits beyond `width` are dropped.
        Net::new(Node::Constant(value & (u128::MAX >> (128 - width))), width)
    }
    fn width(self) -> usize {
        graph::with(|graph| graph.nodes[self.0 as usize].1)
    }
    fn wires(self, wires: &[u8]) -> Net {
        let width = self.width();
        assert!(wires.iter().all(|&w| (w as usize) < width), "wire out of range");
        if wires.len() == width && wires.iter().enumerate().all(|(i, &w)| i == w as usize) {
            return self;
        }
        match self.node() {
            Node::Constant(value) => Net::constant(
                wires.iter().enumerate().fold(0, |bits, (i, &w)| bits | (value >> w & 1) << i),
                wires.len(),
            ),
            Node::Wires(from, inner) if !self.is_named() => {
                from.wires(&wires.iter().map(|&w| inner[w as usize]).collect::<Vec<u8>>())
            }
            Node::Join(parts) if !self.is_named() => {
                let sources: Vec<(Net, u8)> =
                    parts.iter().flat_map(|&part| (0..part.width() as u8).map(move |w| (part, w))).collect();
                let picked: Vec<(Net, u8)> = wires.iter().map(|&w| sources[w as usize]).collect();
                let runs = picked.chunk_by(|a, b| a.0 == b.0);
                Net::join(
                    &runs
                        .map(|run| run[0].0.wires(&run.iter().map(|r| r.1).collect::<Vec<u8>>()))
                        .collect::<Vec<Net>>(),
                )
            }
            _ => Net::new(Node::Wires(self, wires.to_vec()), wires.len()),
        }
    }
    fn join(parts: &[Net]) -> Net {
        let width = parts.iter().map(|p| p.width()).sum();
        assert!(width <= 128, "more than 128 wires");
        let mut joined: Vec<(Net, Vec<u8>)> = Vec::new();
        for (from, wires) in parts.iter().map(|part| part.origin()) {
            match joined.last_mut() {
                Some((last, before)) if *last == from => before.extend(wires),
                _ => joined.push((from, wires)),
            }
        }
        let parts: Vec<Net> = joined.into_iter().map(|(from, wires)| from.wires(&wires)).collect();
        match parts[..] {
            [one] => one,
            _ => Net::new(Node::Join(parts), width),
        }
    }
    fn choose(self, on: Net, off: Net) -> Net {
        assert_eq!(self.width(), 1);
        let width = on.same_width(off);
        Net::new(Node::Choose(self, on, off), width)
    }
    fn plus(self, other: Net, width: usize) -> Net {
        self.resized(width).binary("+", other.resized(width), width)
    }
    fn minus(self, other: Net, width: usize) -> Net {
        self.resized(width).binary("-", other.resized(width), width)
    }
    fn times_signed(self, other: Net, width: usize) -> Net {
        Net::new(Node::TimesSigned(self, other), width)
    }
    fn any(self) -> Net {
        if self.width() == 1 {
            self
        } else {
            Net::new(Node::Any(self), 1)
        }
    }
    fn equals(self, other: Net) -> Net {
        self.same_width(other);
        self.binary("==", other, 1)
    }
    fn below(self, other: Net) -> Net {
        let width = self.width().max(other.width());
        self.resized(width).binary("<", other.resized(width), 1)
    }
    /// Full adders of three wires first, then a tree of adders.
    fn popcount(self) -> Net {
        let width = self.width();
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
    fn named(self, name: &str) -> Net {
        graph::with(|graph| graph.name(self, name));
        self
    }
    fn named_at(self, name: &str, index: usize) -> Net {
        self.named(&format!("{name}_{index}"))
    }
}
