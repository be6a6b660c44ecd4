//! The graph of a drawing, which [`Net`]'s operations extend: one for each thread.

use super::{names, Net};
use std::cell::RefCell;
use std::collections::HashMap;

/// What makes a word.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Wires of an input port from `low` on; the port has `of` wires.
    Port {
        port: &'static str,
        low: usize,
        of: usize,
    },
    Constant(u128),
    Wires(Net, Vec<u8>),
    Join(Vec<Net>),
    Not(Net),
    Binary(&'static str, Net, Net),
    TimesSigned(Net, Net),
    Choose(Net, Net, Net),
    Any(Net),
}

/// What has been drawn: node, width and name of each word.
#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<(Node, usize)>,
    pub names: HashMap<Net, String>,
    known: HashMap<(Node, usize), Net>,
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

/// Does something with what this thread has drawn.
pub(super) fn with<R>(what: impl FnOnce(&mut Graph) -> R) -> R {
    GRAPH.with_borrow_mut(what)
}

/// What this thread has drawn; it is forgotten.
pub(super) fn take() -> Graph {
    GRAPH.take()
}

impl Graph {
    /// The word that this node makes: the one that is there, if there is one.
    pub fn add(&mut self, node: Node, width: usize) -> Net {
        let key = (node, width);
        if let Some(&net) = self.known.get(&key) {
            return net;
        }
        let net = Net(self.nodes.len() as u32);
        self.nodes.push(key.clone());
        self.known.insert(key, net);
        net
    }

    /// Names a word that has no name yet and is no port.
    ///
    /// # Panics
    /// If it is no name.
    pub fn name(&mut self, net: Net, name: &str) {
        names::check(name);
        let (node, width) = &self.nodes[net.0 as usize];
        if !matches!(node, Node::Port { of, .. } if of == width) {
            self.names.entry(net).or_insert_with(|| name.to_string());
        }
    }
}
