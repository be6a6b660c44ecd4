//! `info`: the chip's information registers.

use super::{
    args::Global,
    backend,
    session::{say, Exit},
};
use hayasashi_accel::{selftest::gateware_note, Capability};
use hayasashi_spec::registers::Register;
use serde_json::{json, Map, Value};

/// Prints the information registers.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let opened = backend::open_itself(&global.backend)?;
    let info = opened.chip.info()?;
    let values: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&info));
    let registers = Register::ALL.iter().zip(values);
    let functions: Vec<&str> = Capability::of_chip(info.capabilities).map(Capability::name).collect();
    if global.json {
        let registers: Map<String, Value> = registers.map(|(r, &v)| (r.name().into(), v.into())).collect();
        say(
            json!({ "backend": opened.chip.name(), "note": opened.note, "registers": registers, "functions": functions, "gateware": gateware_note(&info) }),
        )?;
    } else {
        say(&opened.note)?;
        for (register, value) in registers {
            say(format!("{:17} 0x{value:08X} {value:>10}  {}", register.name(), register.text().trim()))?;
        }
        say(format!("functions: {}", functions.join(", ")))?;
        gateware_note(&info).iter().try_for_each(|note| say(format!("note: {note}")))?;
    }
    Ok(Exit::Done)
}
