//! `moves`, `eval`, `count` and `expand`: answers for one position or for a file of positions.

use super::{
    args::Global,
    backend,
    positions::{self, Positions},
    session::{say, Exit, Interrupt},
};
use clap::Args;
use hayasashi_accel::{view, CoProcessor, Expansion};
use hayasashi_shogi::rules::{Color, Position};
use hayasashi_spec::{
    moves::{MoveRecord, FLAG_CHECK, FLAG_MATE},
    position::PositionImage,
};
use serde_json::{json, Value};
use std::path::PathBuf;

/// Arguments of `moves`.
#[derive(Args, Debug, Clone)]
pub struct MovesArguments {
    /// Show the probability of each move by its category, with and without phases, possibility analyser and history
    /// analyser. The history analyser uses the moves before the position (--moves).
    #[arg(long)]
    pub probabilities: bool,
    /// Use this table from `learn moves` instead of the built-in one.
    #[arg(long, value_name = "FILE", requires = "probabilities")]
    pub move_table: Option<PathBuf>,
}

/// The question about each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The legal moves.
    Moves,
    /// The static evaluation.
    Eval,
    /// The number of legal moves.
    Count,
    /// The legal moves with the scores of the positions after them.
    Expand,
}

/// Positions per request.
const CHUNK: usize = 248;

/// Prints the answer for the position, or for each position in the file, one on each line.
pub fn run(question: Question, global: &Global) -> anyhow::Result<Exit> {
    let opened = match question {
        Question::Eval | Question::Expand => {
            backend::with_evaluation(global, &backend::table(global.table.as_deref())?.into())?
        }
        _ => backend::opened(global)?,
    };
    let chip = &*opened.chip;
    let Some(file) = &global.positions else {
        let pos = positions::single(global)?.position().clone();
        for line in answers(question, chip, &[pos], global.json)? {
            say(line)?;
        }
        return Ok(Exit::Done);
    };
    let interrupt = Interrupt::install(|| {})?;
    let mut positions = Positions::open(file)?;
    loop {
        let chunk = positions.chunk(CHUNK)?;
        if chunk.is_empty() {
            return Ok(Exit::Done);
        }
        say(answers(question, chip, &chunk, global.json)?.join("\n"))?;
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
    }
}

fn answers(
    question: Question,
    chip: &dyn CoProcessor,
    positions: &[Position],
    json: bool,
) -> anyhow::Result<Vec<String>> {
    let images: Vec<PositionImage> = positions.iter().map(view::image).collect();
    let line = |pos: &Position, answer: Value, text: String| match json {
        false => text,
        true => {
            let mut object = json!({ "sfen": pos.to_sfen(), "backend": chip.name() });
            if let (Value::Object(object), Value::Object(answer)) = (&mut object, answer) {
                object.extend(answer);
            }
            object.to_string()
        }
    };
    let mut lines = Vec::new();
    match question {
        Question::Moves => {
            for (pos, result) in positions.iter().zip(chip.generate(&images)?) {
                let generated = result?;
                let moves = sorted(&chip.name(), &generated.moves, pos.side_to_move())?;
                let text = if moves.is_empty() { "-".into() } else { moves.join(" ") };
                let answer = json!({ "in_check": generated.count.in_check(), "moves": moves });
                lines.push(line(pos, answer, text));
            }
        }
        Question::Count => {
            for (pos, result) in positions.iter().zip(chip.count(&images)?) {
                let count = result?;
                let answer = json!({ "in_check": count.in_check(), "count": count.moves });
                lines.push(line(pos, answer, count.moves.to_string()));
            }
        }
        Question::Eval => {
            for (pos, result) in positions.iter().zip(chip.evaluate(&images)?) {
                let score = result?.score;
                lines.push(line(pos, json!({ "centipawns": score }), score.to_string()));
            }
        }
        Question::Expand => {
            for (pos, result) in positions.iter().zip(chip.expand(&images)?) {
                let expansion = result?;
                let moves = scored(&chip.name(), &expansion, pos.side_to_move())?;
                let text = moves.iter().map(ScoredMove::text).collect::<Vec<_>>().join(", ");
                let text = if moves.is_empty() { "-".into() } else { text };
                let moves: Vec<Value> = moves.iter().map(ScoredMove::json).collect();
                lines.push(line(pos, json!({ "in_check": expansion.count.in_check(), "moves": moves }), text));
            }
        }
    }
    Ok(lines)
}

/// A move, and the static evaluation of the position after it.
struct ScoredMove {
    usi: String,
    /// For the side that makes the move.
    centipawns: i32,
    checks: bool,
    mates: bool,
}

impl ScoredMove {
    fn text(&self) -> String {
        let flag = match self {
            ScoredMove { mates: true, .. } => " mate",
            ScoredMove { checks: true, .. } => " check",
            _ => "",
        };
        format!("{} {}{flag}", self.usi, self.centipawns)
    }

    fn json(&self) -> Value {
        json!({ "move": self.usi, "centipawns": self.centipawns, "check": self.checks, "mate": self.mates })
    }
}

/// The moves of an expansion, the best first.
fn scored(target: &str, expansion: &Expansion, mover: Color) -> anyhow::Result<Vec<ScoredMove>> {
    let moves = view::to_moves(target, &expansion.moves, mover)?;
    let records = expansion.moves.iter().zip(&expansion.scores);
    let mut scored: Vec<ScoredMove> = moves
        .iter()
        .zip(records)
        .map(|(mv, (record, &score))| ScoredMove {
            usi: mv.to_usi(),
            centipawns: -(score as i32),
            checks: record.flags & FLAG_CHECK != 0,
            mates: record.flags & FLAG_MATE != 0,
        })
        .collect();
    scored.sort_by(|a, b| (b.mates, b.centipawns, &a.usi).cmp(&(a.mates, a.centipawns, &b.usi)));
    Ok(scored)
}

/// The moves that the chip `target` has listed, in USI notation, sorted.
fn sorted(target: &str, records: &[MoveRecord], mover: Color) -> anyhow::Result<Vec<String>> {
    let mut moves: Vec<String> = view::to_moves(target, records, mover)?.iter().map(|mv| mv.to_usi()).collect();
    moves.sort();
    Ok(moves)
}
