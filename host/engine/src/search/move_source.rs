//! Moves and static evaluations from a co-processor, with what hides the latency of its link.
//!
//! If the chip is the software model, the search uses the engine's own rules instead
//! ([`super::board::NativeBoard`]): they give the same moves and scores faster. On any other back end the results are
//! cached, and those that the search will probably need next are requested in one batch. A chip without an evaluator
//! generates moves only, and the model evaluates. A chip that only counts moves receives no requests; one that only
//! searches receives searches only. The results are the same in all cases, so a search at fixed nodes or depth is the same on
//! every back end.
//!
//! The chip may fail at any time: then the model answers, which gives the same results. So a source always answers. It does
//! not wait longer than the search can ([`Patience`]); the chip is asked again when it has answered what it owes. A chip that
//! refuses a legal position or lists an illegal move is not asked again.

use super::{game_path::GamePath, move_order::Ranked, patience::Patience};
use hayasashi_accel::{
    view, AccelError, CoProcessor, Direct, ModelBackend, PendingBatch, PositionError, PositionResult,
};
use hayasashi_model as model;
use hayasashi_shogi::rules::{Move, Position};
use hayasashi_spec::{
    moves::MoveRecord,
    opcode::Opcode,
    position::PositionImage,
    registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_SEARCH},
    table::SCORE_LIMIT,
};
use model::evaluate::{EvalTable, Evaluation};
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// Most entries of each cache; a full cache is emptied.
const CACHE_CAPACITY: usize = 100_000;
/// Children evaluated in one batch: few while a cut-off is likely, then many.
const PREFETCH_CHUNKS: [usize; 3] = [2, 6, LAST_CHUNK];
const LAST_CHUNK: usize = 31;

/// A shorter wait that the end of the time cuts off is no fault of the chip.
const REPORTED_WAIT: Duration = Duration::from_millis(100);

/// Legal moves and static evaluations.
pub struct MoveSource {
    chip: Arc<dyn CoProcessor>,
    /// Of the model, and of the chip where it evaluates. Its table gives the static evaluations, the network corrects them in the
    /// searches of [`MoveSource::searcher`].
    evaluation: Evaluation,
    /// Whether the chip lists moves; if not, the model does.
    generates: bool,
    /// Whether the chip evaluates; if not, the model does.
    evaluates: bool,
    /// What searches by itself: the chip, or a model with the same evaluation.
    searcher: Arc<dyn CoProcessor>,
    scores: HashMap<PositionImage, i16>,
    moves: HashMap<PositionImage, Box<[MoveRecord]>>,
    /// Whether the request that was given up has been answered since; `None` if there is none.
    late: Option<Box<dyn Fn() -> bool + Send>>,
    /// The first failure of the chip since it was last taken.
    failure: Option<AccelError>,
}

impl MoveSource {
    /// Calls the functions of the software model with this evaluation and sends no requests to `chip`.
    pub fn direct(chip: Arc<dyn CoProcessor>, evaluation: impl Into<Evaluation>) -> MoveSource {
        MoveSource::with(chip, evaluation.into(), false, false)
    }

    fn with(chip: Arc<dyn CoProcessor>, evaluation: Evaluation, generates: bool, evaluates: bool) -> MoveSource {
        let (scores, moves) = (HashMap::new(), HashMap::new());
        let searcher = Arc::new(ModelBackend::with_model(model::Model::with_evaluation(evaluation.clone())));
        MoveSource { chip, evaluation, generates, evaluates, searcher, scores, moves, late: None, failure: None }
    }

