//! One walker: a search of one position as a machine of steps.
//!
//! In each step the walker takes what the pipe answers about the position that the step before made, or the score of a node that
//! has ended, decides, and makes one move. A step that ends a node without making a move unwinds one ply. So a step is one slot of
//! the pipe, whether it uses it or not.

use super::child::{make, pass};
use super::enter::{enter, enter_root, Arrival, Entered};
use super::history::History;
use super::iteration::{iterate, Iterated};
use super::judge::{judge, Facts, Verdict};
use super::node::{Child, Node, Waiting};
use super::order::{Class, Picker, Selection};
use super::path::Path;
use super::returned::{finished, returned, Finished, Next, Returned};
use super::spot::{Candidate, Spot};
use super::table::{NewEntry, Table};
use crate::evaluate::Evaluation;
use crate::position::Position;
use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::{turn, SQUARES};
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;

/// What the next step begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    /// An iteration begins.
    Iteration,
    /// The position at the present ply has left the pipe.
    Arrived,
    /// The child of the present ply has ended with this score for the present mover.
    Returned(i32),
    /// The step before has refused as many moves as a step may.
    Picking,
    /// The search has ended.
    Ended,
}

/// A search under way.
pub struct Walker {
    head: SearchHead,
    evaluation: Evaluation,
    table: Table,
    path: Path,
    spots: Vec<Spot>,
    nodes: Vec<Node>,
    pickers: Vec<Picker>,
    killers: Vec<[Move16; 2]>,
    /// By kind and square of the move that is answered.
    counter_moves: Vec<[Move16; SQUARES]>,
    history: History,
    lines: Vec<Vec<Move16>>,
    ply: usize,
    event: Event,
    iteration: u8,
    found: Found,
}

impl Walker {
    /// Begins the search of a possible position. `head` is in range; `path` are the words of the path.
    pub fn new(
        head: SearchHead,
        evaluation: impl Into<Evaluation>,
        position: &Position,
        path: impl Iterator<Item = u64>,
    ) -> Walker {
        Walker::with_table(Table::new(head.table_bits), head, evaluation, position, path)
    }

