//! Ports of a module and of the blocks inside it, and what they are called.

use super::drivers::Drivers;
use super::expression::Expression;
use super::modules::Module;
use super::primitive::Primitive;
use super::text::wrapped;
use crate::network::names::Names;
use std::collections::{BTreeMap, BTreeSet};

/// The declaration of a wire that reads what nothing else does, so that the text says so.
pub fn unused(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        parts => wrapped(&format!("wire unused = &{{1'h0, {}}};", parts.join(", "))),
    }
}

/// Neighbouring numbers, as the first and how many.
pub fn runs(numbers: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((low, width)) if *low + *width == number => *width += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}

/// The name of a port of a block inside.
pub fn inner(child: &Module, port: &str) -> String {
    format!("{}${port}", child.instance)
}

/// What must have a driver: outputs, and inputs of blocks inside.
pub fn needed(module: &Module) -> impl Iterator<Item = String> + '_ {
    let outputs = module.signals.iter().filter(|s| s.is_port() && !s.is_input()).map(|s| s.name.clone());
    let present = module.children.iter().filter(|child| child.primitive != Some(Primitive::Absent));
    outputs.chain(
        present
            .flat_map(|child| child.signals.iter().filter(|port| port.is_input()).map(|port| inner(child, &port.name))),
    )
}

/// Outputs of modules inside that only drive an output of this one.
pub fn passed(module: &Module, drivers: &Drivers, times: &BTreeMap<String, usize>) -> BTreeMap<String, String> {
    let outputs: BTreeSet<&str> =
        module.signals.iter().filter(|s| s.is_port() && !s.is_input()).map(|s| &s.name[..]).collect();
    let modules = module.children.iter().filter(|child| child.primitive.is_none());
    let inside: BTreeSet<String> =
        modules.flat_map(|child| child.signals.iter().map(|port| inner(child, &port.name))).collect();
    let passes = |target: &String, value: &Expression| match value {
        Expression::Signal { name, of, width, .. } => {
            let is_passed = outputs.contains(&target[..]) && inside.contains(name) && of == width;
            (is_passed && times[name] == 1 && !times.contains_key(target)).then(|| (name.clone(), target.clone()))
        }
        _ => None,
    };
    drivers.own.iter().filter_map(|(target, value)| passes(target, value)).collect()
}

/// Registers are called as in the source, and what they take `…_next`.
pub fn names(module: &Module) -> BTreeMap<String, String> {
    let mut taken = Names::default();
    module.signals.iter().for_each(|signal| taken.take(&signal.name));
    module.children.iter().filter(|child| child.primitive.is_none()).for_each(|child| taken.take(&child.instance));
    let mut names = BTreeMap::new();
    for child in &module.children {
        if let Some(Primitive::Register(_)) = child.primitive {
            names.insert(inner(child, "q"), taken.unique(&child.instance));
            names.insert(inner(child, "d"), taken.unique(&format!("{}_next", child.instance)));
        }
    }
    names
}
