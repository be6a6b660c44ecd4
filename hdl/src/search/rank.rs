//! The rank of a move in the order: whether it is one of the class that is looked for, and its key.
//!
//! ```text
//!                    +--------+
//!   forget          ->        => ranked 33      see `Ranked`
//!   selection 16    =>  Rank  => candidate 23
//!   special 4 x 15  =>        |
//!   tag 12          =>        |
//!   described 38    =>        |
//!                    +--------+
//! ```
//!
//! Handshake: none. Latency: one clock. Throughput: one move per clock.
//! Model: `host/model/src/search/{order,spot}.rs`. Absent: the exchange, which comes at the same time (`exchange`).

use super::aim::ScanTag;
use super::describe::{Described, Relation};
use super::node::{Candidate, Class, Move};
use super::number::entry;
use super::order::*;
use crate::attacks::ray_directions;
use crate::network::word::or_all;
use crate::network::{Wire, Word};
use crate::{bundle, network};
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::piece::*;
use hayasashi_spec::search_table::{MOVER_RANK, VICTIM_RANK};
use rust_hdl::prelude::*;

bundle! {
    /// The rank of a move.
    pub struct Ranked {
        /// It is in the class, unless its exchange says otherwise.
        counts: Wire,
        /// No move is left.
        end: Wire,
        /// It is the last one of its level.
        last: Wire,
        /// The level's moves come in the order of their keys.
        sorted: Wire,
        /// The class.
        class: Class,
        /// Its key.
        key: Key,
        /// It gives check.
        checks: Wire,
    }
}

network! {
    /// Ranks moves.
    Rank = rank(RankIn) -> RankOut {
        in forget: Wire;
        in selection: Selection;
        in special: [Move; SPECIAL];
        in tag: ScanTag;
        in described: Described;
        out ranked: Ranked;
        out candidate: Candidate;
    }
}

/// One wire: whether a number is one of these.
fn among<W: Word>(number: W, is: impl Fn(usize) -> bool) -> W {
    let table: Vec<u128> = (0..1 << number.width()).map(|i| is(i) as u128).collect();
    entry(number, &table, 1)
}

/// One wire: whether a piece of this kind attacks their king.
fn checks<W: Word>(relation: &Relation<W>, kind: W) -> W {
    let of = |is: &dyn Fn(u8) -> bool| among(kind, |k| is(k as u8));
    let steps = ray_directions().map(|d| {
        let stepper = of(&|kind| kind != KING && d.steps(kind) && !d.slides(kind));
        relation.steps.bit(d as usize) & stepper
    });
    or_all(steps)
        | (relation.straight & of(&|kind| matches!(kind, ROOK | DRAGON)))
        | (relation.south & of(&|kind| kind == LANCE))
        | (relation.diagonal & of(&|kind| matches!(kind, BISHOP | HORSE)))
        | (relation.knight & of(&|kind| kind == KNIGHT))
}

fn rank<W: Word>(inputs: RankIn<W>) -> RankOut<W> {
    let RankIn { forget, selection: s, special, tag, described } = inputs;
    let Described { candidate: c, relation, attacked, before_last, in_zone } = described;
    let promotes = c.promotes();
    let captures = c.captured.any().named("captures");
    let quiet = !(captures | promotes);
    let class = |class: usize| tag.class.is(class as u128);
    let checks = checks(&relation, c.becomes().named("becomes")).named("checks");

    // A promotion that is never worse is left out.
    let always =
        among(c.moved, |kind| matches!(kind as u8, PAWN | BISHOP | ROOK)) | (c.moved.is(LANCE as u128) & before_last);
    let spurns = (s.promotions & in_zone & !promotes & always).named("spurns");
    let same = special.map(|mv| mv.equals(c.mv));
    let table_move = same[0];
    let picked = or_all(same).named("special_move");

    let killers = or_all((1..SPECIAL).map(|i| class(KILLER + i - 1) & same[i])) & quiet;
    let forcing = (class(CAPTURES) | class(LOSING)).named("forcing");
    let early = (s.checks_first & checks).named("early");
    let left = !picked & !spurns;
    let counts = (class(TABLE) & table_move)
        | killers
        | (forcing & !table_move & !spurns)
        | (class(CHECKS) & checks & left)
        | (class(ATTACKED) & !early & left)
        | (class(KING_MOVES) & left)
        | (class(QUIET) & left & (s.evasions | !(early | (s.attacked_first & attacked))));

    let ranks = |of: &[u8; 16]| of.map(u128::from);
    let victim = entry(c.captured, &ranks(&VICTIM_RANK), 4);
    let mover = entry(c.moved, &ranks(&MOVER_RANK), 4).named("mover_rank");
    let by_victim = W::join(&[mover, !promotes, victim, W::zero(2)]).when(forcing & s.by_victim);
    let by_piece = W::join(&[c.from(), !mover]).when(class(ATTACKED));
    let drop = !c.from().below(W::constant(DROP_FROM as u128, 7));
    let destination = c.to().plus(W::constant(1, 1), 7).named("destination");
    let group = W::join(&[(captures & !promotes) | drop, promotes & !captures]);
    let key = W::join(&[destination, tag.index, group, by_victim | by_piece]);
    RankOut {
        ranked: Ranked {
            counts: counts & tag.valid & !forget,
            end: tag.end & !forget,
            last: tag.valid & tag.last & !forget,
            sorted: tag.sorted,
            class: tag.class,
            key,
            checks,
        },
        candidate: c,
    }
}