    /// The same with the table of an earlier search, which has as many entries as the request wants.
    pub fn with_table(
        table: Table,
        head: SearchHead,
        evaluation: impl Into<Evaluation>,
        position: &Position,
        path: impl Iterator<Item = u64>,
    ) -> Walker {
        let evaluation = evaluation.into();
        let root = Spot::new(&evaluation, position);
        let mut path = Path::new(path);
        path.push(root.key(), root.in_check());
        Walker {
            table,
            path,
            spots: vec![root; MAX_PLY + 2],
            nodes: vec![Node::default(); MAX_PLY + 2],
            pickers: vec![Picker::default(); MAX_PLY + 2],
            killers: vec![[Move16(0); 2]; MAX_PLY + 2],
            counter_moves: vec![[Move16(0); SQUARES]; 16],
            history: History::default(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            ply: 0,
            event: Event::Iteration,
            iteration: 0,
            found: Found::default(),
            head,
            evaluation,
        }
    }

    /// The answer so far.
    pub fn found(&self) -> Found {
        self.found
    }

    /// Where the search is: the ply, its node and its position.
    pub fn present(&self) -> (usize, &Node, &Spot) {
        (self.ply, &self.nodes[self.ply], &self.spots[self.ply])
    }

    /// Whether the search has ended.
    pub fn has_ended(&self) -> bool {
        self.event == Event::Ended
    }

    /// The table as it is.
    pub fn into_table(self) -> Table {
        self.table
    }

    /// One step. Returns whether the search goes on.
    pub fn step(&mut self) -> bool {
        let event = self.event;
        if event == Event::Ended || self.head.steps != 0 && self.found.steps == self.head.steps {
            self.event = Event::Ended;
            return false;
        }
        self.found.steps += 1;
        match event {
            Event::Iteration => self.begin_iteration(),
            Event::Arrived => match self.enter() {
                Entered::Moves => self.pick(),
                Entered::Score(score) => {
                    self.leave();
                    self.returned(-score);
                }
                Entered::PawnDropMate => {
                    self.leave();
                    self.nodes[self.ply].unmake();
                    self.pick();
                }
            },
            Event::Returned(score) => self.returned(score),
            Event::Picking => self.pick(),
            Event::Ended => {}
        }
        self.event != Event::Ended
    }

    /// Begins the next iteration, or the same with the whole window.
    fn begin_iteration(&mut self) {
        let root = &self.nodes[0];
        let Iterated { completed, fails_low, begins } =
            iterate(&self.head, self.iteration, self.found.score as i32, root);
        if completed {
            (self.found.depth, self.found.score) = (self.iteration, root.best as i16);
        }
        if fails_low {
            (self.found.length, self.found.line) = (0, [0; MAX_LINE]);
        }
        match begins {
            Some((iteration, alpha, beta)) => {
                self.iteration = iteration;
                self.begin_root(alpha, beta);
            }
            None => self.event = Event::Ended,
        }
    }

    fn begin_root(&mut self, alpha: i32, beta: i32) {
        let depth = self.iteration as i32;
        let child = Child { alpha, beta, depth, cut: false, quiet_ply: 0, last: None };
        let root = &self.spots[0];
        let known = Move16(self.found.line[0]);
        self.nodes[0] = enter_root(child, root.in_check(), root.score(&self.evaluation), known);
        self.ply = 0;
        self.lines[0].clear();
        self.start_picker();
        self.pick();
    }

    /// A node is entered: its score, if it has one without a search of its moves.
    fn enter(&mut self) -> Entered {
        let ply = self.ply;
        self.lines[ply].clear();
        let spot = &mut self.spots[ply];
        let (key, in_check) = (spot.key(), spot.in_check());
        self.path.push(key, in_check);
        let before = ply.checked_sub(2).map(|ply| &self.nodes[ply]);
        let arrival = Arrival {
            ply,
            repeated: self.path.repeated(),
            has_move: spot.has_move(),
            in_check,
            eval: spot.score(&self.evaluation),
            before: before.filter(|before| !before.in_check).map(|before| before.eval),
            entry: self.table.get(key),
        };
        let entered = enter(&self.head, &mut self.nodes[ply], &arrival);
        if entered == Entered::Moves {
            self.start_picker();
        }
        entered
    }

    fn start_picker(&mut self) {
        let (ply, head) = (self.ply, self.head);
        let node = &self.nodes[ply];
        let quiescence = node.quiescence;
        if !quiescence {
            self.killers[ply + 2] = [Move16(0); 2];
        }
        let recaptures = head.has(Technique::Recaptures) && quiescence && node.quiet_ply >= FREE_CAPTURE_PLIES;
        let selection = Selection {
            evasions: node.in_check,
            forcing_only: quiescence && !node.in_check,
            only_on: node.last.filter(|_| recaptures && !node.in_check).map(|last| turn(last.mv.to() as usize) as u8),
            by_exchange: head.has(Technique::Exchange) && !node.in_check,
            by_victim: head.has(Technique::CaptureOrder),
            checks_first: head.has(Technique::CheckOrder),
            attacked_first: head.has(Technique::AttackedOrder),
            promotions: head.has(Technique::Promotions),
            by_history: head.has(Technique::History) && !quiescence && node.depth >= HISTORY_DEPTH,
        };
        let quiets = !quiescence && !node.in_check;
        let killers = if quiets && head.has(Technique::Killers) { self.killers[ply] } else { [Move16(0); 2] };
        let known = if selection.forcing_only { Move16(0) } else { node.known };
        let counter = match node.last {
            Some(last) if quiets && head.has(Technique::CounterMove) => *self.counter_move(last),
            _ => Move16(0),
        };
        self.pickers[ply].start(selection, [known, killers[0], killers[1], counter]);
    }

    /// The answer to a move, which the mover's view sees turned.
    fn counter_move(&mut self, last: Candidate) -> &mut Move16 {
        &mut self.counter_moves[last.becomes() as usize & 15][last.mv.to() as usize]
    }

    /// Leaves the present node for its parent.
    fn leave(&mut self) {
        self.path.pop();
        self.ply -= 1;
    }

    /// Makes the next move of the present node, or ends it.
    fn pick(&mut self) {
        let (head, ply) = (self.head, self.ply);
        if self.nodes[ply].waiting == Waiting::Null {
            return self.issue(pass(&self.nodes[ply]));
        }
        for _ in 0..PICKS_A_STEP {
            let (node, picker, spot) = (&mut self.nodes[ply], &mut self.pickers[ply], &mut self.spots[ply]);
            let counter = |mv| self.history.of(mv, self.iteration);
            let Some((class, candidate)) = picker.next(spot, &counter) else { return self.finish() };
            let mut facts = SpotFacts { spot, class, candidate };
            match judge(&head, node, ply, class, &candidate, &mut facts) {
                Verdict::Make => {
                    let child = make(&head, node, class, candidate, || facts.gives_check());
                    return self.issue(child);
                }
                Verdict::Refuse => {}
                Verdict::RefuseQuiets => picker.skip_quiets(),
            }
        }
        self.event = Event::Picking;
    }

    /// Makes the current move, or a null move, and enters the position after it in the next step.
    fn issue(&mut self, child: Child) {
        if self.head.nodes != 0 && self.found.nodes == self.head.nodes {
            self.event = Event::Ended;
            return;
        }
        self.found.nodes += 1;
        let ply = self.ply;
        let (before, after) = self.spots.split_at_mut(ply + 1);
        match child.last {
            Some(Candidate { mv, moved, .. }) => before[ply].make(&self.evaluation, mv, moved, &mut after[0]),
            None => before[ply].pass(&mut after[0]),
        }
        self.nodes[ply + 1] = Node::enter(child);
        self.ply = ply + 1;
        self.event = Event::Arrived;
    }

    /// All moves of a node are searched: the step ends here, and the next one begins at the parent.
    fn finish(&mut self) {
        let ply = self.ply;
        match finished(&mut self.nodes[ply], ply) {
            Finished::Again => {
                self.start_picker();
                self.event = Event::Picking;
                return;
            }
            Finished::Ended(bound) if self.head.has(Technique::Table) => {
                let node = &self.nodes[ply];
                let &Node { best: score, best_move: best, .. } = node;
                let found = NewEntry { best, score, depth: node.table_depth(), bound, iteration: self.iteration };
                self.table.put(self.spots[ply].key(), ply, &found);
            }
            Finished::Ended(_) => {}
        }
        if ply == 0 {
            self.event = Event::Iteration;
            return;
        }
        self.leave();
        self.event = Event::Returned(-self.nodes[ply].best);
    }

    /// The child has ended with this score for the mover.
    fn returned(&mut self, score: i32) {
        let ply = self.ply;
        let Returned { next, raises_line, learns, fails } = returned(&mut self.nodes[ply], ply, score);
        if raises_line {
            self.raise_line(self.nodes[ply].best_move, score);
        }
        if learns || fails {
            let Node { current, depth, .. } = self.nodes[ply];
            self.history.learn(current.mv, depth, learns, self.iteration);
        }
        if learns {
            self.learn();
        }
        match next {
            Next::Search(child) => self.issue(child),
            Next::Pick => self.pick(),
            Next::Finish => self.finish(),
        }
    }

    /// The move begins the line of this ply; at the root it is the answer so far.
    fn raise_line(&mut self, mv: Move16, score: i32) {
        let ply = self.ply;
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend(below[0].iter().take(MAX_LINE - 1));
        if ply == 0 {
            self.found.score = score as i16;
            self.found.length = line.len() as u8;
            self.found.line = [0; MAX_LINE];
            for (to, mv) in self.found.line.iter_mut().zip(line) {
                *to = mv.0;
            }
        }
    }

    /// The current move becomes a killer and a counter move.
    fn learn(&mut self) {
        let ply = self.ply;
        let Node { current, last, .. } = self.nodes[ply];
        let killers = &mut self.killers[ply];
        if killers[0] != current.mv {
            *killers = [current.mv, killers[0]];
        }
        if let Some(last) = last {
            *self.counter_move(last) = current.mv;
        }
    }
}

/// What the position says about a candidate of a class.
struct SpotFacts<'a> {
    spot: &'a mut Spot,
    class: Class,
    candidate: Candidate,
}

impl Facts for SpotFacts<'_> {
    fn gives_check(&mut self) -> bool {
        self.class == Class::Checks || {
            self.spot.find_checking();
            self.spot.checks(&self.candidate)
        }
    }

    fn exchange(&mut self) -> i32 {
        self.spot.find_attacks();
        self.spot.attacks.exchange(&self.candidate)
    }
}
