//! Where the search has moves and scores from: a co-processor, with what hides the latency of a link.
//!
//! Where the chip is the software model, the search plays by the engine's own rules instead ([`super::board::NativeBoard`]), which
//! give the same moves and scores faster; the mate search calls the model. On any other back end answers are kept, and those that
//! will probably be wanted next are asked for together. A chip without an evaluator gives the moves only; the scores are
//! then the model's. A chip that only counts moves is not asked. None of this changes an answer, so that a search at fixed nodes or depth is the same search on
//! every back end.

use super::{
    order::{Ranked, Scored},
    path::Path,
};
use hayasashi_accel::{load_table, view, AccelError, CoProcessor, Direct, PositionError};
use hayasashi_model as model;
use hayasashi_shogi::rules::{Move, Position};
use hayasashi_spec::{
    moves::MoveRecord,
    opcode::Opcode,
    position::PositionImage,
    registers::{CAP_EVALUATE, CAP_MOVEGEN},
};
use std::{collections::HashMap, sync::Arc};

/// Positions whose scores are kept, and positions whose moves are kept; beyond that all are forgotten.
const KEPT: usize = 100_000;
/// Children asked for together: few while a cut-off is likely, then many.
const CHUNKS: [usize; 3] = [2, 6, 31];

/// Legal moves and static evaluations.
pub struct Source {
    chip: Arc<dyn CoProcessor>,
    /// The model's evaluator, where the chip is not asked for scores.
    table: Option<Arc<model::evaluate::EvalTable>>,
    /// The model's move generator's output, where the chip is not asked for moves.
    scratch: Option<Vec<MoveRecord>>,
    scores: HashMap<PositionImage, i16>,
    moves: HashMap<PositionImage, Box<[MoveRecord]>>,
}

impl Source {
    /// Asks a co-processor that has an evaluation table loaded.
    pub fn new(chip: Arc<dyn CoProcessor>) -> Source {
        Source { chip, table: None, scratch: None, scores: HashMap::new(), moves: HashMap::new() }
    }

    /// Calls the software model's functions with this table instead of sending requests to `chip`: a software model with the
    /// same table, or a chip that has neither moves nor scores.
    pub fn direct(chip: Arc<dyn CoProcessor>, table: Arc<model::evaluate::EvalTable>) -> Source {
        Source { table: Some(table), scratch: Some(Vec::new()), ..Source::new(chip) }
    }

    /// Asks a co-processor in the best way there is for it, after loading the table where it has another one.
    pub fn open(chip: Arc<dyn CoProcessor>, table: &Arc<model::evaluate::EvalTable>) -> Result<Source, AccelError> {
        let capabilities = chip.info()?.capabilities;
        if capabilities & CAP_MOVEGEN == 0 {
            return Ok(Source::direct(chip, table.clone()));
        }
        if capabilities & CAP_EVALUATE == 0 {
            return Ok(Source { table: Some(table.clone()), ..Source::new(chip) });
        }
        load_table(&*chip, table)?;
        Ok(match chip.direct() {
            Some(Direct::Model) => Source::direct(chip, table.clone()),
            _ => Source::new(chip),
        })
    }

    /// The co-processor.
    pub fn chip(&self) -> &Arc<dyn CoProcessor> {
        &self.chip
    }

    /// Another one that asks the same co-processor, for another thread.
    pub fn sibling(&self) -> Source {
        let scratch = self.scratch.as_ref().map(|_| Vec::new());
        Source { table: self.table.clone(), scratch, ..Source::new(self.chip.clone()) }
    }

    /// The evaluation table, where the chip is not asked for scores.
    pub fn table(&self) -> Option<&Arc<model::evaluate::EvalTable>> {
        self.table.as_ref()
    }

    /// Whether answers come without a link in between.
    pub fn is_direct(&self) -> bool {
        self.scratch.is_some()
    }

    /// Appends the legal moves in canonical order, unranked.
    pub fn generate(&mut self, pos: &Position, moves: &mut Vec<Scored>) -> Result<(), AccelError> {
        let image = view::image(pos);
        let unranked = |record: &MoveRecord| Scored { rank: 0, record: *record };
        if let Some(scratch) = &mut self.scratch {
            scratch.clear();
            model::movegen::generate(&model::position::Position::from(&image), scratch);
            moves.extend(scratch.iter().map(unranked));
            return Ok(());
        }
        if !self.moves.contains_key(&image) {
            self.fetch_moves(&[image])?;
        }
        moves.extend(self.moves.get(&image).into_iter().flat_map(|m| m.iter()).map(unranked));
        Ok(())
    }

