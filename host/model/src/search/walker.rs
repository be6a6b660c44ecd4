//! One walker: a search of one position as a machine of steps.
//!
//! In each step the walker takes what the pipe answers about the position that the step before made, or the score of a node that
//! has ended, decides, and makes one move. A step that ends a node without making a move unwinds one ply. So a step is one slot of
//! the pipe, whether it uses it or not.

use super::node::{Child, Node, Waiting};
use super::order::{Picker, Selection};
use super::path::{Path, Repeated};
use super::spot::{Candidate, Spot};
use super::table::{Bound, Table};
use crate::evaluate::EvalTable;
use crate::position::Position;
use hayasashi_spec::moves::{Move16, DROP_FROM};
use hayasashi_spec::piece::{PAWN, SQUARES};
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use std::sync::Arc;

/// [`MATE`] for calculations.
pub(super) const MATED: i32 = MATE as i32;
const LONGEST: i32 = LONGEST_MATE as i32;

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

/// How a node that has just been entered goes on.
enum Entered {
    /// It has this score.
    Score(i32),
    /// Its last move was a pawn drop that mates, so it does not exist.
    PawnDropMate,
    /// Its moves are searched.
    Moves,
}

/// A search under way.
pub struct Walker {
    pub(super) head: SearchHead,
    weights: Arc<EvalTable>,
    pub(super) table: Table,
    path: Path,
    spots: Vec<Spot>,
    pub(super) nodes: Vec<Node>,
    pub(super) pickers: Vec<Picker>,
    killers: Vec<[Move16; 2]>,
    /// By kind and square of the move that is answered.
    counter_moves: Vec<[Move16; SQUARES]>,
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
        weights: Arc<EvalTable>,
        position: &Position,
        path: impl Iterator<Item = u64>,
    ) -> Walker {
        let root = Spot::new(&weights, position);
        let mut path = Path::new(path);
        path.push(root.key(), root.in_check());
        Walker {
            table: Table::new(head.table_bits),
            path,
            spots: vec![root; MAX_PLY + 2],
            nodes: vec![Node::default(); MAX_PLY + 2],
            pickers: vec![Picker::default(); MAX_PLY + 2],
            killers: vec![[Move16(0); 2]; MAX_PLY + 2],
            counter_moves: vec![[Move16(0); SQUARES]; 16],
            lines: vec![Vec::with_capacity(MAX_LINE); MAX_PLY + 2],
            ply: 0,
            event: Event::Iteration,
            iteration: 0,
            found: Found::default(),
            head,
            weights,
        }
    }

    /// The answer so far.
    pub fn found(&self) -> Found {
        self.found
    }

    /// Whether the search has ended.
    pub fn has_ended(&self) -> bool {
        self.event == Event::Ended
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

    fn has(&self, technique: Technique) -> bool {
        self.head.has(technique)
    }

    /// Begins the next iteration, or the same with the whole window.
    fn begin_iteration(&mut self) {
        let (alpha, beta) = (self.head.alpha as i32, self.head.beta as i32);
        let score = self.found.score as i32;
        if self.iteration > 0 {
            let root = &self.nodes[0];
            let narrow = root.first_alpha > alpha && root.best <= root.first_alpha;
            if narrow || root.beta < beta && root.best >= root.beta {
                // Outside the narrow window: the window opens on that side.
                let (low, high) = (root.first_alpha, root.beta);
                return self.begin_root(if narrow { alpha } else { low }, if narrow { high } else { beta });
            }
            self.found.depth = self.iteration;
            self.found.score = root.best as i16;
            if root.best <= alpha {
                (self.found.length, self.found.line) = (0, [0; MAX_LINE]);
            }
            let mates = root.best.abs() > LONGEST && MATED - root.best.abs() <= self.iteration as i32;
            if self.iteration == self.head.depth || mates {
                self.event = Event::Ended;
                return;
            }
        }
        self.iteration += 1;
        let narrow = self.has(Technique::Aspiration) && self.iteration >= ASPIRATION_DEPTH && score.abs() < LONGEST;
        match narrow {
            true => self.begin_root(alpha.max(score - ASPIRATION_WINDOW), beta.min(score + ASPIRATION_WINDOW)),
            false => self.begin_root(alpha, beta),
        }
    }

    fn begin_root(&mut self, alpha: i32, beta: i32) {
        let (alpha, beta) = if alpha < beta { (alpha, beta) } else { (self.head.alpha as i32, self.head.beta as i32) };
        let depth = self.iteration as i32;
        let mut node = Node::enter(Child { alpha, beta, depth, cut: false, quiet_ply: 0, last: None });
        let root = &self.spots[0];
        node.in_check = root.in_check();
        node.eval = root.score(&self.weights);
        node.improving = !node.in_check;
        node.best = -MATED;
        node.known = Move16(self.found.line[0]);
        self.nodes[0] = node;
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
        if let Some(repeated) = self.path.repeated() {
            let draw = self.head.draw as i32;
            return Entered::Score(match repeated {
                Repeated::Draw => {
                    if ply % 2 == 0 {
                        draw
                    } else {
                        -draw
                    }
                }
                Repeated::Win => PERPETUAL as i32,
                Repeated::Loss => -(PERPETUAL as i32),
            });
        }
        let drops_pawn = self.nodes[ply].last.is_some_and(|last| last.moved == PAWN && last.mv.from() >= DROP_FROM);
        if !spot.has_move() {
            return if drops_pawn && in_check { Entered::PawnDropMate } else { Entered::Score(-MATED + ply as i32) };
        }
        let eval = spot.score(&self.weights);
        let before = ply.checked_sub(2).map(|ply| &self.nodes[ply]);
        let improving = !in_check && before.is_none_or(|before| before.in_check || eval > before.eval);
        let node = &mut self.nodes[ply];
        (node.in_check, node.eval, node.improving) = (in_check, eval, improving);
        node.best = -MATED + ply as i32;
        if ply >= MAX_PLY {
            return Entered::Score(eval);
        }
        // No mate is shorter than one ply from here.
        node.alpha = node.alpha.max(-MATED + ply as i32);
        node.beta = node.beta.min(MATED - ply as i32 - 1);
        if node.alpha >= node.beta {
            return Entered::Score(node.alpha);
        }
        if self.head.has(Technique::Table) {
            if let Some(entry) = self.table.get(key) {
                let score = entry.score(ply);
                let deep = entry.depth as i32 >= node.depth.max(0);
                if !node.open && deep && entry.settles(score, node.alpha, node.beta) {
                    return Entered::Score(score);
                }
                node.known = entry.best;
            }
        }
        if node.quiescence {
            return self.enter_quiescence();
        }
        self.prune()
    }

    /// The start of quiescence: the static evaluation is a lower bound out of check.
    fn enter_quiescence(&mut self) -> Entered {
        let quiescence = self.has(Technique::Quiescence);
        let node = &mut self.nodes[self.ply];
        if !quiescence || node.quiet_ply >= QUIESCENCE_PLIES {
            return Entered::Score(node.eval);
        }
        if !node.in_check {
            node.best = node.eval;
            if node.best >= node.beta {
                return Entered::Score(node.best);
            }
            node.alpha = node.alpha.max(node.best);
        }
        self.start_picker();
        Entered::Moves
    }

    /// Razoring, reverse futility and the null move. The null move is made here.
    fn prune(&mut self) -> Entered {
        let razoring = self.has(Technique::Razoring) && self.has(Technique::Quiescence);
        let (reverse, null) = (self.has(Technique::ReverseFutility), self.has(Technique::NullMove));
        let node = &mut self.nodes[self.ply];
        let Node { alpha, beta, depth, eval, improving, .. } = *node;
        let decided = alpha.abs() >= LONGEST || beta.abs() >= LONGEST;
        if !node.open && !node.in_check && !decided {
            if razoring && depth <= RAZORING_DEPTH && eval + razoring_margin(depth) <= alpha {
                (node.quiescence, node.razored) = (true, true);
                return self.enter_quiescence();
            }
            if reverse && depth <= REVERSE_FUTILITY_DEPTH && eval - reverse_futility_margin(depth, improving) >= beta {
                return Entered::Score(eval);
            }
            if null && depth >= NULL_MOVE_DEPTH && node.last.is_some() && eval >= beta {
                node.waiting = Waiting::Null;
            }
        }
        self.start_picker();
        Entered::Moves
    }

    fn start_picker(&mut self) {
        let (ply, head) = (self.ply, self.head);
        let node = &self.nodes[ply];
        let quiescence = node.quiescence;
        let recaptures = head.has(Technique::Recaptures) && quiescence && node.quiet_ply >= FREE_CAPTURE_PLIES;
        let selection = Selection {
            evasions: node.in_check,
            forcing_only: quiescence && !node.in_check,
            only_on: node.last.filter(|_| recaptures && !node.in_check).map(|last| last.mv.to()),
            by_exchange: head.has(Technique::Exchange) && !node.in_check,
            by_victim: head.has(Technique::CaptureOrder),
            checks_first: head.has(Technique::CheckOrder),
            attacked_first: head.has(Technique::AttackedOrder),
            promotions: head.has(Technique::Promotions),
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

    /// Makes the current move, or a null move, and enters the position after it in the next step.
    pub(super) fn issue(&mut self, child: Child) {
        if self.head.nodes != 0 && self.found.nodes == self.head.nodes {
            self.event = Event::Ended;
            return;
        }
        self.found.nodes += 1;
        let ply = self.ply;
        let (before, after) = self.spots.split_at_mut(ply + 1);
        match child.last {
            Some(Candidate { mv, moved, .. }) => before[ply].make(&self.weights, mv, moved, &mut after[0]),
            None => before[ply].pass(&mut after[0]),
        }
        self.nodes[ply + 1] = Node::enter(child);
        self.ply = ply + 1;
        self.event = Event::Arrived;
    }

    /// No move of this node is made in this step, but there may be more.
    pub(super) fn pick_later(&mut self) {
        self.event = Event::Picking;
    }

    pub(super) fn here(&mut self) -> (&mut Node, &mut Picker, &mut Spot) {
        let ply = self.ply;
        (&mut self.nodes[ply], &mut self.pickers[ply], &mut self.spots[ply])
    }

    pub(super) fn ply(&self) -> usize {
        self.ply
    }

    /// All moves of a node are searched: the step ends here, and the next one begins at the parent.
    pub(super) fn finish(&mut self) {
        let ply = self.ply;
        let node = &mut self.nodes[ply];
        if node.razored {
            node.razored = false;
            if node.best > node.first_alpha {
                // Razoring was wrong.
                (node.quiescence, node.alpha, node.best) = (false, node.first_alpha, -MATED + ply as i32);
                (node.made, node.best_move) = (0, Move16(0));
                self.start_picker();
                return self.pick_later();
            }
        }
        let Node { best, best_move, depth, beta, first_alpha, quiescence, .. } = *node;
        if !quiescence && self.head.has(Technique::Table) {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best > first_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.table.put(self.spots[ply].key(), ply, best_move, best, depth, bound, self.iteration);
        }
        if ply == 0 {
            self.event = Event::Iteration;
            return;
        }
        self.leave();
        self.event = Event::Returned(-best);
    }

    /// The current move has this score, and its search is over.
    pub(super) fn scored(&mut self, score: i32) {
        let ply = self.ply;
        let node = &mut self.nodes[ply];
        if score > node.best {
            node.best = score;
            if score > node.alpha {
                let mv = node.current.mv;
                node.best_move = mv;
                if node.open || ply == 0 {
                    self.raise_line(mv, score);
                }
                let node = &mut self.nodes[ply];
                if score >= node.beta {
                    self.learn();
                    return self.finish();
                }
                node.alpha = score;
            }
        }
        self.pick();
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

    /// A quiet move that has cut off becomes a killer and a counter move.
    fn learn(&mut self) {
        let ply = self.ply;
        let Node { current, last, quiescence, .. } = self.nodes[ply];
        if quiescence || !current.is_quiet() {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != current.mv {
            *killers = [current.mv, killers[0]];
        }
        if let Some(last) = last {
            *self.counter_move(last) = current.mv;
        }
    }
}
