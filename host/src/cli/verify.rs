//! `verify`: two back ends, byte by byte.

use super::{
    args::{Global, VerifyArguments},
    backend,
    positions::{self, Line},
    session::{progress, say, Exit, Interrupt},
};
use crate::accel::{Answer, CoProcessor, Request};
use crate::rules::{Color, Position};
use crate::search::view;
use anyhow::Context;
use hayasashi_spec::{moves::MoveRecord, opcode::*, position::PositionImage};
use serde_json::json;

const REQUESTS: [Opcode; 3] = [Opcode::Generate, Opcode::Count, Opcode::Evaluate];

/// Runs the command.
pub fn run(global: &Global, arguments: &VerifyArguments, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let file = global
        .positions
        .as_deref()
        .context("verify needs --positions FILE: one SFEN on each line, - for standard input")?;
    let lines = positions::read(file)?;
    let table = backend::table(global.table.as_deref())?;
    let (first, note) = backend::open(&global.backend, &table)?;
    let (second, other_note) = backend::open(&arguments.against, &table)?;
    eprintln!("{note}\n{other_note}");
    backend::load(&*first, &table)?;
    backend::load(&*second, &table)?;

    let bar = progress(lines.len() as u64, "positions", global.quiet || global.json);
    let (mut compared, mut differences) = (0, 0);
    let batch = first.max_batch().min(second.max_batch());
    for group in lines.chunks(4 * batch) {
        if interrupt.is_set() {
            break;
        }
        differences += compare(&*first, &*second, group, batch, &mut |difference| {
            if differences_shown(&mut compared, arguments.show) {
                bar.suspend(|| show(difference, &first.name(), &second.name(), global.json))?;
            }
            Ok(())
        })?;
        bar.inc(group.len() as u64);
    }
    let done = bar.position();
    bar.finish_and_clear();
    if global.json {
        say(json!({"positions": done, "differences": differences, "interrupted": interrupt.is_set()}))?;
    } else {
        say(format!("positions: {done}, differences: {differences}"))?;
    }
    Ok(match (differences, interrupt.is_set()) {
        (_, true) => Exit::Interrupted,
        (0, _) => Exit::Done,
        _ => Exit::Differs,
    })
}

/// Whether one more difference is to be shown.
fn differences_shown(shown: &mut usize, most: usize) -> bool {
    *shown += 1;
    *shown <= most
}

/// A position on which two back ends answer differently.
struct Difference<'a> {
    line: &'a Line,
    opcode: Opcode,
    answers: [Option<Answer>; 2],
}

/// Compares a group of positions; returns how many differ.
fn compare(
    first: &dyn CoProcessor,
    second: &dyn CoProcessor,
    group: &[Line],
    batch: usize,
    each: &mut dyn FnMut(Difference) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    // All requests are under way before the first answer is awaited.
    let submitted: Vec<_> = group
        .chunks(batch)
        .map(|lines| {
            let images: Vec<PositionImage> = lines.iter().map(|l| view::image(&l.position)).collect();
            let tickets = REQUESTS.map(|opcode| {
                let request = Request::batch(opcode, &images);
                (opcode, first.submit(request.clone()), second.submit(request))
            });
            (lines, tickets)
        })
        .collect();
    let mut differing = 0;
    for (lines, tickets) in submitted {
        let mut differs = vec![false; lines.len()];
        for (opcode, a, b) in tickets {
            let (a, b) = (a.wait()?, b.wait()?);
            for (i, line) in lines.iter().enumerate() {
                let (a, b) = (a.get(i), b.get(i));
                if a != b && !std::mem::replace(&mut differs[i], true) {
                    each(Difference { line, opcode, answers: [a.cloned(), b.cloned()] })?;
                }
            }
        }
        differing += differs.iter().filter(|&&d| d).count() as u64;
    }
    Ok(differing)
}

fn show(difference: Difference, first: &str, second: &str, as_json: bool) -> anyhow::Result<()> {
    let Difference { line, opcode, answers } = difference;
    let mover = line.position.side_to_move();
    let [a, b] = answers.each_ref().map(|answer| describe(answer.as_ref(), opcode, mover));
    if as_json {
        return say(json!({"line": line.number, "sfen": line.sfen, "request": opcode.name(), first: a, second: b}));
    }
    say(format!("line {}: {}\n  {}\n  {first}: {a}\n  {second}: {b}", line.number, line.sfen, opcode.name()))?;
    if let [Some(a), Some(b)] = &answers {
        if let Some(at) = first_move(a, b).filter(|_| opcode == Opcode::Generate) {
            let moves = [a, b].map(|answer| move_at(answer, at, &line.position));
            say(format!("  first difference at move {at}: {first} {}, {second} {}", moves[0], moves[1]))?;
        }
    }
    Ok(())
}

/// An answer in words.
pub fn describe(answer: Option<&Answer>, opcode: Opcode, mover: Color) -> String {
    let Some(answer) = answer else { return "no answer".into() };
    if answer.status != Status::Ok as u8 {
        let name = Status::from_code(answer.status).map_or("unknown status", Status::name);
        return format!("{name} {:02x?}", answer.payload);
    }
    match (opcode, answer.payload.as_slice()) {
        (Opcode::Evaluate, [a, b, ..]) => format!("score {}", i16::from_le_bytes([*a, *b])),
        (_, [a, b, c, d, rest @ ..]) => {
            let records = rest.chunks_exact(4).map(bytemuck::pod_read_unaligned::<MoveRecord>);
            let moves: Vec<String> = records.map(|r| view::to_move(r.mv, mover).to_usi()).collect();
            let result = u16::from_le_bytes([*c, *d]);
            format!("{} moves, result bits {result:#b} {}", u16::from_le_bytes([*a, *b]), moves.join(" "))
        }
        (_, short) => format!("{short:02x?}"),
    }
}

fn first_move(a: &Answer, b: &Answer) -> Option<usize> {
    let records = |answer: &Answer| answer.payload.get(RESULT_BYTES..).unwrap_or_default().to_vec();
    let (a, b) = (records(a), records(b));
    let same = a.chunks(4).zip(b.chunks(4)).take_while(|(a, b)| a == b).count();
    (4 * same < a.len().max(b.len())).then_some(same)
}

fn move_at(answer: &Answer, at: usize, position: &Position) -> String {
    let from = RESULT_BYTES + 4 * at;
    answer.payload.get(from..from + 4).map_or("none".into(), |bytes| {
        let record: MoveRecord = bytemuck::pod_read_unaligned(bytes);
        let usi = view::to_move(record.mv, position.side_to_move()).to_usi();
        format!("{usi} (flags {:#06b}, kinds {:#04x})", record.flags, record.kinds)
    })
}
