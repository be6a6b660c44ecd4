//! The netlist of yosys, and the resources of each block.
//!
//! yosys flattens the design and optimises across blocks, so its look-up tables belong to no block any more. Registers and
//! memories do: a flip-flop names the line of Verilog that it comes from, and each instance has a module of its own. A
//! look-up table is counted in the smallest block that contains all the registers that it feeds. So nothing is counted twice.

use super::{resources::ResourceCount, BuildError};
use hayasashi_hdl::top::pll::Family;
use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap},
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
    cells: BTreeMap<String, Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    attributes: Attributes,
    #[serde(default)]
    port_directions: HashMap<String, String>,
    #[serde(default)]
    /// The bits of each port: numbers of nets, or constants such as "0".
    connections: HashMap<String, Vec<Value>>,
}

#[derive(Default, Deserialize)]
struct Attributes {
    /// Where a cell comes from.
    #[serde(default)]
    src: String,
    /// Of a flattened instance: the lines of its module.
    #[serde(default)]
    module_src: String,
}

/// The type of the cells that record a flattened instance.
const SCOPE: &str = "$scopeinfo";
/// Types of cells without memory, by their beginnings. Those that count as no resource pass their signals on.
const COMBINATIONAL: &[&str] = &["LUT", "CCU2C", "PFUMX", "L6MUX21", "ALU", "MUX2_LUT", "MUXF", "INV", "CARRY4"];

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

    /// Counts the resources of every block of the flattened design.
    pub fn blocks(&self, family: Family) -> Blocks {
        let mut blocks = Blocks::from([(String::new(), ResourceCount::default())]);
        let Some(top) = self.modules.get("top") else { return blocks };
        let mut homes = Homes::of(top);
        for (index, cell) in top.cells.values().enumerate() {
            let count = ResourceCount::of(family, &cell.kind);
            if count == ResourceCount::default() {
                continue;
            }
            for block in ancestors(homes.home(index).unwrap_or_default()) {
                *blocks.entry(block.to_string()).or_default() += count;
            }
        }
        blocks
    }
}

/// The block of each cell.
struct Homes<'a> {
    /// By number of the cell; `None` where it feeds nothing that is known so far.
    homes: Vec<Option<&'a str>>,
    /// Whether `homes` is final.
    known: Vec<bool>,
    /// The cells that each cell without memory feeds.
    feeds: Vec<Vec<usize>>,
}

impl<'a> Homes<'a> {
    fn of(top: &'a Module) -> Homes<'a> {
        let scopes = Scopes::of(top);
        let cells: Vec<(&'a str, &'a Cell)> = top.cells.iter().map(|(name, cell)| (name.as_str(), cell)).collect();
        let mut readers: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, (_, cell)) in cells.iter().enumerate() {
            cell.nets("input").for_each(|net| readers.entry(net).or_default().push(index));
        }
        let (mut homes, mut known, mut feeds) = (Vec::new(), Vec::new(), Vec::new());
        for (name, cell) in cells {
            let combinational = cell.is_combinational();
            homes.push((!combinational).then(|| scopes.of_cell(name, cell)));
            known.push(!combinational);
            let fed = match combinational {
                true => cell.nets("output").filter_map(|net| readers.get(&net)).flatten().copied().collect(),
                false => Vec::new(),
            };
            feeds.push(fed);
        }
        Homes { homes, known, feeds }
    }

    /// The smallest block that contains everything with a memory that a cell feeds; the block of a cell with a memory.
    fn home(&mut self, index: usize) -> Option<&'a str> {
        if !self.known[index] {
            // First, so that a loop of look-up tables ends.
            self.known[index] = true;
            for fed in std::mem::take(&mut self.feeds[index]) {
                let home = self.home(fed);
                self.homes[index] = match (self.homes[index], home) {
                    (Some(one), Some(other)) => Some(common(one, other)),
                    (one, other) => one.or(other),
                };
            }
        }
        self.homes[index]
    }
}

/// The instances of the design.
struct Scopes<'a> {
    names: Vec<&'a str>,
    /// First and last line of each module, and its instance; by first line.
    lines: Vec<(u32, u32, &'a str)>,
}

