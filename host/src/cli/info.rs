//! `info`: the information registers of a chip.

use super::{
    args::Global,
    session::{say, Exit},
};
use crate::accel::{self, BackendSpec};
use hayasashi_spec::registers::*;
use serde_json::{json, Map, Value};

/// Runs the command.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let spec: BackendSpec = global.backend.parse()?;
    let opened = accel::open(&spec)?;
    eprintln!("{}", opened.note);
    let info = opened.chip.info()?;
    let words: [u32; REGISTERS] = bytemuck::cast(info);
    if global.json {
        let map: Map<String, Value> =
            Register::ALL.iter().zip(words).map(|(r, word)| (r.name().to_lowercase(), json!(word))).collect();
        say(Value::Object(map))?;
        return Ok(Exit::Done);
    }
    for (register, word) in Register::ALL.iter().zip(words) {
        say(format!("{:<15} {}", register.name().to_lowercase(), words_for(*register, word)))?;
    }
    Ok(Exit::Done)
}

/// The value of a register as people read it.
fn words_for(register: Register, word: u32) -> String {
    match register {
        Register::Magic => format!("{word:#010x} ({:?})", String::from_utf8_lossy(&word.to_le_bytes())),
        Register::Protocol => format!("{}.{}", word >> 16, word & 0xffff),
        Register::BuildId | Register::TableChecksum => format!("{word:#010x}"),
        Register::Board => match word {
            BOARD_MODEL => "0 (software model)".into(),
            BOARD_SIMULATION => "1 (simulation)".into(),
            n => n.to_string(),
        },
        Register::Capabilities => {
            let names = [(CAP_MOVEGEN, "move generation"), (CAP_EVALUATE, "evaluation")];
            let held: Vec<&str> = names.iter().filter(|(bit, _)| word & bit != 0).map(|(_, name)| *name).collect();
            format!("{word:#x} ({})", held.join(", "))
        }
        _ => word.to_string(),
    }
}