    /// The static evaluation in centipawns for the mover.
    pub fn evaluate(&mut self, pos: &Position) -> Result<i32, AccelError> {
        let image = view::image(pos);
        if let Some(table) = &self.table {
            return Ok(table.score(&model::position::Position::from(&image)) as i32);
        }
        if !self.scores.contains_key(&image) {
            self.fetch_scores(&[image])?;
        }
        Ok(self.scores[&image] as i32)
    }

    /// Hands each legal move to `take`.
    pub fn legal(&mut self, pos: &Position, take: &mut dyn FnMut(Move)) -> Result<(), AccelError> {
        let mut moves = Vec::new();
        self.generate(pos, &mut moves)?;
        moves.iter().for_each(|s| take(view::to_move(s.record.mv, pos.side_to_move())));
        Ok(())
    }

    /// The search is about to take the child `index` of a list of which `rest`, not sorted, is left: where a new
    /// chunk of children begins, asks for the scores of those that will come first, as far as they are not in check.
    pub fn look_ahead(&mut self, pos: &mut Path, rest: &[Ranked], index: usize) -> Result<(), AccelError> {
        let mut begin = 0;
        let mut chunks = CHUNKS.into_iter().chain(std::iter::repeat(31));
        let mut chunk = chunks.next().unwrap_or(31);
        while begin < index {
            begin += chunk;
            chunk = chunks.next().unwrap_or(31);
        }
        if begin != index || self.table.is_some() {
            return Ok(());
        }
        let mut next = rest.to_vec();
        next.sort_by_key(|&ranked| std::cmp::Reverse(ranked));
        next.truncate(chunk);
        let moves: Vec<Move> = next.into_iter().map(Ranked::mv).filter(|&mv| !pos.gives_check(mv)).collect();
        let mut images = children(pos, moves.into_iter());
        images.retain(|i| !self.scores.contains_key(i));
        self.fetch_scores(&images)
    }

    /// Asks for the moves of all children together.
    pub fn fetch_children(&mut self, pos: &mut Path, moves: &[Scored]) -> Result<(), AccelError> {
        if self.is_direct() || moves.len() < 2 {
            return Ok(());
        }
        let mover = pos.side_to_move();
        let mut images = children(pos, moves.iter().map(|s| view::to_move(s.record.mv, mover)));
        images.retain(|i| !self.moves.contains_key(i));
        self.fetch_moves(&images)
    }

    fn fetch_moves(&mut self, images: &[PositionImage]) -> Result<(), AccelError> {
        if images.is_empty() {
            return Ok(());
        }
        if self.moves.len() + images.len() > KEPT {
            self.moves.clear();
        }
        let results = self.chip.generate(images)?;
        for (image, result) in images.iter().zip(results) {
            let generated = result.map_err(|e| self.impossible(Opcode::Generate, e))?;
            self.moves.insert(*image, generated.moves.into());
        }
        Ok(())
    }

    fn fetch_scores(&mut self, images: &[PositionImage]) -> Result<(), AccelError> {
        if images.is_empty() {
            return Ok(());
        }
        if self.scores.len() + images.len() > KEPT {
            self.scores.clear();
        }
        let results = self.chip.evaluate(images)?;
        for (image, result) in images.iter().zip(results) {
            let evaluated = result.map_err(|e| self.impossible(Opcode::Evaluate, e))?;
            self.scores.insert(*image, evaluated.score);
        }
        Ok(())
    }

    /// A legal position that the chip refuses: the chip is to blame.
    fn impossible(&self, opcode: Opcode, error: PositionError) -> AccelError {
        AccelError::Malformed { target: self.chip.name(), opcode: opcode as u8, reason: error.to_string() }
    }
}

fn children(pos: &mut Path, moves: impl Iterator<Item = Move>) -> Vec<PositionImage> {
    let child = |mv| {
        pos.do_move(mv);
        let image = view::image(pos);
        pos.undo_move();
        image
    };
    moves.map(child).collect()
}
