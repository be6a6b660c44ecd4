//! `selftest`: whether a chip is sound: echo, statuses, table, and built-in positions against the software model.

use super::{
    args::Global,
    backend, positions,
    session::{progress, say, Exit, Interrupt},
    show,
};
use hayasashi_accel::{differences, load_table};
use hayasashi_accel::{CoProcessor, ModelBackend, Request};
use hayasashi_model::Model;
use hayasashi_shogi::rules::Position;
use hayasashi_spec::{
    frame::MAX_REQUEST_PAYLOAD,
    opcode::Opcode,
    piece::{NO_KIND, PAWN},
    position::PositionImage,
    registers::{CAP_EVALUATE, CAP_MOVEGEN},
    MAGIC, PROTOCOL_VERSION,
};
use serde_json::json;

/// Positions of many kinds: openings, checks, promotions, full hands, missing kings, no legal move, pawn-drop mate.
const POSITIONS: [&str; 12] = [
    "startpos",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
    "lnsgkgsnl/1r5b1/p1pppp1pp/6p2/1p7/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 7",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "8k/9/8S/9/9/9/9/9/K8 b P 1",
    "7k1/6P2/7G1/8L/9/9/9/9/9 b 2r2b3g4s4n3l17p 1",
    "k8/1G7/1K7/9/9/9/9/9/9 w - 1",
    "9/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "3sks3/9/4S4/9/1+B5b1/9/9/9/3R2r2 w 2P 1",
];

/// Runs the tests; each is one line of output.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let table = backend::table(global.table.as_deref())?;
    let opened = backend::opened(global)?;
    let chip = &*opened.chip;
    let capabilities = chip.info()?.capabilities;
    let has = |capability: u32| capabilities & capability != 0;
    let model = ModelBackend::with_model(Model::without(!capabilities));
    if has(CAP_EVALUATE) {
        model.load_table(&table.to_bytes())?;
    }
    let interrupt = Interrupt::install(|| {})?;
    let positions: Vec<Position> = POSITIONS
        .iter()
        .map(|text| positions::parse(text).map(|p| p.position().clone()))
        .collect::<anyhow::Result<_>>()?;

    let mut names = vec!["registers", "echo", "table", "generate", "count", "evaluate", "bad requests"];
    // That it refuses as it should what it lacks is among the bad requests.
    names.retain(|name| match *name {
        "generate" => has(CAP_MOVEGEN),
        "table" | "evaluate" => has(CAP_EVALUATE),
        _ => true,
    });
    let bar = progress(names.len() as u64, "tests", global.quiet);
    let mut failed = 0;
    for &name in &names {
        if interrupt.is_set() {
            bar.finish_and_clear();
            say(format!("interrupted before `{name}`, failed: {failed}"))?;
            return Ok(Exit::Interrupted);
        }
        let same = |opcode| -> anyhow::Result<Vec<String>> {
            Ok(differences::positions(&[chip, &model], opcode, &positions)?.iter().map(|d| d.show(false)).collect())
        };
        let result = match name {
            "registers" => registers(chip),
            "echo" => echo(chip),
            "table" => load_table(chip, &table).map(|()| Vec::new()).map_err(Into::into),
            "generate" => same(Opcode::Generate),
            "count" => same(Opcode::Count),
            "evaluate" => same(Opcode::Evaluate),
            _ => bad_requests(chip, &model),
        };
        let faults = result.unwrap_or_else(|e| vec![format!("{e:#}")]);
        failed += !faults.is_empty() as u32;
        bar.inc(1);
        let passed = faults.is_empty();
        bar.suspend(|| match global.json {
            true => say(json!({ "test": name, "passed": passed, "faults": faults })),
            false => {
                say(format!("{name:14} {}", if passed { "ok" } else { "FAILED" }))?;
                faults.iter().try_for_each(say)
            }
        })?;
    }
    bar.finish_and_clear();
    match global.json {
        true => say(json!({
            "backend": chip.name(), "tests": names.len(), "failed": failed, "simulated": show::simulated_json(&[chip]),
        }))?,
        false => {
            show::simulated(&[chip]).iter().try_for_each(say)?;
            say(format!("{}: tests: {}, failed: {failed}", opened.note, names.len()))?
        }
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Differs })
}

fn registers(chip: &dyn CoProcessor) -> anyhow::Result<Vec<String>> {
    let info = chip.info()?;
    let mut faults = Vec::new();
    if info.magic != MAGIC {
        faults.push(format!("MAGIC is {:#010x}, not {MAGIC:#010x}", info.magic));
    }
    if info.protocol >> 16 != PROTOCOL_VERSION >> 16 {
        faults.push(format!("PROTOCOL is {:#010x}, this program speaks {PROTOCOL_VERSION:#010x}", info.protocol));
    }
    Ok(faults)
}

fn echo(chip: &dyn CoProcessor) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    for length in [0, 1, 255, 256, MAX_REQUEST_PAYLOAD] {
        // Every byte value, those that are stuffed included.
        let bytes: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
        if chip.echo(&bytes)? != bytes {
            faults.push(format!("{length} bytes come back changed"));
        }
    }
    Ok(faults)
}

/// Bad requests must be answered by the same status and payload as the model's.
fn bad_requests(chip: &dyn CoProcessor, model: &dyn CoProcessor) -> anyhow::Result<Vec<String>> {
    let image = |squares: &[usize], code| {
        let mut image = PositionImage::default();
        squares.iter().for_each(|&s| image.set_piece(s, code));
        image
    };
    let raw = |opcode: u8, count, payload: Vec<u8>| Request { opcode, count, payload };
    let count = Opcode::Count as u8;
    let requests = [
        ("unknown opcode", raw(0x7F, 0, vec![])),
        ("INFO with a payload", raw(Opcode::Info as u8, 0, vec![1])),
        ("COUNT of no position", raw(count, 0, vec![])),
        ("COUNT of half a position", raw(count, 1, vec![0; 32])),
        ("LOAD_TABLE without offset", raw(Opcode::LoadTable as u8, 0, vec![0; 3])),
        ("LOAD_TABLE out of sequence", raw(Opcode::LoadTable as u8, 0, vec![64, 0, 0, 0, 1, 2])),
        ("a piece that does not exist", Request::batch(Opcode::Count, &[image(&[40], NO_KIND)])),
        ("two pawns on a file", Request::batch(Opcode::Generate, &[image(&[3, 4], PAWN)])),
        ("a dead pawn", Request::batch(Opcode::Evaluate, &[image(&[0], PAWN)])),
    ];
    let mut faults = Vec::new();
    for (name, request) in requests {
        let key = |answers: hayasashi_accel::Responses| -> Vec<_> {
            answers.into_iter().map(|a| (a.opcode, a.status, a.index, a.payload)).collect()
        };
        let (ours, theirs) = (key(chip.request(request.clone())?), key(model.request(request)?));
        if ours != theirs {
            faults.push(format!("{name}: {ours:02x?} instead of {theirs:02x?}"));
        }
    }
    Ok(faults)
}
