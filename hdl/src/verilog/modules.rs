//! The blocks of a design as a tree of modules: their signals, their code and what is inside them.

use super::primitive::{Primitive, Recognized};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// A signal or constant of a block.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its name; with `$` before it, that of the bundle it is in.
    pub name: String,
    pub kind: AtomKind,
    pub width: usize,
    /// A constant's value in hexadecimal digits.
    pub digits: String,
}

impl Signal {
    pub fn is_port(&self) -> bool {
        self.kind.is_parameter()
    }

    pub fn is_input(&self) -> bool {
        self.kind == AtomKind::InputParameter
    }
}

/// A value of a state: its width and its number.
pub type State = (usize, usize);

/// A block with what is inside it.
#[derive(Debug)]
pub struct Module {
    /// `top$link$receiver`
    pub path: String,
    /// `receiver`
    pub instance: String,
    pub signals: Vec<Signal>,
    /// Values of the states of its signals and of its children's ports, by name: `State$Idle`.
    pub states: BTreeMap<String, State>,
    pub code: Verilog,
    pub children: Vec<Module>,
    /// What it is, if its parent writes it in place.
    pub primitive: Option<Primitive>,
}

/// What a name stands for.
#[derive(Clone)]
pub enum Meaning {
    Signal(usize),
    Constant(String, usize),
}

impl Module {
    /// What names in its kernel stand for.
    pub fn meanings(&self) -> HashMap<String, Meaning> {
        let mut names = HashMap::new();
        for signal in &self.signals {
            let meaning = match signal.kind {
                AtomKind::Constant => Meaning::Constant(signal.digits.clone(), signal.width),
                _ => Meaning::Signal(signal.width),
            };
            names.insert(signal.name.clone(), meaning);
        }
        for child in &self.children {
            for port in child.signals.iter().filter(|signal| signal.is_port()) {
                names.insert(format!("{}${}", child.instance, port.name), Meaning::Signal(port.width));
            }
        }
        for (name, (width, value)) in &self.states {
            names.insert(name.clone(), Meaning::Constant(format!("{value:x}"), *width));
        }
        names
    }
}

/// Collects the tree of a block.
///
/// # Errors
/// A type of signal or a kind of block that cannot be written as Verilog.
pub fn tree(block: &dyn Block, name: &str) -> Result<Module, String> {
    let mut collector = Collector::default();
    block.accept(name, &mut collector);
    match collector.error {
        Some(error) => Err(error),
        None => collector.done.ok_or_else(|| format!("`{name}` is no block")),
    }
}

/// The digits of a literal that is written as hexadecimal: `8'hc0`.
///
/// # Errors
/// It is negative.
pub fn digits(literal: &VerilogLiteral) -> Result<String, String> {
    let text = format!("{literal:x}");
    let digits = text.split_once("'h").map_or("", |parts| parts.1);
    match digits.chars().all(|c| c.is_ascii_hexdigit()) && !digits.is_empty() {
        true => Ok(digits.into()),
        false => Err(format!("the literal {text} is no unsigned number")),
    }
}

#[derive(Default)]
struct Collector {
    open: Vec<Module>,
    bundles: Vec<String>,
    done: Option<Module>,
    error: Option<String>,
}

impl Collector {
    fn fail(&mut self, what: &str) {
        let path = self.open.last().map_or("", |module| &module.path);
        self.error.get_or_insert_with(|| format!("{path}: {what}"));
    }

    fn states(&mut self, descriptor: &TypeDescriptor, width: usize, depth: usize) {
        match &descriptor.kind {
            TypeKind::Bits(_) => {}
            TypeKind::Composite(fields) => {
                if !fields.iter().all(|field| matches!(field.kind.kind, TypeKind::Bits(_))) {
                    self.fail(&format!("fields of the type {} are not supported", descriptor.name));
                }
            }
            TypeKind::Enum(names) => {
                for module in self.open.iter_mut().rev().take(depth) {
                    let states = names.iter().enumerate();
                    module.states.extend(states.map(|(i, name)| (name.replace("::", "$"), (width, i))));
                }
            }
            TypeKind::Signed(_) => self.fail(&format!("signals of the type {} are not supported", descriptor.name)),
        }
    }
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.bundles.clear();
        let path = self.open.last().map_or(String::new(), |parent| format!("{}$", parent.path)) + name;
        self.open.push(Module {
            path,
            instance: name.into(),
            signals: Vec::new(),
            states: BTreeMap::new(),
            code: node.hdl(),
            children: Vec::new(),
            primitive: None,
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.bundles.push(name.into());
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let name: String = self.bundles.iter().flat_map(|bundle| [bundle, "$"]).chain([name]).collect();
        // A port's states are known to the block around it too.
        self.states(&atom.descriptor(), atom.bits(), if atom.kind().is_parameter() { 2 } else { 1 });
        let digits = match atom.kind() {
            AtomKind::Constant => digits(&atom.verilog()),
            AtomKind::InputParameter | AtomKind::OutputParameter | AtomKind::LocalSignal => Ok(String::new()),
            kind => Err(format!("signals of the kind {kind:?} are not supported")),
        };
        match digits {
            Err(error) => self.fail(&format!("`{name}`: {error}")),
            Ok(digits) => {
                let signal = Signal { name, kind: atom.kind(), width: atom.bits(), digits };
                self.open.last_mut().expect("a signal is in a block").signals.push(signal);
            }
        }
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.bundles.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let mut module = self.open.pop().expect("it was opened");
        if module.children.is_empty() && !self.open.is_empty() {
            match Primitive::of(&module) {
                Ok(Recognized::Primitive(primitive)) => module.primitive = Some(primitive),
                Ok(Recognized::Module) => {}
                Err(error) => self.fail(&format!("{}: {error}", module.path)),
            }
        }
        match self.open.last_mut() {
            Some(parent) => parent.children.push(module),
            None => self.done = Some(module),
        }
    }
}
