//! Which wires of ports and of words something reads.

use super::expression::select;
use super::graph::{Graph, Node};
use super::wires::{operands, Part, Use};
use super::Net;
use std::collections::{BTreeMap, BTreeSet};

/// The wires that are read.
pub(super) struct Reads {
    /// Of each word.
    words: Vec<BTreeSet<usize>>,
    /// Of each input port.
    ports: BTreeMap<&'static str, BTreeSet<usize>>,
}

impl Reads {
    /// Of the words that are used, by each other, by registers and by `words`.
    pub fn of(graph: &Graph, uses: &[Use], registers: &[(&'static str, Vec<Part>)], words: &[Net]) -> Reads {
        let width = |net: Net| graph.nodes[net.0 as usize].1;
        let mut reads = Reads { words: vec![BTreeSet::new(); graph.nodes.len()], ports: BTreeMap::new() };
        for (node, _) in graph.nodes.iter().enumerate().filter(|(i, _)| uses[*i].count > 0).map(|(_, node)| node) {
            for (operand, _) in operands(node) {
                let read = &mut reads.words[operand.0 as usize];
                match node {
                    Node::Wires(_, wires) => read.extend(wires.iter().map(|&wire| wire as usize)),
                    _ => read.extend(0..width(operand)),
                }
            }
        }
        for part in registers.iter().flat_map(|register| &register.1) {
            match part {
                Part::Port(port, low, high, _) => reads.ports.entry(port).or_default().extend(*low..*high),
                Part::Word(net) => reads.words[net.0 as usize].extend(0..width(*net)),
            }
        }
        words.iter().for_each(|&word| reads.words[word.0 as usize].extend(0..width(word)));
        for (i, (node, width)) in graph.nodes.iter().enumerate().filter(|(i, _)| uses[*i].count > 0) {
            if let Node::Port { port, low, of } = node {
                // Wires of a port with a name of their own are wires of that name.
                let is_wire = graph.names.contains_key(&Net(i as u32)) && of != width;
                let read: Vec<usize> = match is_wire {
                    true => (0..*width).collect(),
                    false => reads.words[i].iter().copied().collect(),
                };
                reads.ports.entry(port).or_default().extend(read.iter().map(|wire| low + wire));
            }
        }
        reads
    }

    /// The wires of a word with a name that nothing reads.
    pub fn unread_of_wire(&self, graph: &Graph, word: usize, name: &str) -> Vec<String> {
        unread(name, graph.nodes[word].1, &self.words[word])
    }

    /// The ports that are read, and their unread wires before those that are known.
    pub fn ports(&self, inputs: &[(&'static str, usize)], known: Vec<String>) -> (Vec<&'static str>, Vec<String>) {
        let none = BTreeSet::new();
        let read = |port: &str| self.ports.get(port).unwrap_or(&none);
        let ports = inputs.iter().map(|input| input.0).filter(|port| !read(port).is_empty()).collect();
        let unread = inputs.iter().flat_map(|(port, width)| unread(port, *width, read(port)));
        (ports, unread.chain(known).collect())
    }
}

/// Selections of the wires of a name that are not among these.
fn unread(name: &str, width: usize, read: &BTreeSet<usize>) -> Vec<String> {
    let missing: Vec<usize> = (0..width).filter(|wire| !read.contains(wire)).collect();
    missing.chunk_by(|a, b| a + 1 == *b).map(|run| select(name, width, run[0], run.len())).collect()
}
