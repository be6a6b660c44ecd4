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
    load_evaluation_if_supported,
    search::{SearchSums, SearchVerifier, SEARCH_CHUNK},
    selftest::gateware_note,
    verify::{Difference, Verifier, CHUNK},
    Capability, CoProcessor,
};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::search::{SearchHead, MAX_DEPTH};
use serde_json::{json, Value};

/// Arguments of `verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyArguments {
    /// The back ends to compare with, separated by commas (`rtl,verilog`).
    #[arg(long, value_name = "BACKENDS", default_value = "rules", value_delimiter = ',')]
    pub against: Vec<String>,
    /// Number of differences to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,
    /// Compare `SEARCH` instead, to this depth: score, line, depth, nodes and steps.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=MAX_DEPTH as i64))]
    pub search: Option<u8>,
    /// With --search: nodes of a search at most.
    #[arg(long, value_name = "N", requires = "search", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// With --search: each search begins with the table of the one before.
    #[arg(long, requires = "search")]
    pub keep_table: bool,
}

/// What has been compared.
#[derive(Default)]
struct Compared {
    positions: usize,
    differences: usize,
    interrupted: bool,
}

/// What is compared.
enum Comparison<'a> {
    /// The answers about single positions, and walks.
    Answers(Verifier<'a>),
    Searches(SearchVerifier<'a>),
}

/// Compares `COUNT`, `GENERATE`, `EVALUATE`, `EXPAND` and `PERFT` where all back ends have them; or `SEARCH`.
pub fn run(global: &Global, arguments: &VerifyArguments) -> anyhow::Result<Exit> {
    let names = std::iter::once(&global.backend).chain(&arguments.against);
    let opened = names.map(|name| backend::open_itself(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let chips: Vec<&dyn CoProcessor> = opened.iter().map(|o| &*o.chip).collect();
    let mut comparison = comparison(global, arguments, &chips)?;
    let mut notes = Vec::new();
    for chip in &chips {
        notes.extend(gateware_note(&chip.info()?).map(|note| format!("{}: {note}", chip.name())));
    }
    let mut compared = Compared::default();
    let outcome = compare(global, arguments, &mut comparison, &mut compared);
    let Compared { positions, differences, interrupted } = compared;
    let searches: &[SearchSums] = match &comparison {
        Comparison::Answers(_) => &[],
        Comparison::Searches(verifier) => verifier.sums(),
    };
    // What was compared before a failure counts; the failure follows.
    match global.json {
        true => {
            let mut object = json!({
                "positions": positions, "differences": differences, "interrupted": interrupted,
                "complete": outcome.is_ok() && !interrupted, "gateware": notes, "simulated": show::simulated_json(&chips),
            });
            if arguments.search.is_some() {
                object["searches"] = searches.iter().map(SearchSums::to_json).collect::<Value>();
            }
            say(object)?;
        }
        false => {
            notes.iter().try_for_each(|note| say(format!("note: {note}")))?;
            show::simulated(&chips).iter().try_for_each(say)?;
            say(format!("positions: {positions}, differences: {differences}"))?;
            searches.iter().try_for_each(|sums| say(sums.text()))?;
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

/// The comparison that the arguments ask for, with the evaluation loaded.
fn comparison<'a>(
    global: &Global,
    arguments: &VerifyArguments,
    chips: &[&'a dyn CoProcessor],
) -> anyhow::Result<Comparison<'a>> {
    let Some(depth) = arguments.search else {
        let verifier = Verifier::new(chips, &backend::table(global.table.as_deref())?.into())?;
        for skipped in verifier.skipped() {
            tracing::warn!("`{}` has no {}: it is not compared", skipped.backend, skipped.opcode.name());
        }
        if let (true, Some(skipped)) = (verifier.opcodes().is_empty(), verifier.skipped().first()) {
            bail!(
                "`{}`: {}, so nothing can be compared; hint: compare searches (`--search DEPTH --against model`)",
                skipped.backend,
                Capability::Count.missing()
            );
        }
        return Ok(Comparison::Answers(verifier));
    };
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let mut common = u32::MAX;
    for chip in chips {
        if chip.direct() == Some(hayasashi_accel::Direct::Rules) {
            bail!("`rules` cannot search: it knows moves, not what they are worth; hint: compare searches with `--against model`");
        }
        if !chip.has(Capability::Search.bit())? {
            bail!(
                "`{}`: {}; hint: compare back ends that can, such as `--backend model --against model-stream`",
                chip.name(),
                Capability::Search.missing()
            );
        }
        common &= chip.identity()?.capabilities;
    }
    // All search with the same evaluation: with a network only if each of them takes one.
    let evaluation = evaluation.for_chip(common);
    chips.iter().try_for_each(|chip| load_evaluation_if_supported(*chip, &evaluation))?;
    let head = SearchHead { depth, nodes: arguments.nodes.unwrap_or(0), ..SearchHead::default() };
    let head = head.keeping_table(arguments.keep_table);
    Ok(Comparison::Searches(SearchVerifier::new(chips, head)?))
}

impl Comparison<'_> {
    /// Positions compared at a time.
    fn chunk(&self) -> usize {
        match self {
            Comparison::Answers(_) => CHUNK,
            Comparison::Searches(_) => SEARCH_CHUNK,
        }
    }

    /// The differences on some positions, as text or JSON; `None` when interrupted.
    fn differences(
        &mut self,
        positions: &[Position],
        interrupt: &Interrupt,
        json: bool,
    ) -> anyhow::Result<Option<Vec<String>>> {
        Ok(match self {
            Comparison::Answers(verifier) => {
                let show = |d: &Difference| if json { d.to_json().to_string() } else { d.to_string() };
                Some(verifier.compare(positions)?.iter().map(show).collect())
            }
            Comparison::Searches(verifier) => {
                let differences = verifier.compare(positions, &|| !interrupt.is_set())?;
                let show = |d: &hayasashi_accel::search::SearchDifference| match json {
                    true => d.to_json().to_string(),
                    false => d.to_string(),
                };
                differences.map(|differences| differences.iter().map(show).collect())
            }
        })
    }
}

/// Compares all positions, and shows the first differences.
fn compare(
    global: &Global,
    arguments: &VerifyArguments,
    comparison: &mut Comparison<'_>,
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
            Some(file) => file.chunk(comparison.chunk())?,
            None => std::mem::take(&mut single),
        };
        if chunk.is_empty() {
            bar.finish_and_clear();
            return Ok(());
        }
        let differences = comparison.differences(&chunk, &interrupt, global.json).with_context(|| {
            let (number, sfen) = (compared.positions + 1, chunk[0].to_sfen());
            format!("position {number} (`{sfen}`) and those after it were not compared")
        })?;
        let Some(differences) = differences else {
            if interrupt.is_set() {
                // The positions under way are left out.
                continue;
            }
            bail!("a search was cancelled by another program; hint: close what else uses the same chip");
        };
        compared.positions += chunk.len();
        for difference in differences {
            if compared.differences < arguments.show {
                bar.suspend(|| say(difference))?;
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
