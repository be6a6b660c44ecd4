//! The thread of one `go`, from the limits to the reply. Whatever happens in it, there is one reply.

use super::{
    command::Go,
    info::{self, Output},
};
use crate::{
    mate::MateLimits,
    search::{GamePath, MoveSource, Searcher},
    Control,
};
use hayasashi_accel::{view, ModelBackend};
use hayasashi_model::{self as model, evaluate::EvalTable};
use hayasashi_shogi::{
    book::BookMove,
    rules::{Move, MoveList},
};
use std::{
    any::Any,
    panic::{catch_unwind, AssertUnwindSafe},
    sync::Arc,
};

/// Mebibytes of the transposition table of a search that replaces one that panicked.
const REPLACEMENT_HASH_MIB: usize = 16;

/// One `go`.
pub(super) struct Thinking {
    pub go: Go,
    pub game: GamePath,
    /// Restricts the moves (empty: all).
    pub root_moves: Vec<Move>,
    pub book_move: Option<(BookMove, Option<Move>)>,
    pub hash_mib: usize,
    /// Most plies and nodes that the options allow (0: no limit).
    pub most: (u32, u64),
    /// See [`info::search`].
    pub resign: i32,
    pub control: Arc<Control>,
    pub output: Output,
}

impl Thinking {
    /// Returns the reply, and the searcher unless it panicked: then a search on the software model replies in the rest of the
    /// time and, if that panics too, the rules.
    pub fn run(&self, mut searcher: Searcher) -> (String, Option<Searcher>) {
        let (evaluation, settings) = (searcher.source().evaluation().clone(), searcher.settings.clone());
        if let Some(reply) = self.guarded(|| self.reply(&mut searcher)) {
            return (reply, Some(searcher));
        }
        // Closes the back end, which the next `go` opens again.
        drop(searcher);
        if self.go.mate.is_some() {
            return ("checkmate timeout".into(), None);
        }
        let again = || {
            let source = MoveSource::direct(Arc::new(ModelBackend::new()), evaluation.clone());
            let mut searcher = Searcher::new(source, REPLACEMENT_HASH_MIB);
            searcher.settings = settings;
            self.search(&mut searcher)
        };
        let reply = self.guarded(again).unwrap_or_else(|| {
            self.control.hold(self.go.infinite);
            self.best_static_move(&evaluation.table)
        });
        (reply, None)
    }

    /// The value of `work`; `None` if it panics, which is reported.
    fn guarded<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let report = |panic: Box<dyn Any + Send>| {
            let message = panic.downcast_ref::<&str>().map(ToString::to_string);
            let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            self.output.warn(format_args!(
                "error: the search panicked ({message}); it begins again on the software model; hint: report this with the game"
            ));
        };
        catch_unwind(AssertUnwindSafe(work)).map_err(report).ok()
    }

    fn reply(&self, searcher: &mut Searcher) -> String {
        match (self.go.mate, &self.book_move) {
            (Some(time), _) => {
                let limits = MateLimits { time, ..MateLimits::default() };
                info::find_mate(&self.game, &limits, self.hash_mib, &self.control, &self.output)
            }
            (None, Some((chosen, reply))) => {
                let line = info::play_from_book(chosen, *reply, &self.output);
                self.control.hold(self.go.infinite);
                line
            }
            (None, None) => self.search(searcher),
        }
    }

    fn search(&self, searcher: &mut Searcher) -> String {
        let limits = self.go.limits(self.game.side_to_move(), self.most);
        let (control, output) = (&self.control, &self.output);
        let line = info::search(searcher, &self.game, &limits, &self.root_moves, self.resign, control, output);
        // Before `stop` or `ponderhit` the GUI would take the move for the reply to another command.
        self.control.hold(self.go.infinite);
        line
    }

    /// The move to the position with the best static evaluation, without the search.
    fn best_static_move(&self, table: &EvalTable) -> String {
        let mut moves = MoveList::new();
        self.game.position().legal_moves(&mut moves);
        let allowed = moves.iter().filter(|&mv| self.root_moves.is_empty() || self.root_moves.contains(mv));
        let opponents_score = |mv: &&Move| {
            let mut after = self.game.position().clone();
            after.do_move(**mv);
            table.score(&model::position::Position::from(&view::image(&after)))
        };
        match allowed.min_by_key(opponents_score) {
            Some(best) => format!("bestmove {best}"),
            None => "bestmove resign".into(),
        }
    }
}