impl<'a> Scopes<'a> {
    fn of(top: &'a Module) -> Scopes<'a> {
        let scopes = top.cells.iter().filter(|(_, cell)| cell.kind == SCOPE);
        let mut all = Scopes { names: Vec::new(), lines: Vec::new() };
        for (name, cell) in scopes {
            all.names.push(name);
            all.lines.extend(lines(&cell.attributes.module_src).map(|(first, last)| (first, last, name.as_str())));
        }
        // Names are in order: those of the cells are.
        all.lines.sort();
        all
    }

    /// The block of a cell with a memory: that whose module has its line, else the one that its name begins with.
    fn of_cell(&self, name: &'a str, cell: &Cell) -> &'a str {
        let by_line = lines(&cell.attributes.src).and_then(|(line, _)| {
            let at = self.lines.partition_point(|(first, _, _)| *first <= line).checked_sub(1)?;
            let (_, last, scope) = self.lines[at];
            (line <= last).then_some(scope)
        });
        by_line.unwrap_or_else(|| {
            // Names of a memory's cells contain dots that do not separate instances.
            let known = |block: &&str| block.is_empty() || self.names.binary_search(block).is_ok();
            ancestors(name).find(known).unwrap_or_default()
        })
    }
}

impl Cell {
    fn is_combinational(&self) -> bool {
        COMBINATIONAL.iter().any(|kind| self.kind.starts_with(kind)) && !self.kind.starts_with("ALU54")
    }

    /// The nets at its inputs or outputs.
    fn nets<'a>(&'a self, direction: &'a str) -> impl Iterator<Item = u64> + 'a {
        let ports = self.connections.iter().filter(move |(port, _)| self.port_directions[*port] == direction);
        ports.flat_map(|(_, bits)| bits).filter_map(Value::as_u64)
    }
}

/// The lines of `top.v:611.1-1102.10|…`.
fn lines(src: &str) -> Option<(u32, u32)> {
    let part = src.split('|').find_map(|part| part.strip_prefix("top.v:"))?;
    let (from, to) = part.split_once('-')?;
    let line = |place: &str| place.split('.').next()?.parse().ok();
    Some((line(from)?, line(to)?))
}

/// The path itself and all its ancestors, including the empty path.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    let above = path.rmatch_indices('.').map(|(at, _)| &path[..at]);
    let own = (!path.is_empty()).then_some(path);
    own.into_iter().chain(above).chain([""])
}

/// The smallest block that contains both.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    ancestors(one).find(|block| ancestors(other).any(|of_other| of_other == *block)).unwrap_or_default()
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

    /// A cell with one input and one output.
    fn cell(name: &str, kind: &str, src: &str, input: u32, output: u32) -> String {
        format!(
            r#""{name}": {{"type": "{kind}", "attributes": {{"src": "{src}"}},
            "port_directions": {{"A": "input", "B": "input", "Z": "output"}},
            "connections": {{"A": [{input}], "B": ["0"], "Z": [{output}]}}}}"#
        )
    }

    #[test]
    fn tables_belong_to_the_registers_that_they_feed() {
        let scope = |name: &str, lines: &str| {
            format!(r#""{name}": {{"type": "$scopeinfo", "attributes": {{"module_src": "top.v:{lines}"}}}}"#)
        };
        let cells = [
            scope("chip", "1.1-10.9"),
            scope("chip.link", "11.1-20.9"),
            scope("chip.link.crc", "21.1-30.9"),
            // Net 1 goes through two tables to the registers of `crc` and `link`, net 2 to the first alone.
            cell("a", "LUT4", "techmap.v:7.1-7.2", 1, 2),
            cell("b", "LUT4", "techmap.v:7.1-7.2", 2, 3),
            cell("c", "CCU2C", "techmap.v:7.1-7.2", 2, 4),
            // Whatever a register is called: its line tells.
            cell("chip.d", "TRELLIS_FF", "top.v:25.5-25.63|techmap.v:1.1-1.2", 3, 5),
            cell("chip.e", "TRELLIS_FF", "top.v:12.5-12.63|techmap.v:1.1-1.2", 4, 6),
            // Without a line its name does. It feeds nothing itself.
            cell("chip.link.mem.0.0", "TRELLIS_FF", "techmap.v:1.1-1.2", 5, 7),
            cell("to a pin", "LUT4", "techmap.v:1.1-1.2", 7, 8),
            cell("$made.up", "MULT18X18D", "", 7, 9),
        ];
        let text = format!(r#"{{"creator": "x", "modules": {{"top": {{"cells": {{{}}}}}}}}}"#, cells.join(", "));
        let expected =
            [("".to_string(), 5, 3), ("chip".into(), 4, 3), ("chip.link".into(), 4, 3), ("chip.link.crc".into(), 1, 1)];
        assert_eq!(blocks(&text), expected);
        assert_eq!((depth(""), depth("chip"), depth("chip.link")), (0, 1, 2));
    }
}
