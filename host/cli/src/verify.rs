//! `verify`: two or more back ends compared on every position of a file.

use super::{
    args::{Global, VerifyArguments},
    backend,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
    show,
};
use hayasashi_accel::{differences, load_table_if_any, CoProcessor};
use hayasashi_spec::opcode::Opcode;
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN};
use serde_json::json;

/// Positions compared together.
const CHUNK: usize = 248;

/// Compares `COUNT` and, where all chips have them, `GENERATE` and `EVALUATE`.
pub fn run(global: &Global, arguments: &VerifyArguments) -> anyhow::Result<Exit> {
    let names = std::iter::once(&global.backend).chain(&arguments.against);
    let opened = names.map(|name| backend::open_named(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let chips: Vec<&dyn CoProcessor> = opened.iter().map(|o| &*o.chip).collect();
    let table = &*backend::table(global.table.as_deref())?;
    // A simulated chip takes seconds for its table.
    std::thread::scope(|scope| {
        let load = |chip| move || load_table_if_any(chip, table);
        let loads: Vec<_> = chips.iter().map(|&chip| scope.spawn(load(chip))).collect();
        loads.into_iter().map(|load| load.join().expect("loading does not panic")).collect::<Result<(), _>>()
    })?;
    let mut opcodes = vec![Opcode::Count];
    for (opcode, capability, what) in
        [(Opcode::Generate, CAP_MOVEGEN, "moves"), (Opcode::Evaluate, CAP_EVALUATE, "scores")]
    {
        let able = chips.iter().map(|chip| chip.has(capability)).collect::<Result<Vec<bool>, _>>()?;
        match able.iter().position(|&able| !able) {
            None => opcodes.push(opcode),
            Some(lacking) => tracing::warn!("{} has no {what}: they are not compared", chips[lacking].name()),
        }
    }
    let interrupt = Interrupt::install(|| {})?;
    let mut file = global.positions.as_deref().map(Positions::open).transpose()?;
    let mut single = match file {
        None => vec![positions::single(global)?.position().clone()],
        Some(_) => Vec::new(),
    };
    let bar = progress(file.as_ref().map_or(0, |f| f.bytes), "bytes of positions", global.quiet);
    let (mut total, mut differences) = (0, 0);
    while !interrupt.is_set() {
        let chunk = match &mut file {
            Some(file) => file.chunk(CHUNK)?,
            None => std::mem::take(&mut single),
        };
        if chunk.is_empty() {
            break;
        }
        total += chunk.len();
        for &opcode in &opcodes {
            for difference in differences::positions(&chips, opcode, &chunk)? {
                if differences < arguments.show {
                    bar.suspend(|| say(difference.show(global.json)))?;
                }
                differences += 1;
            }
        }
        bar.set_position(file.as_ref().map_or(0, |f| f.read));
    }
    bar.finish_and_clear();
    match global.json {
        true => say(json!({
            "positions": total, "differences": differences, "interrupted": interrupt.is_set(),
            "simulated": show::simulated_json(&chips),
        }))?,
        false => {
            show::simulated(&chips).iter().try_for_each(say)?;
            say(format!("positions: {total}, differences: {differences}"))?
        }
    }
    Ok(match (differences > 0, interrupt.is_set()) {
        (true, _) => Exit::Differs,
        (false, true) => Exit::Interrupted,
        (false, false) => Exit::Done,
    })
}
