//! Chooses the first of the moves behind the one picked last.
//!
//! ```text
//!                     +----------+
//!   forget           ->          => ranked_out 33   with the counter in its key; it counts only in its class
//!   selection 16     =>          => candidate_out, gain_out, exchange_out
//!   ranked 33        =>   List   |
//!   counter 8        =>          |
//!   candidate 23     =>          |
//!   gain 12          =>          |
//!   exchange 16      =>          |
//!                     +----------+
//!                     +----------+
//!   clear            ->          -> done            the move is chosen, or none is left
//!   after 28         =>          => chosen 85       see `Chosen`; back to `chosen_in`
//!   of List          =>  Choose  => others 3 x 85   those behind it, as far as they are known; back to `others_in`
//!   done_in          ->          -> more            the one behind it can follow
//!   several_in       ->          -> several         the level had more than one; back to `several_in`
//!   chosen_in 85     =>          |
//!   others_in 3 x 85 =>          |
//!                     +----------+
//! ```
//!
//! Handshake: `clear` forgets the last choice, `forget` the move before it. `done` is high for one clock. With `more`, the move behind the one
//! chosen is chosen next; without, moves have been passed over. `after` may become the place of the move chosen, a clock later.
//! Latency: one clock each. Throughput: one move per clock. Cost: 84 and 337 flip-flops.
//! Method: of a level whose moves are not sorted, the least key behind that of the move picked last, and the next three; else the first move
//! behind it. The new key is compared with all of them at the same time.
//! Model: `host/model/src/search/order.rs`.

use super::judge_stages::GAIN_BITS;
use super::node::{Candidate, Class, Score, SCORE_BITS};
use super::order::*;
use super::rank::Ranked;
use crate::network::word::or_all;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

bundle! {
    /// A move and what is told of it.
    pub struct Chosen {
        /// There is one.
        valid: Wire,
        /// The move.
        candidate: Candidate,
        /// Its class, or the end.
        class: Class,
        /// Its place.
        place: Place,
        /// It gives check.
        checks: Wire,
        /// What it gains at once.
        gain: Wires<GAIN_BITS>,
        /// Its exchange.
        exchange: Score,
    }
}

/// Moves behind the one chosen that are told with it.
pub const OTHERS: usize = 3;

network! {
    /// A move with its key.
    List = list(ListIn) -> ListOut {
        in forget: Wire;
        in selection: Selection;
        in ranked: Ranked;
        in counter: Wires<8>;
        in candidate: Candidate;
        in gain: Wires<GAIN_BITS>;
        in exchange: Score;
        out ranked_out: Ranked;
        out candidate_out: Candidate;
        out gain_out: Wires<GAIN_BITS>;
        out exchange_out: Score;
    }
}

network! {
    /// Chooses a move.
    Choose = choose(ChooseIn) -> ChooseOut {
        in clear: Wire;
        in after: Place;
        in ranked: Ranked;
        in candidate: Candidate;
        in gain: Wires<GAIN_BITS>;
        in exchange: Score;
        in done_in: Wire;
        in several_in: Wire;
        in chosen_in: Chosen;
        in others_in: [Chosen; OTHERS];
        out done: Wire;
        out more: Wire;
        out several: Wire;
        out chosen: Chosen;
        out others: [Chosen; OTHERS];
    }
}

fn list<W: Word>(inputs: ListIn<W>) -> ListOut<W> {
    let ListIn { forget, selection, ranked: r, counter, candidate, gain, exchange } = inputs;
    let class = |class: usize| r.class.is(class as u128);
    let by_counter = (selection.by_history & class(QUIET)).named("by_counter");
    let key = r.key | W::join(&[W::zero(KEY_FIRST), counter.when(by_counter)]).extend(KEY_BITS);
    let loses = (selection.by_exchange & exchange.bit(SCORE_BITS - 1)).named("loses");
    let in_class = ((!class(CAPTURES) | !loses) & (!class(LOSING) | loses)).named("in_class");
    let counts = r.counts & in_class & !forget;
    let ranked_out = Ranked { key, counts, last: r.last & !forget, end: r.end & !forget, ..r };
    ListOut { ranked_out, candidate_out: candidate, gain_out: gain, exchange_out: exchange }
}

fn choose<W: Word>(inputs: ChooseIn<W>) -> ChooseOut<W> {
    let ChooseIn { clear, after, ranked: r, candidate, gain, exchange, .. } = inputs;
    // The last choice was told.
    let [told, best] = [inputs.done_in, inputs.chosen_in.valid];
    let best = Chosen { valid: best & !told, ..inputs.chosen_in };
    let class = |class: usize| r.class.is(class as u128);
    let behind = !r.class.equals(after.class) | after.key.below(r.key);
    let first = !best.valid | r.key.below(best.place.key);
    let eligible = (r.counts & behind.named("behind")).named("eligible");
    let better = (eligible & first.named("first")).named("better");
    let several = ((eligible & best.valid) | (inputs.several_in & !told)).named("several_of_level");
    let done = ((better & r.sorted) | (r.last & (better | best.valid)) | r.end) & !clear;

    let is_special = or_all([TABLE, KILLER, KILLER + 1, COUNTER].map(class)).named("is_special");
    let next_class = r.class.plus(W::constant(1, 1), 4).named("next_class");
    let place = Place { class: is_special.choose(next_class, r.class), key: r.key.when(!is_special) };
    let new = Chosen { valid: W::constant(1, 1), candidate, class: r.class, place, checks: r.checks, gain, exchange };
    let end = W::constant(END as u128, 4);
    let none = Chosen { class: end, place: Place { class: end, key: W::zero(KEY_BITS) }, ..best };
    let chosen = Chosen::choose(better, &new, &Chosen::choose(r.end, &none, &best));
    let kept = |c: Chosen<W>| Chosen { valid: c.valid & !clear, ..c };
    // Those behind the first are in the order of their keys: each stays, or is the new one, or the one before it.
    let (mut before, mut comes_before) = (best, better);
    let others = inputs.others_in.map(|other| {
        let other = Chosen { valid: other.valid & !told, ..other };
        let comes = eligible & (!other.valid | r.key.below(other.place.key));
        let moved = Chosen::choose(comes_before, &before, &new);
        (before, comes_before) = (other, comes);
        kept(Chosen::choose(comes, &moved, &other))
    });
    let more = (r.sorted | !several) & !r.end;
    ChooseOut { done, more, several: several & !clear, chosen: kept(chosen), others }
}
