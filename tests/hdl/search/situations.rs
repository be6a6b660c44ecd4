//! Nodes of real searches, as they are and disturbed, and what the gateware calls them.

use super::bench::{number, wire};
use hayasashi_hdl::network::Value;
use hayasashi_hdl::search::node as hdl;
use hayasashi_model::evaluate::{first_table, EvalTable};
use hayasashi_model::movegen::generate;
use hayasashi_model::position::Position;
use hayasashi_model::search::node::{Child, Node, Waiting};
use hayasashi_model::search::order::Class;
use hayasashi_model::search::spot::{Candidate, Spot};
use hayasashi_model::search::Walker;
use hayasashi_spec::moves::{Move16, MoveRecord};
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use hayasashi_tests::{data_lines, image_from_sfen, link_bench::Rng};
use std::sync::{Arc, OnceLock};

/// Classes of the order.
pub const CLASSES: [Class; 10] = [
    Class::Table,
    Class::Captures,
    Class::FirstKiller,
    Class::SecondKiller,
    Class::CounterMove,
    Class::Checks,
    Class::Attacked,
    Class::King,
    Class::Quiet,
    Class::Losing,
];

fn table() -> &'static Arc<EvalTable> {
    static TABLE: OnceLock<Arc<EvalTable>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(first_table()))
}

/// Where a walker was after some step.
pub struct Situation {
    pub head: SearchHead,
    pub ply: usize,
    pub node: Node,
    pub spot: Spot,
    pub moves: Vec<Candidate>,
}

/// Situations of searches of the data's positions, about `count`.
pub fn situations(count: usize, rng: &mut Rng) -> Vec<Situation> {
    let lines = data_lines("rules/legal_moves.tsv");
    let mut found = Vec::new();
    for line in lines.iter().step_by((lines.len() * 12 / count).max(1)) {
        let (image, _) = image_from_sfen(line.split('\t').next().expect("a first field"));
        let mut head = SearchHead {
            depth: 3 + rng.below(4) as u8,
            table_bits: MIN_TABLE_BITS,
            draw: rng.below(200) as i16 - 100,
            ..SearchHead::default()
        };
        // Mostly all techniques.
        if rng.below(3) == 0 {
            head.techniques &=
                rng.below(1 << Technique::ALL.len()) as u32 | rng.below(1 << Technique::ALL.len()) as u32;
        }
        let mut walker = Walker::new(head, table().clone(), &Position::from(&image), std::iter::empty());
        for _ in 0..12 {
            if !(0..1 + rng.below(60)).all(|_| walker.step()) {
                break;
            }
            let (ply, node, spot) = walker.present();
            let mut records: Vec<MoveRecord> = Vec::new();
            generate(&spot.position, &mut records);
            let moves = records.iter().map(|r| Candidate { mv: r.mv, moved: r.moved(), captured: r.captured() });
            found.push(Situation { head, ply, node: *node, spot: spot.clone(), moves: moves.collect() });
        }
    }
    found
}

/// A number near one of these, or any score.
pub fn near(scores: &[i32], rng: &mut Rng) -> i32 {
    let margin = [3, 40, 900][rng.below(3) as usize];
    let around = match rng.below(12) {
        0 => [LONGEST_MATE as i32, -(LONGEST_MATE as i32)][rng.below(2) as usize],
        1 => [MATE as i32, -(MATE as i32)][rng.below(2) as usize],
        2 => rng.below(60_000) as i32 - 30_000,
        _ => scores[rng.below(scores.len() as u64) as usize],
    };
    (around + rng.below(2 * margin as u64 + 1) as i32 - margin).clamp(-(MATE as i32), MATE as i32)
}

