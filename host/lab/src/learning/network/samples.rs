//! Positions to learn from: quiet ones with a score, a result, or both.

use crate::learning::{
    objective::{blended, sigmoid, with_later},
    LearnError,
};
use hayasashi_engine::{network::View, search::accumulator::Accumulator, search::accumulator::Weights};
use hayasashi_shogi::{
    records::{self, GameResult, RecordFault},
    rules::{Move, Position},
    scored::{Format, Reader, ScoredError},
};
use std::{fs::File, io::BufReader, ops::ControlFlow, path::PathBuf};

/// The usual size of a block.
pub const BLOCK: usize = 1 << 16;
/// Positions in a row, mostly of the same games, that are held out together.
const RUN: u64 = 4096;
/// Positions with larger absolute scores are decided, and left out.
const MOST_SCORE: i16 = 3000;
/// Plies at the beginning of a recorded game that are left out.
const OPENING_PLIES: usize = 8;

/// Many positions in few lists.
#[derive(Clone, Default, Debug)]
pub struct Samples {
    /// The features of the mover's view and of the other one, for all positions one after the other.
    features: Vec<u16>,
    /// Where the features of each view end.
    ends: Vec<[u32; 2]>,
    /// The table's score for the mover, in centipawns.
    pub base: Vec<f32>,
    /// The mover's chance that the score is to predict.
    pub target: Vec<f32>,
    /// The mover's points at the end of the game, where they are known and it is no draw.
    pub won: Vec<Option<bool>>,
}

impl Samples {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of the mover's view and of the other one.
    #[inline]
    pub fn views(&self, at: usize) -> [&[u16]; 2] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before][1] as usize);
        let [own, other] = self.ends[at].map(|end| end as usize);
        [&self.features[start..own], &self.features[own..other]]
    }

    fn push(&mut self, weights: &Weights, pos: &Position, target: f32, won: Option<bool>) {
        let mover = pos.side_to_move();
        let ends = [mover, mover.opponent()].map(|color| {
            View::of(pos, color).features(pos, |feature| self.features.push(feature as u16));
            self.features.len() as u32
        });
        self.ends.push(ends);
        self.base.push(Accumulator::new(weights, pos).score(weights, mover) as f32);
        self.target.push(target);
        self.won.push(won);
    }

    fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
        self.base.clear();
        self.target.clear();
        self.won.clear();
    }
}

/// Where the positions are, and what becomes of them.
pub struct Source {
    /// Files of scored positions (`.bin`, `.hcpe`, `.tsv`), and records of games with scores.
    pub files: Vec<PathBuf>,
    /// Score in centipawns that multiplies the odds of a win by e.
    pub scale: f32,
    /// Weight of the result in the target; the rest is the scores'.
    pub blend: f32,
    /// Weight of the later scores of a recorded game against a position's own, by which they count less from ply to ply.
    pub lambda: f32,
    /// Percentage of the positions that are held out.
    pub held_out: f32,
    /// Positions of a block, which are shuffled together: [`BLOCK`], or fewer for tests.
    pub block: usize,
}

/// What a reading has found.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Positions read.
    pub read: u64,
    /// Of these, those used: quiet, undecided, with a score or a result.
    pub used: u64,
}

impl Source {
    /// Reads all positions and calls `each` with one block of those to learn from after the other, or of those held out. It may end
    /// the reading. `on_fault` is told what cannot be read.
    ///
    /// # Errors
    /// A file that cannot be opened or read.
    pub fn blocks(
        &self,
        weights: &Weights,
        held_out: bool,
        on_fault: &mut dyn FnMut(String),
        each: &mut dyn FnMut(&Samples) -> Result<ControlFlow<()>, LearnError>,
    ) -> Result<Counts, LearnError> {
        let mut block = Samples::default();
        let mut counts = Counts::default();
        let mut ended = false;
        let mut failure = None;
        for file in &self.files {
            let mut take = |pos: &Position, mv: Option<Move>, label: Label| {
                let run = counts.read / RUN;
                counts.read += 1;
                if self.is_held_out(run) != held_out || ended {
                    return ended;
                }
                let Some((target, won)) = self.target(pos, mv, label) else { return false };
                counts.used += 1;
                block.push(weights, pos, target, won);
                if block.len() == self.block {
                    match each(&block) {
                        Ok(flow) => ended = flow.is_break(),
                        Err(error) => (ended, failure) = (true, Some(error)),
                    }
                    block.clear();
                }
                ended
            };
            match Format::of(file) {
                Some(format) => self.read_scored(file, format, on_fault, &mut take)?,
                None => self.read_records(file, on_fault, &mut take)?,
            }
            if ended {
                break;
            }
        }
        if !ended && !block.is_empty() {
            failure = each(&block).err();
        }
        failure.map_or(Ok(counts), Err)
    }

