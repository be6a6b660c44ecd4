//! Iterative deepening at the root.

use super::{
    control::Control,
    order::{pick, Order, Scored},
    path::Path,
    score::{Told, INFINITE, LONGEST_MATE, MATE},
    source::Source,
    time::{Budget, Limits, TimeControl},
    transposition::Transposition,
    tree::{Tree, MAX_PLY},
    view,
};
use crate::{
    accel::AccelError,
    rules::{Declaration, DeclarationRule, Move},
};
use hayasashi_spec::moves::{Move16, FLAG_CHECK};
use std::time::Duration;

/// A search that can be asked again and again; it keeps what it learned about positions and moves.
pub struct Searcher {
    source: Source,
    table: Transposition,
    order: Order,
    /// Kept back of each time limit for the way to the GUI and back.
    pub margin: Duration,
    /// By which rule a win may be declared, if at all.
    pub rule: Option<DeclarationRule>,
}

/// What a search knows after an iteration, or at its end.
#[derive(Clone, Debug)]
pub struct Report {
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Deepest ply reached, quiescence included.
    pub selective_depth: u32,
    /// Score for the mover, see [`super::score`].
    pub score: i32,
    /// Moves made so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The best line.
    pub pv: Vec<Move>,
    /// Part of the transposition table in use, in thousandths.
    pub hash_permille: usize,
}

impl Report {
    /// The score as it is told.
    pub fn told(&self) -> Told {
        Told::of(self.score)
    }

    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

/// What the searcher would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play this move and expect the other as the answer.
    Move(Move, Option<Move>),
    /// Declare a win by entering king.
    Declare,
    /// Resign: no legal move, or none of those asked for.
    Resign,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What to do.
    pub decision: Decision,
    /// What is known; `pv` is empty unless a move is chosen.
    pub report: Report,
    /// The back end failed; the rest is what was known by then.
    pub failure: Option<AccelError>,
}

impl Searcher {
    /// A searcher that asks `source`, with a transposition table of so many mebibytes.
    pub fn new(source: Source, hash_mebibytes: usize) -> Searcher {
        Searcher {
            source,
            table: Transposition::new(hash_mebibytes),
            order: Order::default(),
            margin: Duration::from_millis(100),
            rule: Some(DeclarationRule::default()),
        }
    }

    /// Forgets everything learned: the next search is as the first one.
    pub fn clear(&mut self) {
        self.table.clear();
        self.order = Order::default();
    }

    /// Where moves and scores come from.
    pub fn source(&mut self) -> &mut Source {
        &mut self.source
    }

    /// Searches a position. `only` limits the moves at the root (empty: all); `tell` hears of each iteration.
    ///
    /// Under limits of depth and nodes alone, and from the same state of the searcher, the result is the same on
    /// every back end and in every run.
    pub fn search(
        &mut self,
        pos: &Path,
        limits: &Limits,
        only: &[Move],
        control: &Control,
        tell: &mut dyn FnMut(&Report),
    ) -> Outcome {
        self.table.age();
        self.order.age();
        let mut tree = Tree {
            pos: pos.clone(),
            source: &mut self.source,
            table: &mut self.table,
            order: &mut self.order,
            control,
            budget: limits.time.map(|t| t.budget(self.margin)),
            rule: self.rule,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            selective_depth: 0,
            root_depth: 0,
            failure: None,
            aborted: false,
            pv: vec![Vec::new(); MAX_PLY + 2],
            moves: Vec::new(),
        };
        let mut report = Report {
            depth: 0,
            selective_depth: 0,
            score: -MATE,
            nodes: 0,
            elapsed: Duration::ZERO,
            pv: Vec::new(),
            hash_permille: 0,
        };
        let declares = |rule| pos.declaration(rule) == Declaration::Win;
        if only.is_empty() && self.rule.is_some_and(declares) {
            report.score = MATE;
            return Outcome { decision: Decision::Declare, report, failure: None };
        }
        let color = pos.side_to_move();
        let mut root = match tree.generate() {
            Some(_) => std::mem::take(&mut tree.moves),
            None => return Outcome { decision: Decision::Resign, report, failure: tree.failure },
        };
        root.retain(|s| only.is_empty() || only.contains(&view::to_move(s.record.mv, color)));
        if root.is_empty() {
            return Outcome { decision: Decision::Resign, report, failure: None };
        }
        let side = tree.side();
        let known = tree.table.get(pos.key()).and_then(|e| e.best);
        for scored in &mut root {
            scored.rank = tree.order.rank(scored.record, known, 0, side);
        }
        for at in 0..root.len() {
            pick(&mut root[at..]);
        }
        let mut best = vec![root[0].record.mv];
        let last = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32);
        for depth in 1..=last {
            tree.root_depth = depth as i32;
            let score = iteration(&mut tree, &mut root, depth as i32, report.score, &mut best);
            let nodes = tree.nodes;
            if let Some(score) = score {
                report.score = score;
            }
            if !tree.aborted {
                report.depth = depth;
            }
            report.selective_depth = tree.selective_depth as u32;
            report.nodes = nodes;
            report.elapsed = control.elapsed();
            report.hash_permille = tree.table.permille();
            report.pv = line(&best, pos);
            if tree.aborted {
                break;
            }
            tell(&report);
            if !limits.infinite && is_enough(&report, limits, root.len(), tree.budget, control) {
                break;
            }
        }
        let decision = Decision::Move(report.pv[0], report.pv.get(1).copied());
        Outcome { decision, report, failure: tree.failure }
    }
}

