//! `verify`: two or more back ends compared on every position of a file.

use super::{
    args::Global,
    backend,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
    show,
};
use anyhow::{bail, Context};
use clap::Args;
use hayasashi_accel::{
    selftest::gateware_note,
    verify::{Difference, Verifier, CHUNK},
    CoProcessor,
};
use serde_json::json;

/// Arguments of `verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyArguments {
    /// The back ends to compare with, separated by commas (`rtl,verilog`).
    #[arg(long, value_name = "BACKENDS", default_value = "rules", value_delimiter = ',')]
    pub against: Vec<String>,
    /// Number of differences to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,
}

/// What has been compared.
#[derive(Default)]
struct Compared {
    positions: usize,
    differences: usize,
    interrupted: bool,
}

/// Compares `COUNT`, and `GENERATE`, `EVALUATE` and `PERFT` where all back ends have them.
pub fn run(global: &Global, arguments: &VerifyArguments) -> anyhow::Result<Exit> {
    let names = std::iter::once(&global.backend).chain(&arguments.against);
    let opened = names.map(|name| backend::open_itself(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let chips: Vec<&dyn CoProcessor> = opened.iter().map(|o| &*o.chip).collect();
    let table = backend::table(global.table.as_deref())?;
    let verifier = Verifier::new(&chips, &table)?;
    for skipped in verifier.skipped() {
        tracing::warn!("`{}` has no {}: it is not compared", skipped.backend, skipped.opcode.name());
    }
    let mut notes = Vec::new();
    for chip in &chips {
        notes.extend(gateware_note(&chip.info()?).map(|note| format!("{}: {note}", chip.name())));
    }
    let mut compared = Compared::default();
    let outcome = compare(global, arguments, &verifier, &mut compared);
    let Compared { positions, differences, interrupted } = compared;
    // What was compared before a failure counts; the failure follows.
    match global.json {
        true => say(json!({
            "positions": positions, "differences": differences, "interrupted": interrupted,
            "complete": outcome.is_ok() && !interrupted, "gateware": notes, "simulated": show::simulated_json(&chips),
        }))?,
        false => {
            notes.iter().try_for_each(|note| say(format!("note: {note}")))?;
            show::simulated(&chips).iter().try_for_each(say)?;
            say(format!("positions: {positions}, differences: {differences}"))?;
        }
    }
    outcome?;
    if let (0, false, Some(file)) = (positions, interrupted, &global.positions) {
        bail!("`{file}` has no position, so nothing was compared; hint: give a file with one SFEN on each line");
    }
    Ok(match (differences > 0, interrupted) {
        (true, _) => Exit::Differs,
        (false, true) => Exit::Interrupted,
        (false, false) => Exit::Done,
    })
}

/// Compares all positions, and shows the first differences.
fn compare(
    global: &Global,
    arguments: &VerifyArguments,
    verifier: &Verifier<'_>,
    compared: &mut Compared,
) -> anyhow::Result<()> {
    let interrupt = Interrupt::install(|| {})?;
    let mut file = global.positions.as_deref().map(Positions::open).transpose()?;
    let mut single = match file {
        None => vec![positions::single(global)?.position().clone()],
        Some(_) => Vec::new(),
    };
    let bar = progress(file.as_ref().map_or(0, |f| f.bytes), "bytes of positions", global.quiet);
    loop {
        compared.interrupted = interrupt.is_set();
        let chunk = match &mut file {
            _ if compared.interrupted => Vec::new(),
            Some(file) => file.chunk(CHUNK)?,
            None => std::mem::take(&mut single),
        };
        if chunk.is_empty() {
            bar.finish_and_clear();
            return Ok(());
        }
        let differences = verifier.compare(&chunk).with_context(|| {
            let (number, sfen) = (compared.positions + 1, chunk[0].to_sfen());
            format!("position {number} (`{sfen}`) and those after it were not compared")
        })?;
        compared.positions += chunk.len();
        for difference in differences {
            if compared.differences < arguments.show {
                bar.suspend(|| show_difference(&difference, global.json))?;
            }
            compared.differences += 1;
        }
        bar.set_position(file.as_ref().map_or(0, |f| f.read));
    }
}

/// Writes one difference.
pub fn show_difference(difference: &Difference, as_json: bool) -> anyhow::Result<()> {
    match as_json {
        true => say(difference.to_json()),
        false => say(difference),
    }
}