    /// Whether a run of positions is held out: of any hundred runs in a row, so many in even steps.
    fn is_held_out(&self, run: u64) -> bool {
        let share = self.held_out as f64 / 100.0;
        ((run + 1) as f64 * share).floor() > (run as f64 * share).floor()
    }

    /// The target of a position for its mover, and whether the mover won; `None` if it is left out.
    fn target(&self, pos: &Position, mv: Option<Move>, label: Label) -> Option<(f32, Option<bool>)> {
        let decided = label.score.is_some_and(|score| score.unsigned_abs() > MOST_SCORE as u16);
        if decided || mv.is_some_and(|mv| pos.is_forcing(mv)) || pos.in_check() {
            return None;
        }
        let points = label.result.map(|result| result.points(pos.side_to_move()));
        let target = blended(points, label.chance, self.blend)?;
        Some((target, points.filter(|&points| points != 0.5).map(|points| points == 1.0)))
    }

    /// The mover's chance by a score.
    fn chance(&self, score: f32) -> f32 {
        sigmoid(score / self.scale)
    }

    fn read_scored(
        &self,
        file: &PathBuf,
        format: Format,
        on_fault: &mut dyn FnMut(String),
        take: Take,
    ) -> Result<(), LearnError> {
        let failed = |reason| LearnError::File { verb: "read", file: file.clone(), reason };
        let mut reader = Reader::new(BufReader::with_capacity(1 << 20, File::open(file).map_err(failed)?), format);
        while let Some(record) = reader.next() {
            match record {
                Ok(record) => {
                    let chance = Some(self.chance(record.score as f32));
                    let label = Label { score: Some(record.score), chance, result: Some(record.result) };
                    if take(&record.position, record.best, label) {
                        break;
                    }
                }
                Err(ScoredError::Stream { reason, .. }) => return Err(failed(reason)),
                Err(error) => on_fault(format!("{}: {error}", file.display())),
            }
        }
        Ok(())
    }

    fn read_records(&self, file: &PathBuf, on_fault: &mut dyn FnMut(String), take: Take) -> Result<(), LearnError> {
        let mut on_game = |game: Result<records::RecordedGame, RecordFault>| {
            let game = match game {
                Ok(game) => game,
                Err(fault) => {
                    on_fault(fault.to_string());
                    return ControlFlow::Continue(());
                }
            };
            let chances = with_later(&game.scores, &|score| self.chance(score), self.lambda);
            let mut positions = game.positions();
            while let Some((pos, mv, ply)) = positions.next() {
                let score = game.scores.get(ply).copied().flatten();
                let chance = chances.get(ply).copied().flatten();
                // Without a score the position may be one after a random move.
                let scored = score.is_some() || game.scores.is_empty();
                let label = Label { score, chance, result: game.result };
                if ply >= OPENING_PLIES && scored && take(pos, Some(mv), label) {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        records::for_each(std::slice::from_ref(file), &mut |_| {}, &mut on_game)?;
        Ok(())
    }
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Label {
    /// Its score for the mover.
    score: Option<i16>,
    /// The mover's chance by this score, and by later ones of the game.
    chance: Option<f32>,
    /// The result of its game.
    result: Option<GameResult>,
}

/// Takes a position, its move and what is known of it; whether the reading ends.
type Take<'a> = &'a mut dyn FnMut(&Position, Option<Move>, Label) -> bool;
