//! The netlist of yosys, and the resources of each block.

use super::{resources::ResourceCount, BuildError};
use hayasashi_hdl::top::pll::Family;
use serde::{de::IgnoredAny, Deserialize};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::File,
    io::BufReader,
    path::Path,
};

/// The parts of the netlist that are used.
#[derive(Deserialize)]
pub struct Netlist {
    modules: HashMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    attributes: HashMap<String, IgnoredAny>,
    #[serde(default)]
    cells: HashMap<String, Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
}

/// The type of the cells that record a flattened instance.
const SCOPE: &str = "$scopeinfo";

/// The resources of each block, including the blocks inside it, by path of instance names (`chip.movegen.pipeline`; the whole
/// design has the empty path).
pub type Blocks = BTreeMap<String, ResourceCount>;

impl Netlist {
    /// Reads `synthesis.json`.
    pub fn read(path: &Path) -> Result<Netlist, BuildError> {
        let file = File::open(path).map_err(BuildError::io("read", path))?;
        serde_json::from_reader(BufReader::with_capacity(1 << 20, file))
            .map_err(|e| BuildError::Output { path: path.into(), reason: format!("it is not a netlist: {e}") })
    }

    /// Counts the resources of every block. The hierarchy may be kept (as modules) or flattened: then yosys leaves a
    /// `$scopeinfo` cell for each instance, and the names of cells begin with its path.
    pub fn blocks(&self, family: Family) -> Blocks {
        let mut blocks = Blocks::from([(String::new(), ResourceCount::default())]);
        self.walk("top", "", family, &mut blocks);
        blocks
    }

    fn walk(&self, module: &str, path: &str, family: Family, blocks: &mut Blocks) {
        let Some(module) = self.modules.get(module) else { return };
        let instances = module.cells.iter().filter(|(_, cell)| cell.kind == SCOPE);
        let instances: HashSet<&str> = instances.map(|(name, _)| name.as_str()).collect();
        for (name, cell) in &module.cells {
            if self.is_block(&cell.kind) {
                self.walk(&cell.kind, &join(path, name), family, blocks);
                continue;
            }
            let count = ResourceCount::of(family, &cell.kind);
            if count == ResourceCount::default() {
                continue;
            }
            // Names of a memory's cells contain dots that do not separate instances.
            let instance = ancestors(name).find(|block| block.is_empty() || instances.contains(block)).unwrap_or("");
            for block in ancestors(&join(path, instance)) {
                *blocks.entry(block.to_string()).or_default() += count;
            }
        }
    }

    /// Whether a type of cell is a module of the design, and not of the device's library.
    fn is_block(&self, kind: &str) -> bool {
        self.modules.get(kind).is_some_and(|module| !module.attributes.contains_key("blackbox"))
    }
}

fn join(path: &str, name: &str) -> String {
    match (path, name) {
        ("", name) => name.to_string(),
        (path, "") => path.to_string(),
        (path, name) => format!("{path}.{name}"),
    }
}

/// The path itself and all its ancestors, including the empty path.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let above = path.rmatch_indices('.').map(|(at, _)| &path[..at]);
    let own = (!path.is_empty()).then_some(path);
    own.into_iter().chain(above).chain([""])
}

/// The depth of a block in the hierarchy: 1 for the instances of the top level.
pub fn depth(path: &str) -> usize {
    if path.is_empty() {
        return 0;
    }
    path.matches('.').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<(String, u64, u64)> {
        let netlist: Netlist = serde_json::from_str(text).unwrap();
        netlist.blocks(Family::Ecp5).into_iter().map(|(path, c)| (path, c.luts, c.flip_flops)).collect()
    }

    #[test]
    fn kept_and_flattened_hierarchies_give_the_same() {
        let kept = r#"{"creator": "x", "modules": {
            "LUT4": {"attributes": {"blackbox": "1"}, "cells": {"$specify$1": {"type": "$specify2"}}},
            "top": {"attributes": {"top": "1"}, "cells": {"chip": {"type": "top$chip"}, "a": {"type": "LUT4"}}},
            "top$chip": {"cells": {"link": {"type": "top$chip$link"}, "b": {"type": "CCU2C"}}},
            "top$chip$link": {"cells": {"mem.0.0": {"type": "TRELLIS_FF"}, "d": {"type": "LUT4"}}}}}"#;
        let flat = r#"{"modules": {"LUT4": {"attributes": {"blackbox": "1"}, "cells": {"x": {"type": "$s"}}},
            "top": {"cells": {"a": {"type": "LUT4"}, "chip.b": {"type": "CCU2C"}, "chip": {"type": "$scopeinfo"},
            "chip.link": {"type": "$scopeinfo"}, "chip.link.mem.0.0": {"type": "TRELLIS_FF"},
            "chip.link.d": {"type": "LUT4"}, "$made.up": {"type": "MULT18X18D"}}}}}"#;
        let expected = [("".to_string(), 4, 1), ("chip".into(), 3, 1), ("chip.link".into(), 1, 1)];
        assert_eq!(blocks(kept), expected);
        assert_eq!(blocks(flat), expected);
        assert_eq!((depth(""), depth("chip"), depth("chip.link")), (0, 1, 2));
    }
}