    /// Uses a co-processor according to its capabilities. It gets the evaluation, as far as it takes it.
    ///
    /// # Errors
    /// The chip does not reply, or refuses the evaluation.
    pub fn open(chip: Arc<dyn CoProcessor>, evaluation: impl Into<Evaluation>) -> Result<MoveSource, AccelError> {
        let evaluation = evaluation.into();
        let capabilities = chip.info()?.capabilities;
        let generates = capabilities & CAP_MOVEGEN != 0;
        let evaluates = generates && capabilities & CAP_EVALUATE != 0;
        let searches = capabilities & CAP_SEARCH != 0;
        if evaluates || searches {
            chip.set_evaluation(&evaluation)?;
        }
        let used = chip.direct() != Some(Direct::Model);
        let source = MoveSource::with(chip.clone(), evaluation, generates && used, evaluates && used);
        Ok(if searches { MoveSource { searcher: chip, ..source } } else { source })
    }

    /// The co-processor.
    pub fn chip(&self) -> &Arc<dyn CoProcessor> {
        &self.chip
    }

    /// Another source with the same co-processor, for another thread.
    pub fn sibling(&self) -> MoveSource {
        MoveSource::with(self.chip.clone(), self.evaluation.clone(), self.generates, self.evaluates)
    }

    /// The evaluation table.
    pub fn table(&self) -> &Arc<EvalTable> {
        &self.evaluation.table
    }

    /// The evaluation: the table, and the network that corrects its score.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Whether results come from the software model, without a link.
    pub fn is_direct(&self) -> bool {
        !self.generates && !self.evaluates
    }

    /// The back end that searches by itself: the chip if it can, or a model with the same evaluation.
    pub fn searcher(&self) -> Arc<dyn CoProcessor> {
        self.searcher.clone()
    }

    /// The name of the back end that answers at present.
    pub fn answering(&self) -> String {
        match self.late.is_some() {
            true => format!("model (for {})", self.chip.name()),
            false => self.chip.name(),
        }
    }

    /// Takes the first failure of the chip since the last call. The model answered in its place.
    pub fn take_failure(&mut self) -> Option<AccelError> {
        self.failure.take()
    }

    /// Appends the legal moves in canonical order.
    pub fn generate(&mut self, pos: &Position, moves: &mut Vec<MoveRecord>, patience: Patience) {
        let image = view::image(pos);
        if self.generates && !self.moves.contains_key(&image) {
            self.fetch_moves(pos, image, patience);
        }
        match self.moves.get(&image) {
            Some(known) if self.generates => moves.extend_from_slice(known),
            _ => {
                model::movegen::generate(&model::position::Position::from(&image), moves);
            }
        }
    }

    /// The table's score in centipawns for the mover.
    pub fn evaluate(&mut self, pos: &Position, patience: Patience) -> i32 {
        let image = view::image(pos);
        if self.evaluates && !self.scores.contains_key(&image) {
            self.fetch_scores(&[image], patience);
        }
        match self.scores.get(&image) {
            Some(&score) => score as i32,
            None => self.evaluation.table.score(&model::position::Position::from(&image)) as i32,
        }
    }

    /// Calls `each` with every legal move.
    pub fn for_each_legal(&mut self, pos: &Position, patience: Patience, each: &mut dyn FnMut(Move)) {
        let mut moves = Vec::new();
        self.generate(pos, &mut moves, patience);
        moves.iter().filter_map(|record| view::to_move(record.mv, pos.side_to_move())).for_each(each);
    }

    /// Prepares for the child number `index`; `rest` holds it and the later children, unsorted. At the start of a
    /// chunk it evaluates the children of the chunk, except those in check, in one batch.
    #[expect(clippy::needless_collect, reason = "making the moves changes the position")]
    pub fn look_ahead(&mut self, pos: &mut GamePath, rest: &[Ranked], index: usize, patience: Patience) {
        if !self.evaluates {
            return;
        }
        let mut begin = 0;
        let mut chunks = PREFETCH_CHUNKS.into_iter().chain(std::iter::repeat(LAST_CHUNK));
        let mut chunk = chunks.next().unwrap_or(LAST_CHUNK);
        while begin < index {
            begin += chunk;
            chunk = chunks.next().unwrap_or(LAST_CHUNK);
        }
        if begin != index {
            return;
        }
        let mut next = rest.to_vec();
        next.sort_by_key(|&ranked| std::cmp::Reverse(ranked));
        next.truncate(chunk);
        let moves: Vec<Move> = next.into_iter().map(Ranked::mv).filter(|&mv| !pos.gives_check(mv)).collect();
        let mut images = children(pos, moves.into_iter());
        images.retain(|i| !self.scores.contains_key(i));
        self.fetch_scores(&images, patience);
    }

