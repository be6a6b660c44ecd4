//! `verify`: two or more back ends compared on every position of a file.

use super::{
    args::Global,
    backend,
    positions::{self, Positions},
    session::{progress, say, Exit, Interrupt},
    show,
};
use clap::Args;
use hayasashi_accel::{
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

/// Compares `COUNT`, and `GENERATE` and `EVALUATE` where all back ends have them.
pub fn run(global: &Global, arguments: &VerifyArguments) -> anyhow::Result<Exit> {
    let names = std::iter::once(&global.backend).chain(&arguments.against);
    let opened = names.map(|name| backend::open_itself(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let chips: Vec<&dyn CoProcessor> = opened.iter().map(|o| &*o.chip).collect();
    let table = backend::table(global.table.as_deref())?;
    let verifier = Verifier::new(&chips, &table)?;
    for skipped in verifier.skipped() {
        tracing::warn!("`{}` has no {}: it is not compared", skipped.backend, skipped.opcode.name());
    }
    let interrupt = Interrupt::install(|| {})?;
    let mut file = global.positions.as_deref().map(Positions::open).transpose()?;
    let mut single = match file {
        None => vec![positions::single(global)?.position().clone()],
        Some(_) => Vec::new(),
    };
    let bar = progress(file.as_ref().map_or(0, |f| f.bytes), "bytes of positions", global.quiet);
    let (mut total, mut differences, mut failure) = (0, 0, None);
    while !interrupt.is_set() {
        let chunk = match &mut file {
            Some(file) => file.chunk(CHUNK)?,
            None => std::mem::take(&mut single),
        };
        if chunk.is_empty() {
            break;
        }
        let found = match verifier.compare(&chunk) {
            Ok(found) => found,
            Err(error) => {
                failure = Some((error, chunk[0].to_sfen()));
                break;
            }
        };
        total += chunk.len();
        for difference in found {
            if differences < arguments.show {
                bar.suspend(|| show_difference(&difference, global.json))?;
            }
            differences += 1;
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
            say(format!("positions: {total}, differences: {differences}"))?;
        }
    }
    if let Some((error, sfen)) = failure {
        return Err(anyhow::Error::from(error).context(format!("not compared: everything from `{sfen}` on")));
    }
    Ok(match (differences > 0, interrupt.is_set()) {
        (true, _) => Exit::Differs,
        (false, true) => Exit::Interrupted,
        (false, false) => Exit::Done,
    })
}

/// Writes one difference.
pub fn show_difference(difference: &Difference, as_json: bool) -> anyhow::Result<()> {
    match as_json {
        true => say(difference.to_json()),
        false => say(difference),
    }
}
