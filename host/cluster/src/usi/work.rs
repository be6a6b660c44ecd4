//! The leader's work during a search: it hands out jobs, watches the time and the members, and answers at the end.

use super::{
    job::Found,
    leader::{Leader, PATIENCE, STOP_TIME},
    running::Seat,
    strategy::Best,
    team::{Member, State},
};
use hayasashi_shogi::rules::{Move, MoveList};
use std::{io::Write, time::Instant};

impl<W: Write> Leader<W> {
    /// Hands out work, watches the time, and answers at the end.
    pub(super) fn advance(&mut self) {
        let Some(search) = &mut self.search else { return };
        let searching = self.team.members.iter().filter(|member| member.is_searching()).count();
        if let Some(since) = search.stopped {
            if searching > 0 && since.elapsed() >= STOP_TIME {
                for at in 0..self.team.members.len() {
                    if self.team.members[at].is_searching() {
                        self.lose(at, State::Silent);
                    }
                }
                return self.advance();
            }
            if searching == 0 {
                self.answer_if_allowed();
            }
            return;
        }
        self.report();
        let Some(search) = &mut self.search else { return };
        let clock = search.clock.map(|clock| clock.elapsed());
        if search
            .budget
            .zip(clock)
            .is_some_and(|(budget, clock)| clock >= budget.hard || search.is_enough(&budget, clock))
        {
            return self.stop();
        }
        if search.strategy.is_over() && search.may_answer() {
            return self.stop();
        }
        if search.mate.is_some() {
            return;
        }
        if self.settings.simulated.is_some() {
            return self.simulate();
        }
        if self.assign() == 0 && !self.team.members.iter().any(Member::is_searching) {
            return self.answer_if_allowed();
        }
        self.relieve();
    }

    /// Answers, unless the GUI has to say `stop` or `ponderhit` first.
    fn answer_if_allowed(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.may_answer()) {
            search.deliver();
            self.answer();
        }
    }

    /// Gives work to idle members; returns how many got some.
    fn assign(&mut self) -> usize {
        let Some(search) = &mut self.search else { return 0 };
        let mut given = 0;
        for at in 0..self.team.members.len() {
            let member = &mut self.team.members[at];
            let seat = &mut search.seats[at];
            if member.state != State::Idle || !seat.reports.is_empty() {
                continue;
            }
            let spent = if self.settings.simulated.is_some() { search.now } else { seat.used };
            let left = search.nodes.map(|nodes| nodes.saturating_sub(spent + self.settings.simulated.unwrap_or(0)));
            if left == Some(0) {
                continue;
            }
            let Some(mut job) = search.strategy.job(at) else { continue };
            // The limit of the move cuts a search short; its own limit completes it.
            seat.most = left.filter(|left| job.nodes.is_none_or(|nodes| *left < nodes));
            job.nodes = seat.most.or(job.nodes);
            (seat.stopped, seat.heard) = (false, None);
            seat.entries.unheard = 0;
            let moves: String = job.line.iter().map(|mv| format!(" {mv}")).collect();
            let has_moves = search.position.split_ascii_whitespace().any(|word| word == "moves");
            let joint = if moves.is_empty() || has_moves { "" } else { " moves" };
            member.send(&format!("position {}{joint}{moves}", search.position));
            member.send(&format!("go {}", job.go()));
            (member.state, member.found) = (State::Searching(Instant::now()), Found::default());
            given += 1;
        }
        given
    }

    /// Members that search at the same time, in the time of their nodes: when all have answered, the report that would have been the first
    /// is heard.
    fn simulate(&mut self) {
        self.step();
        loop {
            if self.assign() > 0 || self.team.members.iter().any(Member::is_searching) {
                return;
            }
            let Some(search) = &mut self.search else { return };
            if search.strategy.is_over() && search.may_answer() {
                return self.stop();
            }
            let next = |(at, seat): (usize, &Seat)| Some((seat.reports.front()?.0, at));
            let first = search.seats.iter().enumerate().filter_map(next).min();
            let Some((time, at)) = first else { return self.answer_if_allowed() };
            search.now = time;
            match search.seats[at].reports.pop_front() {
                Some((_, found, true)) => search.finish(at, &found),
                Some((_, found, false)) => {
                    search.strategy.progress(at, &found);
                    search.heed();
                }
                None => {}
            }
            self.report();
        }
    }

    /// Gives the work of a member that says nothing to another while some have nothing to do.
    fn relieve(&mut self) {
        let idle = self.team.members.iter().any(|member| member.state == State::Idle);
        let Some(search) = self.search.as_ref().filter(|_| idle && !self.all_search_alike()) else { return };
        let patience = PATIENCE + search.longest * 3;
        let is_slow = |at: &usize| match self.team.members[*at].state {
            State::Searching(since) => search.seats[*at].heard.unwrap_or(since).elapsed() >= patience,
            _ => false,
        };
        let slow: Vec<usize> = (0..self.team.members.len()).filter(is_slow).collect();
        for &at in &slow {
            self.team.members[at].send("stop");
            self.lose(at, State::Silent);
        }
        if !slow.is_empty() {
            self.assign();
        }
    }

    /// Reports the best move if it has changed.
    fn report(&mut self) {
        let Some(search) = &mut self.search else { return };
        let Some(best) = search.strategy.best().filter(|_| search.mate.is_none()) else { return };
        // A score that changes with every leaf is not worth a line.
        let seen = |best: &Best| (best.pv.first().copied(), best.depth, best.declares);
        if search.reported.as_ref().is_some_and(|before| seen(before) == seen(&best)) {
            return;
        }
        search.reported = Some(best);
        let running =
            self.team.members.iter().filter(|member| member.is_searching()).map(|member| member.found.nodes).sum();
        let line = search.info(running);
        self.line(&line);
    }

    fn answer(&mut self) {
        self.report();
        let Some(search) = self.search.take() else { return };
        if search.mate.is_some() {
            return self.line("checkmate timeout");
        }
        if self.settings.simulated.is_some() {
            self.line(&format!("info string simulated time of {} nodes", search.now));
        }
        let legal = |mv: &Move| search.game.is_legal(*mv);
        let mut moves = MoveList::new();
        search.game.legal_moves(&mut moves);
        let resigns = |score: i32| self.options.resign > 0 && score <= -self.options.resign && !search.infinite;
        let line = match (search.strategy.best(), self.game.is_some()) {
            (Some(Best { declares: true, .. }), true) => "bestmove win".into(),
            (Some(Best { pv, score, .. }), true) => match pv.first().filter(|mv| legal(mv)) {
                None => "bestmove resign".into(),
                Some(_) if resigns(score) => "bestmove resign".into(),
                Some(best) => match pv.get(1) {
                    Some(reply) => format!("bestmove {best} ponder {reply}"),
                    None => format!("bestmove {best}"),
                },
            },
            // No member has said anything.
            (None, true) if !moves.is_empty() => format!("bestmove {}", moves[0]),
            _ => "bestmove resign".into(),
        };
        self.line(&line);
    }
}
