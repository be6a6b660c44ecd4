//! `mate --engine`: mates that the search for games announces, judged by the mate solver and the rules.

use super::{
    args::{Global, MateArguments},
    backend,
};
use hayasashi_engine::{
    mate::{verify, Mate, MateAnswer, MateLimits, MateOutcome, Solver, Strategy, Verified},
    search::{GamePath, MoveSource, Searcher, TimeControl, UsiScore},
    Control,
};
use hayasashi_shogi::rules::{Move, MoveList, Position};
use std::time::Duration;

/// Moves that the solver may make to answer one defence.
const JUDGE_NODES: u64 = 2_000_000;
const JUDGE_MEBIBYTES: usize = 64;

/// The engine, and who judges it.
pub struct Engine {
    searcher: Searcher,
    judge: Solver,
}

impl Engine {
    /// The engine on the back end of the arguments, less the techniques switched off.
    pub fn new(global: &Global, arguments: &MateArguments) -> anyhow::Result<Engine> {
        let table = backend::table(global.table.as_deref())?;
        let source = MoveSource::open(backend::opened(global)?.chip, &table)?;
        let mut searcher = Searcher::new(source, arguments.hash_mib as usize);
        searcher.settings.network_delay = Duration::ZERO;
        for name in &arguments.without {
            searcher.settings.techniques.set(name, false)?;
        }
        Ok(Engine { searcher, judge: Solver::new(JUDGE_MEBIBYTES) })
    }

    /// Searches as in a game, from nothing, and judges the move if a mate is announced. The time is that of the search
    /// alone.
    pub fn solve(
        &mut self,
        pos: &Position,
        limits: &MateLimits,
        control: &Control,
    ) -> anyhow::Result<(MateAnswer, Duration)> {
        self.searcher.clear();
        let nodes = (limits.nodes != u64::MAX).then_some(limits.nodes);
        let time = limits.time.map(TimeControl::Exact);
        let limits = hayasashi_engine::search::SearchLimits { nodes, time, ..Default::default() };
        let found = self.searcher.search(&GamePath::new(pos.clone()), &limits, &[], control, &mut |_| {});
        let time = control.elapsed();
        if let Some(failure) = found.failure {
            return Err(failure.into());
        }
        let announced = match (found.report.usi_score(), found.report.pv.first()) {
            (UsiScore::Mate(plies), Some(&mv)) if plies > 0 => Some(mv),
            _ => None,
        };
        let outcome = announced.and_then(|mv| self.judge(pos, mv)).map_or(MateOutcome::Unknown, MateOutcome::Mate);
        Ok((MateAnswer { outcome, nodes: found.report.nodes, hash_permille: found.report.hash_permille }, time))
    }

    /// The mate by this move, if it is a check and the solver has an answer to every defence.
    fn judge(&mut self, pos: &Position, mv: Move) -> Option<Mate> {
        let mut strategy = Strategy::default();
        strategy.set(pos, mv);
        let mut after = pos.clone();
        after.do_move(mv);
        let mut defences = MoveList::new();
        after.legal_moves(&mut defences);
        let limits = MateLimits { nodes: JUDGE_NODES, ..MateLimits::default() };
        for &defence in &defences {
            let mut next = after.clone();
            next.do_move(defence);
            match self.judge.solve(&next, &limits, &Control::default()).outcome {
                MateOutcome::Mate(mate) => strategy.extend(mate.strategy),
                _ => return None,
            }
        }
        let Verified { line, plies, counted, .. } = verify(pos, &strategy).ok()?;
        Some(Mate { line, plies, counted, shortest: false, strategy })
    }
}