    fn fetch_moves(&mut self, pos: &Position, image: PositionImage, patience: Patience) {
        if self.moves.len() >= CACHE_CAPACITY {
            self.moves.clear();
        }
        let generated = self.fetch(patience, |chip| chip.submit_generate(&[image]));
        let Some(generated) = generated.and_then(|mut all| all.pop()) else { return };
        let target = self.chip.name();
        match view::to_moves(&target, &generated.moves, pos.side_to_move()) {
            Err(error) => self.distrust(error),
            Ok(moves) => match moves.iter().find(|&&mv| !pos.is_legal(mv)) {
                Some(illegal) => {
                    let reason = format!("{illegal} is not a legal move in {}", pos.to_sfen());
                    self.distrust(AccelError::Malformed { target, opcode: Opcode::Generate as u8, reason });
                }
                None => drop(self.moves.insert(image, generated.moves.into())),
            },
        }
    }

    fn fetch_scores(&mut self, images: &[PositionImage], patience: Patience) {
        if images.is_empty() {
            return;
        }
        if self.scores.len() + images.len() > CACHE_CAPACITY {
            self.scores.clear();
        }
        let Some(scores) = self.fetch(patience, |chip| chip.submit_evaluate(images)) else { return };
        match scores.iter().find(|evaluated| (evaluated.score as i32).abs() > SCORE_LIMIT) {
            Some(wrong) => {
                let reason = format!("a score of {} centipawns", wrong.score);
                let (target, opcode) = (self.chip.name(), Opcode::Evaluate as u8);
                self.distrust(AccelError::Malformed { target, opcode, reason });
            }
            None => self.scores.extend(images.iter().zip(scores).map(|(image, evaluated)| (*image, evaluated.score))),
        }
    }

    /// The chip's results for a batch; `None` if the model must answer instead.
    fn fetch<T: PositionResult + 'static>(
        &mut self,
        patience: Patience,
        submit: impl FnOnce(&dyn CoProcessor) -> PendingBatch<T>,
    ) -> Option<Vec<T>> {
        if self.late.as_ref().is_some_and(|answered| !answered()) {
            return None;
        }
        self.late = None;
        let start = Instant::now();
        let pending = submit(&*self.chip);
        if !pending.wait_while(|| patience.lasts(start.elapsed())) {
            self.late = Some(Box::new(move || pending.poll()));
            if !patience.is_stopped() && start.elapsed() >= REPORTED_WAIT {
                self.note(AccelError::Late { target: self.chip.name(), waited: start.elapsed() });
            }
            return None;
        }
        let results = pending.wait().map_err(|error| self.fail(error)).ok()?;
        let results: Result<Vec<T>, PositionError> = results.into_iter().collect();
        let refused = |e: PositionError| AccelError::Malformed {
            target: self.chip.name(),
            opcode: T::OPCODE as u8,
            reason: format!("a legal position is refused: {e}"),
        };
        results.map_err(refused).map_err(|error| self.distrust(error)).ok()
    }

    fn fail(&mut self, error: AccelError) {
        match error {
            AccelError::Malformed { .. } => self.distrust(error),
            _ => self.note(error),
        }
    }

    /// The chip is faulty: it is not asked again, and nothing that it said counts.
    fn distrust(&mut self, error: AccelError) {
        self.note(error);
        (self.generates, self.evaluates) = (false, false);
        self.moves.clear();
        self.scores.clear();
    }

    fn note(&mut self, error: AccelError) {
        tracing::warn!("{error}");
        self.failure.get_or_insert(error);
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
