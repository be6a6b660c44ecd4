//! Consultation (合議): every member searches the position by itself, and they vote.
//!
//! * *Majority* (Obata, Sugiyama, Hoki and Ito, 2010): the move that most members would play; of equal ones the move of the member
//!   with the greatest score.
//! * *Optimistic* (Hoki, Kaneko, Kishimoto and Ito, 2013): the move of the member with the greatest score.
//! * *Deepest*: the move of the member that has searched deepest; of equal ones that with the greatest score; a
//!   mate comes first. For members that share their tables.

use super::{
    job::{self, Found, Job},
    strategy::{Best, Question, Strategy},
};
use hayasashi_engine::search::score::{LONGEST_MATE, MATE};

/// Whose move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// That of most members.
    Majority,
    /// That with the greatest score.
    Optimistic,
    /// That with the greatest depth.
    Deepest,
}

/// Members that search the same position.
pub struct Consultation {
    question: Question,
    rule: Rule,
    /// Who has been asked.
    asked: Vec<bool>,
    /// The vote of each member.
    votes: Vec<Option<Vote>>,
    /// Whose search is over.
    done: Vec<bool>,
    /// Whose search has ended by itself.
    complete: Vec<bool>,
}

/// What a member would do.
#[derive(Clone, Debug)]
enum Vote {
    Play(Best),
    Declare,
    Resign,
}

impl Consultation {
    /// A vote on this question.
    pub fn new(question: Question, rule: Rule) -> Consultation {
        let members = question.members;
        Consultation {
            question,
            rule,
            asked: vec![false; members],
            votes: vec![None; members],
            done: vec![false; members],
            complete: vec![false; members],
        }
    }

    fn hear(&mut self, member: usize, found: &Found) {
        self.votes[member] = match (found.best, found.best_move()) {
            (Some(job::Best::Win), _) => Some(Vote::Declare),
            (Some(job::Best::Resign), _) => Some(Vote::Resign),
            // A program may have a move that is illegal.
            (_, Some(best)) if self.question.game.is_legal(best) => {
                let (score, depth) = (found.score().unwrap_or(0), found.depth);
                Some(Vote::Play(Best { pv: found.line(), score, depth, declares: false }))
            }
            _ => self.votes[member].take(),
        };
    }

    /// Whose move is played.
    fn chosen(&self) -> Option<(usize, &Best)> {
        let plays = || {
            self.votes.iter().enumerate().filter_map(|(member, vote)| match vote {
                Some(Vote::Play(best)) => Some((member, best)),
                _ => None,
            })
        };
        let votes_for = |best: &Best| plays().filter(|(_, other)| other.pv.first() == best.pv.first()).count();
        let rank = |best: &Best| match self.rule {
            Rule::Majority => (votes_for(best), best.score),
            Rule::Optimistic => (0, best.score),
            Rule::Deepest if best.score > LONGEST_MATE => (usize::MAX, best.score),
            Rule::Deepest => (best.depth as usize, best.score),
        };
        // Of equal ones the first member's.
        plays().reduce(|best, other| if rank(other.1) > rank(best.1) { other } else { best })
    }
}

impl Strategy for Consultation {
    fn job(&mut self, member: usize) -> Option<Job> {
        let Question { only, depth, .. } = &self.question;
        (!std::mem::replace(&mut self.asked[member], true)).then(|| Job {
            only: only.clone(),
            depth: *depth,
            ..Job::default()
        })
    }

    fn progress(&mut self, member: usize, found: &Found) {
        self.hear(member, found);
    }

    fn done(&mut self, member: usize, found: &Found, stopped: bool) {
        self.hear(member, found);
        self.done[member] = true;
        self.complete[member] = !stopped;
    }

    /// The others have the same question; what the member said before it fell silent still counts.
    fn lost(&mut self, _member: usize) {}

    fn best(&self) -> Option<Best> {
        let votes = || self.votes.iter().flatten();
        if votes().any(|vote| matches!(vote, Vote::Declare)) {
            return Some(Best { score: MATE, declares: true, ..Best::default() });
        }
        match self.chosen() {
            Some((_, best)) => Some(best.clone()),
            None => votes().next().map(|_| Best { score: -MATE, ..Best::default() }),
        }
    }

    /// The deepest search is complete.
    fn is_over(&self) -> bool {
        self.rule == Rule::Deepest && self.chosen().is_some_and(|(member, _)| self.complete[member])
    }

    fn iterations(&self) -> u32 {
        match self.rule {
            Rule::Deepest => self.best().map_or(0, |best| best.depth),
            Rule::Majority | Rule::Optimistic => self.done.iter().filter(|&&done| done).count() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_engine::search::GamePath;
    use hayasashi_shogi::rules::Position;

    fn vote(votes: &[&str], rule: Rule) -> Option<Best> {
        let question = Question {
            game: GamePath::new(Position::startpos()),
            only: Vec::new(),
            depth: None,
            members: votes.len(),
            draw: 0,
        };
        let mut consultation = Consultation::new(question, rule);
        for (member, lines) in votes.iter().enumerate() {
            assert_eq!(consultation.job(member), Some(Job::default()));
            assert_eq!(consultation.job(member), None);
            let mut found = Found::default();
            lines.split('|').for_each(|line| found.read(line));
            consultation.done(member, &found, false);
        }
        consultation.best()
    }

    #[test]
    fn votes_are_counted() {
        let few = [
            "info depth 7 score cp 10|bestmove 7g7f",
            "info depth 7 score cp 90|bestmove 2g2f",
            "info depth 8 score cp 5|bestmove 7g7f",
        ];
        let played = |votes: &[&str], rule| {
            let best = vote(votes, rule).unwrap();
            (best.pv.first().map(ToString::to_string).unwrap_or_default(), best.score)
        };
        assert_eq!(played(&few, Rule::Majority), ("7g7f".into(), 10));
        assert_eq!(played(&few, Rule::Optimistic), ("2g2f".into(), 90));
        assert_eq!(played(&few, Rule::Deepest), ("7g7f".into(), 5));
        assert_eq!(played(&few[..2], Rule::Deepest), ("2g2f".into(), 90));
        assert_eq!(played(&few[..2], Rule::Majority), ("2g2f".into(), 90));
        let mates = [few[2], "info depth 3 score mate 3|bestmove 2g2f"];
        assert_eq!(played(&mates, Rule::Deepest), ("2g2f".into(), MATE - 3));
        // An illegal move is no vote, nor is resignation while others play on.
        let some = ["bestmove 7g7e", "bestmove resign", "info score cp -800|bestmove 9g9f"];
        assert_eq!(played(&some, Rule::Majority), ("9g9f".into(), -800));
        assert_eq!(played(&some[1..2], Rule::Majority), (String::new(), -MATE));
        assert_eq!(vote(&some[..1], Rule::Majority), None);
        assert!(vote(&["bestmove 7g7f", "bestmove win"], Rule::Majority).unwrap().declares);
    }
}
