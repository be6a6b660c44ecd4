//! Back ends asked the same: where the answers differ, byte by byte.

use crate::{view, AccelError, CoProcessor, Counted, Evaluated, Generated, Parse, Request, Response, Responses};
use hayasashi_shogi::rules::Position;
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
    pub answers: [(String, Response); 2],
}

/// Asks two or more back ends about each position, all at the same time: the differences of each to the first, in order
/// of the positions.
pub fn positions(
    chips: &[&dyn CoProcessor],
    opcode: Opcode,
    positions: &[Position],
) -> Result<Vec<Difference>, AccelError> {
    let images: Vec<PositionImage> = positions.iter().map(view::image).collect();
    let size = chips.iter().map(|chip| chip.max_batch()).min().unwrap_or(1).max(1);
    let mut tickets: Vec<_> = chips
        .iter()
        .map(|chip| {
            let batches = images.chunks(size).map(|batch| chip.submit(Request::batch(opcode, batch)));
            batches.collect::<Vec<_>>().into_iter()
        })
        .collect();
    let mut differences = Vec::new();
    for batch in positions.chunks(size) {
        let answers = tickets
            .iter_mut()
            .map(|of_chip| of_chip.next().expect("a ticket for each batch").wait())
            .collect::<Result<Vec<Responses>, _>>()?;
        for (index, position) in batch.iter().enumerate() {
            // A request refused as a whole is answered once.
            let of = |answers: &Responses| answers.get(index).or(answers.last()).cloned();
            let mut answers = chips.iter().zip(&answers).filter_map(|(chip, a)| Some((chip.name(), of(a)?)));
            let Some(first) = answers.next() else { continue };
            for other in answers {
                if (first.1.status, &first.1.payload) != (other.1.status, &other.1.payload) {
                    let answers = [first.clone(), other];
                    differences.push(Difference { opcode, position: position.clone(), answers });
                }
            }
        }
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

    fn words(&self, answer: &Response) -> String {
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
