//! `match --virtual`: the model of time of each engine.

use super::{build, matches::MatchArguments, session::progress};
use anyhow::bail;
use hayasashi_boards::{board::Board, flow::REPORT};
use hayasashi_lab::{
    compare::{clock::Device, link::ADAPTER_SECONDS},
    matches::{
        engine::{EngineFailure, EngineProcess},
        virtual_time::{step_clocks, Allowed, ChipTime, Hardware, LinkTime},
        EngineSpec, MatchPlan, MoveLimit, Opening, ResultsFile,
    },
};
use std::{sync::atomic::AtomicBool, time::Duration};

/// Nodes of each search that is timed, and how many are.
const TIMED: (u64, usize) = (100_000, 5);

/// The limits of both engines in virtual time; `None` when interrupted.
pub fn limits(
    arguments: &MatchArguments,
    plan: &MatchPlan,
    stop: &AtomicBool,
    quiet: bool,
) -> anyhow::Result<Option<[MoveLimit; 2]>> {
    let time = Duration::from_millis(arguments.ms.unwrap_or(100));
    let before = ResultsFile::read(&arguments.results)?.filter(|(_, games)| !games.is_empty());
    let before =
        before.map(|(settings, _)| [settings.pace, settings.against_pace].map(|pace| Hardware::node_ps(&pace)));
    let same = plan.engines[0].command == plan.engines[1].command && plan.engines[0].options == plan.engines[1].options;
    let mut node_ps: [Option<u64>; 2] = [None; 2];
    for (at, engine) in plan.engines.iter().enumerate() {
        if engine.is_chip() {
            if engine.option("RootMate") != Some("false") {
                bail!(
                    "`Search=chip` with `RootMate` searches for mates on the host, which virtual time does not count; hint: add \
                     `--each-option RootMate=false`"
                );
            }
            continue;
        }
        let of_first = same || arguments.engine == arguments.against || arguments.against.is_none();
        let given = match at {
            0 => arguments.node_ns,
            _ => arguments.against_node_ns.or(arguments.node_ns.filter(|_| of_first)),
        };
        let known = given.or(before.and_then(|before| before[at])).or(node_ps[0].filter(|_| at == 1 && same));
        node_ps[at] = match known {
            Some(ps) => Some(ps),
            None => match measure(engine, &plan.openings, stop, quiet)? {
                Some(ps) => Some(ps),
                None => return Ok(None),
            },
        };
    }
    let chip = Hardware::Chip(chip(arguments)?);
    if node_ps.contains(&None) && chip.allowed(time, 0) == Allowed::Steps(1) {
        bail!(
            "`--ms {}` leaves no time for a search behind the {chip}; hint: give more, or a faster link with `--chip-link-us`",
            time.as_millis()
        );
    }
    let limit = |ps: Option<u64>| MoveLimit::Virtual(time, ps.map_or(chip, |node_ps| Hardware::Core { node_ps }));
    Ok(Some(node_ps.map(limit)))
}

fn chip(arguments: &MatchArguments) -> anyhow::Result<ChipTime> {
    let board = Board::find(&arguments.chip_board)?;
    let Some(step_clocks) = arguments.chip_step_clocks.or(step_clocks(board.units.search)) else {
        bail!(
            "the board `{}` of `--chip-board` has no walker of searches; hint: give one with `units.search`, such as \
             acorn-cle215plus-search",
            arguments.chip_board
        );
    };
    let device = Device::find(&board, None, &build::folder(&board, None).join(REPORT))?;
    Ok(ChipTime {
        clock_hz: arguments.chip_mhz.unwrap_or(device.clock_hz() as u64),
        step_clocks,
        link: match arguments.chip_link_us {
            Some(us) => LinkTime::Fixed { us },
            None => LinkTime::Uart { baud_hz: device.baud_hz.into(), round_trip_us: (ADAPTER_SECONDS * 1e6) as u64 },
        },
    })
}

/// Picoseconds of a node: the median of some searches of the openings. `None` when interrupted.
fn measure(spec: &EngineSpec, openings: &[Opening], stop: &AtomicBool, quiet: bool) -> anyhow::Result<Option<u64>> {
    let (nodes, searches) = TIMED;
    let bar = progress(searches as u64, "searches timed", quiet);
    let Some(mut engine) = EngineProcess::start(spec, stop, |_| {})? else { return Ok(None) };
    let mut times = Vec::new();
    for opening in openings.iter().cycle().take(searches) {
        let reply = match engine.new_game(stop) {
            Ok(()) => engine.search(&opening.usi([]), &format!("nodes {nodes}"), Duration::from_secs(120), stop),
            Err(failure) => Err(failure),
        };
        match reply {
            Err(EngineFailure::Interrupted) => return Ok(None),
            // A search that ends at once, as with a move of the book, has no time a node.
            Ok(reply) => times.extend(
                reply
                    .nodes
                    .filter(|&n| n >= nodes / 10)
                    .map(|n| (reply.elapsed.as_nanos() * 1000 / u128::from(n)) as u64),
            ),
            Err(_) => {}
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort_unstable();
    match times.get(times.len() / 2) {
        Some(&ps) => Ok(Some(ps.max(1))),
        None => bail!(
            "the engine `{}` has not reported the nodes of {nodes} nodes; hint: give its time of a node with `--node-ns`",
            spec.command.join(" ")
        ),
    }
}