/// Another node like this one. What depends on each other still fits.
pub fn disturbed(node: &Node, rng: &mut Rng) -> Node {
    let mut n = *node;
    if rng.below(6) == 0 {
        return n;
    }
    n.eval = near(&[n.eval], rng).clamp(-30_000, 30_000);
    n.alpha = near(&[n.eval, n.alpha], rng).min(MATE as i32 - 1);
    n.beta = match rng.below(3) {
        0 => (n.alpha + 1 + rng.below(300) as i32).min(MATE as i32),
        _ => n.alpha + 1,
    };
    n.first_alpha = if rng.below(3) == 0 { near(&[n.alpha, n.best], rng).min(n.alpha) } else { n.alpha };
    n.open = n.beta - n.first_alpha > 1;
    n.best = near(&[n.alpha, n.eval, n.beta, n.first_alpha], rng);
    let most = [2, 5, 10, 33][rng.below(4) as usize];
    n.depth = rng.below(most) as i32;
    n.quiescence = n.depth == 0;
    n.razored = !n.quiescence && n.depth <= 3 && rng.below(3) == 0;
    n.quiescence |= n.razored;
    n.quiet_ply = if n.depth == 0 { rng.below(4) as u8 } else { 0 };
    n.cut = rng.below(2) == 0;
    n.in_check = rng.below(4) == 0;
    n.improving = !n.in_check && rng.below(2) == 0;
    let most = [2, 4, 40, 594][rng.below(4) as usize];
    n.made = rng.below(most) as i32;
    n.quiet_evasions = if n.quiescence { rng.below(5) as i32 } else { 0 };
    n.waiting = [Waiting::Null, Waiting::Reduced, Waiting::NullWindow, Waiting::Open][rng.below(4) as usize];
    n.reduced = rng.below(n.depth.max(1) as u64) as i32;
    n.class = CLASSES[rng.below(10) as usize];
    if rng.below(3) == 0 {
        at_a_margin(&mut n, rng);
    }
    n
}

/// Moves the null window of a node to the edge of a margin.
fn at_a_margin(n: &mut Node, rng: &mut Rng) {
    let shallow = n.depth.min(RAZORING_DEPTH);
    let above = match rng.below(4) {
        0 => razoring_margin(shallow),
        1 => futility_margin(rng.below(7) as i32),
        2 => QUIESCENCE_FUTILITY + [0, 90, 450, 540][rng.below(4) as usize],
        _ => -reverse_futility_margin(n.depth.min(REVERSE_FUTILITY_DEPTH), rng.below(2) == 0) - 1,
    };
    n.alpha = (n.eval + above + rng.below(3) as i32 - 1).clamp(-30_000, 30_000);
    (n.beta, n.first_alpha, n.open) = (n.alpha + 1, n.alpha, false);
    n.best = n.best.min(n.alpha);
}

/// Wires of a score.
pub fn score(value: i32) -> Value {
    assert!(value.abs() <= MATE as i32, "{value} is no score");
    number(value, hdl::SCORE_BITS)
}

/// Wires of a move.
pub fn mv(mv: Move16) -> Value {
    Value::new(mv.0 as u128, 15)
}

/// Wires of a depth or a ply.
pub fn plies(plies: i32) -> Value {
    assert!((0..64).contains(&plies), "{plies} plies");
    number(plies, 6)
}

pub fn candidate(c: &Candidate) -> hdl::Candidate {
    hdl::Candidate { mv: mv(c.mv), moved: Value::new(c.moved as u128, 4), captured: Value::new(c.captured as u128, 4) }
}

pub fn head(h: &SearchHead) -> hdl::Head {
    hdl::Head {
        techniques: Value::new(h.techniques as u128, Technique::ALL.len()),
        alpha: score(h.alpha as i32),
        beta: score(h.beta as i32),
        draw: score(h.draw as i32),
        depth: plies(h.depth as i32),
    }
}

pub fn child(c: &Child) -> hdl::Child {
    hdl::Child {
        alpha: score(c.alpha),
        beta: score(c.beta),
        depth: plies(c.depth),
        cut: wire(c.cut),
        quiet_ply: Value::new(c.quiet_ply as u128, 3),
        has_last: wire(c.last.is_some()),
        last: candidate(&c.last.unwrap_or_default()),
    }
}

pub fn node(n: &Node) -> hdl::Node {
    let Node { first_alpha: alpha, beta, depth, cut, quiet_ply, last, .. } = *n;
    hdl::Node {
        child: child(&Child { alpha, beta, depth, cut, quiet_ply, last }),
        alpha: score(n.alpha),
        best: score(n.best),
        eval: score(n.eval),
        best_move: mv(n.best_move),
        known: mv(n.known),
        quiescence: wire(n.quiescence),
        razored: wire(n.razored),
        open: wire(n.open),
        in_check: wire(n.in_check),
        improving: wire(n.improving),
        made: number(n.made, hdl::MADE_BITS),
        evasions: number(n.quiet_evasions.min(3), 2),
        current: candidate(&n.current),
        class: Value::new(n.class as u128, 4),
        waiting: Value::new(n.waiting as u128, 2),
        reduced: plies(n.reduced),
    }
}
