//! Mates that the game search announces, verified by the mate solver and the rules.

use hayasashi_engine::{
    mate::{verify, Mate, MateAnswer, MateLimits, MateOutcome, Solver, Strategy, Verified},
    search::{GamePath, SearchLimits, Searcher, TimeControl, UsiScore},
    Control,
};
use hayasashi_shogi::rules::{Move, MoveList, Position};
use std::time::Duration;

/// Nodes of the solver for each defence.
const VERIFIER_NODES: u64 = 2_000_000;
const VERIFIER_MEBIBYTES: usize = 64;

/// The game search, and the solver that verifies its announcements.
pub struct AnnouncedMates {
    searcher: Searcher,
    verifier: Solver,
}

impl AnnouncedMates {
    /// Mates that this searcher announces.
    pub fn new(searcher: Searcher) -> AnnouncedMates {
        AnnouncedMates { searcher, verifier: Solver::new(VERIFIER_MEBIBYTES) }
    }

    /// The name of the back end that answers at present.
    pub fn backend(&mut self) -> String {
        self.searcher.source().answering()
    }

    /// Searches the position with an empty table, and verifies the first move if the search announces a mate. Returns the answer
    /// with the time of the search. An announcement that cannot be verified is [`MateOutcome::Unknown`].
    pub fn solve(&mut self, pos: &Position, limits: &MateLimits, control: &Control) -> (MateAnswer, Duration) {
        self.searcher.clear();
        let nodes = (limits.nodes != u64::MAX).then_some(limits.nodes);
        let time = limits.time.map(TimeControl::Exact);
        let limits = SearchLimits { nodes, time, ..SearchLimits::default() };
        let outcome = self.searcher.search(&GamePath::new(pos.clone()), &limits, &[], control, &mut |_| {});
        let time = control.elapsed();
        let report = outcome.report;
        let announced = match (report.usi_score(), report.pv.first()) {
            (UsiScore::Mate(plies), Some(&mv)) if plies > 0 => Some(mv),
            _ => None,
        };
        let mate = announced.and_then(|mv| self.verify(pos, mv));
        let outcome = mate.map_or(MateOutcome::Unknown, MateOutcome::Mate);
        (MateAnswer { outcome, nodes: report.nodes, hash_permille: report.hash_permille }, time)
    }

    /// The mate by this move, if it is a check and the solver has an answer to every defence.
    fn verify(&mut self, pos: &Position, mv: Move) -> Option<Mate> {
        let mut strategy = Strategy::default();
        strategy.set(pos, mv);
        let mut after = pos.clone();
        after.do_move(mv);
        let mut defences = MoveList::new();
        after.legal_moves(&mut defences);
        let limits = MateLimits { nodes: VERIFIER_NODES, ..MateLimits::default() };
        for &defence in &defences {
            let mut next = after.clone();
            next.do_move(defence);
            match self.verifier.solve(&next, &limits, &Control::default()).outcome {
                MateOutcome::Mate(mate) => strategy.extend(mate.strategy),
                _ => return None,
            }
        }
        let Verified { line, plies, counted, .. } = verify(pos, &strategy).ok()?;
        Some(Mate { line, plies, counted, shortest: false, strategy })
    }
}
