//! Moves and static evaluations from a co-processor, with what hides the latency of its link.
//!
//! If the chip is the software model, the search uses the engine's own rules instead
//! ([`super::board::NativeBoard`]): they give the same moves and scores faster. On any other back end the results are
//! cached, and those that the search will probably need next are requested in one batch. A chip without an evaluator
//! generates moves only, and the model evaluates. A chip that only counts moves receives no requests. The results are
//! the same in all cases, so a search at fixed nodes or depth is the same on every back end.

use super::{game_path::GamePath, move_order::Ranked};
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

/// Most entries of each cache; a full cache is emptied.
const CACHE_CAPACITY: usize = 100_000;
/// Children evaluated in one batch: few while a cut-off is likely, then many.
const PREFETCH_CHUNKS: [usize; 3] = [2, 6, LAST_CHUNK];
const LAST_CHUNK: usize = 31;

/// Legal moves and static evaluations.
pub struct MoveSource {
    chip: Arc<dyn CoProcessor>,
    /// The table for the model's evaluator; `None` where the chip evaluates.
    table: Option<Arc<model::evaluate::EvalTable>>,
    /// Buffer for the model's move generator; `None` where the chip generates moves.
    scratch: Option<Vec<MoveRecord>>,
    scores: HashMap<PositionImage, i16>,
    moves: HashMap<PositionImage, Box<[MoveRecord]>>,
}

impl MoveSource {
    /// Uses a co-processor that has an evaluation table loaded.
    pub fn new(chip: Arc<dyn CoProcessor>) -> MoveSource {
        MoveSource { chip, table: None, scratch: None, scores: HashMap::new(), moves: HashMap::new() }
    }

    /// Calls the functions of the software model with this table and sends no requests to `chip`, which is a software
    /// model with the same table or a chip that neither generates moves nor evaluates.
    pub fn direct(chip: Arc<dyn CoProcessor>, table: Arc<model::evaluate::EvalTable>) -> MoveSource {
        MoveSource { table: Some(table), scratch: Some(Vec::new()), ..MoveSource::new(chip) }
    }

    /// Uses a co-processor according to its capabilities, after loading the table if it has another one.
    ///
    /// # Errors
    /// The chip does not reply, or refuses the table.
    pub fn open(chip: Arc<dyn CoProcessor>, table: &Arc<model::evaluate::EvalTable>) -> Result<MoveSource, AccelError> {
        let capabilities = chip.info()?.capabilities;
        if capabilities & CAP_MOVEGEN == 0 {
            return Ok(MoveSource::direct(chip, table.clone()));
        }
        if capabilities & CAP_EVALUATE == 0 {
            return Ok(MoveSource { table: Some(table.clone()), ..MoveSource::new(chip) });
        }
        load_table(&*chip, table)?;
        Ok(match chip.direct() {
            Some(Direct::Model) => MoveSource::direct(chip, table.clone()),
            _ => MoveSource::new(chip),
        })
    }

    /// The co-processor.
    pub fn chip(&self) -> &Arc<dyn CoProcessor> {
        &self.chip
    }

    /// Another source with the same co-processor, for another thread.
    pub fn sibling(&self) -> MoveSource {
        let scratch = self.scratch.as_ref().map(|_| Vec::new());
        MoveSource { table: self.table.clone(), scratch, ..MoveSource::new(self.chip.clone()) }
    }

    /// The evaluation table; `None` where the chip evaluates.
    pub fn table(&self) -> Option<&Arc<model::evaluate::EvalTable>> {
        self.table.as_ref()
    }

    /// Whether results come from the software model, without a link.
    pub fn is_direct(&self) -> bool {
        self.scratch.is_some()
    }

    /// Appends the legal moves in canonical order.
    ///
    /// # Errors
    /// The chip failed.
    pub fn generate(&mut self, pos: &Position, moves: &mut Vec<MoveRecord>) -> Result<(), AccelError> {
        let image = view::image(pos);
        if let Some(scratch) = &mut self.scratch {
            scratch.clear();
            model::movegen::generate(&model::position::Position::from(&image), scratch);
            moves.extend_from_slice(scratch);
            return Ok(());
        }
        if !self.moves.contains_key(&image) {
            self.fetch_moves(&[image])?;
        }
        moves.extend(self.moves.get(&image).into_iter().flat_map(|m| m.iter()));
        Ok(())
    }

    /// The static evaluation in centipawns for the mover.
    ///
    /// # Errors
    /// The chip failed.
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

    /// Calls `each` with every legal move.
    ///
    /// # Errors
    /// The chip failed.
    pub fn for_each_legal(&mut self, pos: &Position, each: &mut dyn FnMut(Move)) -> Result<(), AccelError> {
        let mut moves = Vec::new();
        self.generate(pos, &mut moves)?;
        moves.iter().for_each(|record| each(view::to_move(record.mv, pos.side_to_move())));
        Ok(())
    }

    /// Prepares for the child number `index`; `rest` holds it and the later children, unsorted. At the start of a
    /// chunk it evaluates the children of the chunk, except those in check, in one batch.
    ///
    /// # Errors
    /// The chip failed.
    pub fn look_ahead(&mut self, pos: &mut GamePath, rest: &[Ranked], index: usize) -> Result<(), AccelError> {
        let mut begin = 0;
        let mut chunks = PREFETCH_CHUNKS.into_iter().chain(std::iter::repeat(LAST_CHUNK));
        let mut chunk = chunks.next().unwrap_or(LAST_CHUNK);
        while begin < index {
            begin += chunk;
            chunk = chunks.next().unwrap_or(LAST_CHUNK);
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

    fn fetch_moves(&mut self, images: &[PositionImage]) -> Result<(), AccelError> {
        if images.is_empty() {
            return Ok(());
        }
        if self.moves.len() + images.len() > CACHE_CAPACITY {
            self.moves.clear();
        }
        let results = self.chip.generate(images)?;
        for (image, result) in images.iter().zip(results) {
            let generated = result.map_err(|e| self.refused_legal(Opcode::Generate, e))?;
            self.moves.insert(*image, generated.moves.into());
        }
        Ok(())
    }

    fn fetch_scores(&mut self, images: &[PositionImage]) -> Result<(), AccelError> {
        if images.is_empty() {
            return Ok(());
        }
        if self.scores.len() + images.len() > CACHE_CAPACITY {
            self.scores.clear();
        }
        let results = self.chip.evaluate(images)?;
        for (image, result) in images.iter().zip(results) {
            let evaluated = result.map_err(|e| self.refused_legal(Opcode::Evaluate, e))?;
            self.scores.insert(*image, evaluated.score);
        }
        Ok(())
    }

    /// The chip refused a legal position, which is a fault of the chip.
    fn refused_legal(&self, opcode: Opcode, error: PositionError) -> AccelError {
        AccelError::Malformed { target: self.chip.name(), opcode: opcode as u8, reason: error.to_string() }
    }
}

fn children(pos: &mut GamePath, moves: impl Iterator<Item = Move>) -> Vec<PositionImage> {
    let child = |mv| {
        pos.do_move(mv);
        let image = view::image(pos);
        pos.undo_move();
        image
    };
    moves.map(child).collect()
}