/// Whether another iteration is not worth its time.
fn is_enough(report: &Report, limits: &Limits, moves: usize, budget: Option<Budget>, control: &Control) -> bool {
    if report.score.abs() > LONGEST_MATE && MATE - report.score.abs() <= report.depth as i32 {
        return true;
    }
    match (budget, control.clock(), limits.time) {
        (Some(budget), Some(clock), Some(time)) => {
            let forced = moves == 1 && matches!(time, TimeControl::Clock(_));
            // An iteration takes several times as long as the one before.
            forced || clock >= budget.soft || budget.soft < budget.hard && clock >= budget.soft / 2
        }
        _ => false,
    }
}

/// One iteration with an aspiration window around the score before. `best` receives the line of each better move;
/// the score is `None` when the iteration was broken off before its first move was done.
fn iteration(tree: &mut Tree, root: &mut [Scored], depth: i32, before: i32, best: &mut Vec<Move16>) -> Option<i32> {
    let mut width = 40;
    let (mut alpha, mut beta) = if depth >= 4 && before.abs() < LONGEST_MATE {
        (before - width, before + width)
    } else {
        (-INFINITE, INFINITE)
    };
    loop {
        let score = search_root(tree, root, alpha, beta, depth, best);
        if tree.aborted {
            return score;
        }
        let found = score.expect("an iteration that was not broken off has a score");
        width *= 4;
        if found <= alpha {
            alpha = if width > 1000 { -INFINITE } else { (found - width).max(-INFINITE) };
        } else if found >= beta {
            beta = if width > 1000 { INFINITE } else { (found + width).min(INFINITE) };
        } else {
            return score;
        }
    }
}

fn search_root(
    tree: &mut Tree,
    root: &mut [Scored],
    alpha: i32,
    beta: i32,
    depth: i32,
    best_line: &mut Vec<Move16>,
) -> Option<i32> {
    let mut alpha = alpha;
    let mut best = None;
    tree.moves.clear();
    tree.moves.extend_from_slice(root);
    for at in 0..root.len() {
        tree.look_ahead(0, at);
        let record = root[at].record;
        let checks = record.flags & FLAG_CHECK != 0;
        tree.make(record);
        let score = if at == 0 {
            -tree.search(-beta, -alpha, depth - 1, 1, checks)
        } else {
            let reduced = depth - 1 - (depth >= 4 && at > 8 && !checks) as i32;
            let mut score = -tree.search(-alpha - 1, -alpha, reduced, 1, checks);
            if score > alpha && reduced < depth - 1 {
                score = -tree.search(-alpha - 1, -alpha, depth - 1, 1, checks);
            }
            if score > alpha && score < beta {
                score = -tree.search(-beta, -alpha, depth - 1, 1, checks);
            }
            score
        };
        tree.pos.undo_move();
        if tree.aborted {
            return best.filter(|_| at > 0);
        }
        if best.is_none_or(|b| score > b) {
            best = Some(score);
            if score > alpha {
                alpha = score;
                best_line.clear();
                best_line.push(record.mv);
                best_line.extend_from_slice(&tree.pv[1]);
                root[..=at].rotate_right(1);
                if score >= beta {
                    return best;
                }
            }
        }
    }
    best
}

/// A line in the mover's view of each of its plies, as moves of the board.
fn line(moves: &[Move16], pos: &Path) -> Vec<Move> {
    let mut color = pos.side_to_move();
    let to_move = |&mv: &Move16| {
        let m = view::to_move(mv, color);
        color = color.opponent();
        m
    };
    moves.iter().map(to_move).collect()
}
