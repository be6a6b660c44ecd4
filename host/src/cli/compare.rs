//! Two back ends asked the same: where the answers differ, byte by byte.

use crate::{
    accel::{Answer, Answers, CoProcessor, Counted, Evaluated, Generated, Parse, Request},
    rules::Position,
    search::view,
};
use hayasashi_spec::{
    moves::MoveRecord,
    opcode::{Opcode, Status},
    position::PositionImage,
};
use serde_json::json;

/// Two answers to one position.
pub struct Difference {
    /// What was asked.
    pub opcode: Opcode,
    /// The position.
    pub position: Position,
    /// Who answered what.
    pub answers: [(String, Answer); 2],
}

/// Asks both back ends about each position; the differences in order.
pub fn positions(
    one: &dyn CoProcessor,
    other: &dyn CoProcessor,
    opcode: Opcode,
    positions: &[Position],
) -> anyhow::Result<Vec<Difference>> {
    let images: Vec<PositionImage> = positions.iter().map(view::image).collect();
    let size = one.max_batch().min(other.max_batch()).max(1);
    let ask = |chip: &dyn CoProcessor| -> Vec<_> {
        images.chunks(size).map(|batch| chip.submit(Request::batch(opcode, batch))).collect()
    };
    let mut differences = Vec::new();
    let (left, right) = (ask(one), ask(other));
    let mut at = 0;
    for ((left, right), batch) in left.into_iter().zip(right).zip(images.chunks(size)) {
        let (left, right): (Answers, Answers) = (left.wait()?, right.wait()?);
        for index in 0..batch.len() {
            // A request refused as a whole is answered once.
            let of = |answers: &Answers| answers.get(index).or(answers.last()).cloned();
            let (Some(a), Some(b)) = (of(&left), of(&right)) else { continue };
            if (a.status, &a.payload) != (b.status, &b.payload) {
                differences.push(Difference {
                    opcode,
                    position: positions[at + index].clone(),
                    answers: [(one.name(), a), (other.name(), b)],
                });
            }
        }
        at += batch.len();
    }
    Ok(differences)
}

impl Difference {
    /// The difference in lines for people, or as one JSON object.
    pub fn show(&self, json: bool) -> String {
        let sfen = self.position.to_sfen();
        let first = self.first_move();
        if json {
            let answers = self.answers.each_ref().map(|(name, a)| json!({ "backend": name, "answer": self.words(a) }));
            return json!({
                "request": self.opcode.name(), "sfen": sfen, "answers": answers, "first_difference": first,
            })
            .to_string();
        }
        let mut text = format!("{} differs\n  sfen  {sfen}", self.opcode.name());
        for (name, answer) in &self.answers {
            text.push_str(&format!("\n  {name:5} {}", self.words(answer)));
        }
        if let Some(first) = first {
            text.push_str(&format!("\n  first difference: {first}"));
        }
        text
    }

    fn words(&self, answer: &Answer) -> String {
        let status = Status::from_code(answer.status);
        let payload = &answer.payload;
        let unreadable = |e: String| format!("unreadable ({e}): {payload:02x?}");
        match (status, self.opcode) {
            (Some(Status::Ok), Opcode::Generate) => Generated::parse(payload).map_or_else(unreadable, |g| {
                let moves: Vec<String> = g.moves.iter().map(|r| self.usi(r)).collect();
                format!("{} moves, flags {:#x}: {}", g.count.moves, g.count.flags, moves.join(" "))
            }),
            (Some(Status::Ok), Opcode::Count) => {
                Counted::parse(payload).map_or_else(unreadable, |c| format!("{} moves, flags {:#x}", c.moves, c.flags))
            }
            (Some(Status::Ok), Opcode::Evaluate) => {
                Evaluated::parse(payload).map_or_else(unreadable, |e| format!("{} centipawns", e.score))
            }
            (Some(status), _) => format!("{} {payload:02x?}", status.name()),
            (None, _) => format!("status 0x{:02X} {payload:02x?}", answer.status),
        }
    }

    fn usi(&self, record: &MoveRecord) -> String {
        let in_range = record.mv.to() < 81 && record.mv.from() < 88 && record.mv.0 >> 15 == 0;
        match in_range {
            true => view::to_move(record.mv, self.position.side_to_move()).to_usi(),
            false => format!("0x{:04x}", record.mv.0),
        }
    }

    /// The first move at which two lists part.
    fn first_move(&self) -> Option<String> {
        if self.opcode != Opcode::Generate {
            return None;
        }
        let [a, b] = self.answers.each_ref().map(|(_, a)| Generated::parse(&a.payload).ok());
        let (a, b) = (a?.moves, b?.moves);
        let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
        let word = |r: Option<&MoveRecord>| {
            r.map_or("none".into(), |r| format!("{} flags {:#04x} kinds {:#04x}", self.usi(r), r.flags, r.kinds))
        };
        Some(format!("move {}: {} against {}", at + 1, word(a.get(at)), word(b.get(at))))
    }
}
