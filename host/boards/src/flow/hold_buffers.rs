//! Look-up tables between flip-flops and the data inputs of Xilinx block RAMs.
//!
//! A block RAM wants its data for 0.67 ns after the clock's edge in nextpnr's model. A flip-flop next to it may change them
//! sooner, and nextpnr reports that as an error but moves nothing. A look-up table on the way takes long enough.

use super::{netlist_edit::edit, BuildError};
use serde_json::{json, Map, Value};
use std::{collections::HashSet, path::Path};

/// Beginnings of the types of flip-flops and block RAMs, and of the names of a block RAM's data inputs.
const FLIP_FLOPS: &str = "FD";
const BLOCK_RAMS: &str = "RAMB";
const DATA_INPUTS: &str = "DI";

/// Writes a copy of the netlist to `out` with the buffers.
pub fn insert(netlist: &Path, out: &Path) -> Result<(), BuildError> {
    edit(netlist, out, |top| {
        let registers = registers(top);
        let first = 1 + highest_net(top);
        let mut buffers = Vec::new();
        let registered = data_bits(top).filter(|bit| bit.as_u64().is_some_and(|net| registers.contains(&net)));
        for (net, bit) in (first..).zip(registered) {
            let buffered = Value::from(net);
            buffers.push((net, buffer(bit, &buffered)));
            *bit = buffered;
        }
        let (mut cells, mut nets) = (Map::new(), Map::new());
        for (net, cell) in buffers {
            cells.insert(format!("hold {net}"), cell);
            nets.insert(format!("held {net}"), json!({ "hide_name": 1, "bits": [net], "attributes": {} }));
        }
        for (key, new) in [("cells", cells), ("netnames", nets)] {
            if let Some(Value::Object(old)) = top.get_mut(key) {
                old.extend(new);
            }
        }
    })
}

/// The cells whose type begins like this.
fn cells<'a>(top: &'a Map<String, Value>, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let cells = top.get("cells").and_then(Value::as_object).into_iter().flat_map(Map::values);
    cells.filter(move |cell| cell["type"].as_str().is_some_and(|name| name.starts_with(kind)))
}

/// The nets that flip-flops drive.
fn registers(top: &Map<String, Value>) -> HashSet<u64> {
    cells(top, FLIP_FLOPS).filter_map(|cell| cell["connections"]["Q"][0].as_u64()).collect()
}

/// The highest number of a net that a cell is connected to.
fn highest_net(top: &Map<String, Value>) -> u64 {
    let ports = cells(top, "").filter_map(|cell| cell["connections"].as_object()).flat_map(Map::values);
    ports.filter_map(Value::as_array).flatten().filter_map(Value::as_u64).max().unwrap_or(0)
}

/// The bits of all data inputs of block RAMs.
fn data_bits(top: &mut Map<String, Value>) -> impl Iterator<Item = &mut Value> {
    let cells = top.get_mut("cells").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
    let rams = cells.filter(|cell| cell["type"].as_str().is_some_and(|name| name.starts_with(BLOCK_RAMS)));
    let ports = rams.filter_map(|ram| ram["connections"].as_object_mut()).flatten();
    ports.filter(|(name, _)| name.starts_with(DATA_INPUTS)).filter_map(|(_, bits)| bits.as_array_mut()).flatten()
}

/// A look-up table that passes its input on.
fn buffer(input: &Value, output: &Value) -> Value {
    json!({
        "type": "LUT1",
        "parameters": { "INIT": "10" },
        "attributes": { "keep": "1" },
        "port_directions": { "I0": "input", "O": "output" },
        "connections": { "I0": [input], "O": [output] },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_reaches_a_block_ram_through_a_buffer() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from.json"), folder.path().join("to.json"));
        let netlist = json!({ "modules": { "top": { "netnames": {}, "cells": {
            "register": { "type": "FDRE", "connections": { "D": [3], "Q": [2] } },
            "table": { "type": "LUT1", "connections": { "I0": [2], "O": [3] } },
            "ram": { "type": "RAMB18E1", "connections": { "DIADI": [2, 3, "0"], "ADDRARDADDR": [2], "DOADO": [7] } },
        } } } });
        std::fs::write(&from, netlist.to_string()).unwrap();
        insert(&from, &to).unwrap();
        let netlist: Value = serde_json::from_slice(&std::fs::read(to).unwrap()).unwrap();
        let top = &netlist["modules"]["top"];
        assert_eq!(
            top["cells"]["ram"]["connections"],
            json!({ "DIADI": [8, 3, "0"], "ADDRARDADDR": [2], "DOADO": [7] })
        );
        assert_eq!(top["cells"]["hold 8"]["connections"], json!({ "I0": [2], "O": [8] }));
        assert_eq!((top["cells"].as_object().unwrap().len(), &top["netnames"]["held 8"]["bits"][0]), (4, &json!(8)));
    }
}
