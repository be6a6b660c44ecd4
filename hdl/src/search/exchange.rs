//! The exchange test: what a move gains, and what it loses on its square.
//!
//! ```text
//!                   +----------+
//!   clock          ->          => gain 12
//!   candidate 23   => Exchange => exchange 16
//!   attacks 6 x 81 =>          |
//!                   +----------+
//!
//!   locate -> hit -> balance
//! ```
//!
//! Handshake: none. `attacks` stay for one clock after the candidate: they are looked at when its square is known.
//! Latency: three clocks. Throughput: one candidate per clock.
//! Cost: 169 flip-flops.
//! Model: `host/model/src/search/exchange.rs`. Absent: the planes (`attacks`).

use super::attacks::AttackPlanes;
use super::judge_stages::GAIN_BITS;
use super::node::{Candidate, Score, SCORE_BITS};
use super::number::entry;
use crate::network;
use crate::network::{width, Wire, Wires, Word};
use crate::position::Plane;
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::piece::*;
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

/// Clocks from a candidate to its exchange.
pub const EXCHANGE_CLOCKS: u64 = 3;
/// Planes of attacks.
pub(super) const PLANES: usize = 6;
/// Wires of a piece's value: the king's is the greatest.
pub(super) const VALUE_BITS: usize = 14;

network! {
    /// The square of arrival, and the values of pieces.
    Locate = locate(LocateIn) -> LocateOut {
        in candidate: Candidate;
        out square: Plane;
        out drop: Wire;
        out gain: Wires<GAIN_BITS>;
        out value: Wires<VALUE_BITS>;
    }
}

network! {
    /// Who attacks the square.
    Hit = hit(HitIn) -> HitOut {
        in square: Plane;
        in drop_in: Wire;
        in gain_in: Wires<GAIN_BITS>;
        in value_in: Wires<VALUE_BITS>;
        in attacks: AttackPlanes;
        out hits: Wires<PLANES>;
        out drop: Wire;
        out gain: Wires<GAIN_BITS>;
        out value: Wires<VALUE_BITS>;
    }
}

network! {
    /// What is lost.
    Balance = balance(BalanceIn) -> BalanceOut {
        in hits: Wires<PLANES>;
        in drop: Wire;
        in gain_in: Wires<GAIN_BITS>;
        in value: Wires<VALUE_BITS>;
        out gain: Wires<GAIN_BITS>;
        out exchange: Score;
    }
}

fn values(of: impl Fn(u8) -> i16) -> Vec<u128> {
    (0..16).map(|kind| of(kind) as u128).collect()
}

/// What a move gains at once, and the value of the piece after it.
pub(super) fn worth<W: Word>(c: &Candidate<W>) -> [W; 2] {
    let value = |kind: u8| EXCHANGE_VALUE[kind as usize];
    let capture = |kind: u8| CAPTURE_VALUE[kind as usize];
    let taken = entry(c.captured, &values(|kind| if kind == KING { 0 } else { capture(kind) }), GAIN_BITS);
    let promoted = values(|kind| if promotable(kind) { value(kind | PROMOTED) - value(kind) } else { 0 });
    let added = entry(c.moved, &promoted, GAIN_BITS).when(c.promotes());
    [taken.plus(added, GAIN_BITS), entry(c.becomes().named("becomes"), &values(capture), VALUE_BITS)]
}

/// One wire for each plane: whether a square is in it.
pub(super) fn hits<W: Word>(square: W, attacks: &AttackPlanes<W>) -> W {
    let planes = attacks.own.into_iter().chain(attacks.their);
    W::join(&planes.map(|plane| (plane & square).any()).collect::<Vec<W>>())
}

fn locate<W: Word>(inputs: LocateIn<W>) -> LocateOut<W> {
    let c = inputs.candidate;
    let to = c.to();
    let squares: Vec<W> = (0..SQUARES).map(|s| to.is(s as u128)).collect();
    let [gain, value] = worth(&c);
    LocateOut { square: W::join(&squares), drop: !c.from().below(W::constant(DROP_FROM as u128, 7)), gain, value }
}

fn hit<W: Word>(inputs: HitIn<W>) -> HitOut<W> {
    let HitIn { square, drop_in: drop, gain_in: gain, value_in: value, attacks } = inputs;
    HitOut { hits: hits(square, &attacks), drop, gain, value }
}

fn balance<W: Word>(inputs: BalanceIn<W>) -> BalanceOut<W> {
    let BalanceIn { hits, drop, gain_in: gain, value } = inputs;
    let [once, twice, pawn, minor, major] = [0, 1, 2, 3, 4].map(|i| hits.bit(i));
    let attacked = hits.slice(2, 4).any().named("attacked");
    let supported = drop.choose(once, twice).named("supported");
    let constant = |value: i16| W::constant(value as u128, VALUE_BITS);
    let more = major.choose(constant(LEAST_MAJOR), W::constant((1 << VALUE_BITS) - 1, VALUE_BITS));
    let least = pawn.choose(constant(LEAST_PAWN), minor.choose(constant(LEAST_MINOR), more));
    let regained = least.named("least").when(supported).named("regained");
    let loses = (attacked & !value.below(regained)).named("loses");
    let all = gain.extend(SCORE_BITS).named("all_of_it");
    // The first difference does not wait for what is regained.
    let rest = all.minus(value, SCORE_BITS).plus(regained, SCORE_BITS).named("rest");
    BalanceOut { gain, exchange: loses.choose(rest, all) }
}

/// Finds exchanges.
#[derive(LogicBlock, Default)]
pub struct Exchange {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The move.
    pub candidate: Signal<In, Bits<{ width::<Candidate>() }>>,
    /// Attacks of its position.
    pub attacks: Signal<In, Bits<{ width::<AttackPlanes>() }>>,
    /// What it gains at once.
    pub gain: Signal<Out, Bits<GAIN_BITS>>,
    /// Its exchange.
    pub exchange: Signal<Out, Bits<SCORE_BITS>>,
    locate: Locate,
    hit: Hit,
    balance: Balance,
}

impl Logic for Exchange {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, locate, hit, balance);
        self.locate.candidate.next = self.candidate.val();
        self.hit.square.next = self.locate.square.val();
        self.hit.drop_in.next = self.locate.drop.val();
        self.hit.gain_in.next = self.locate.gain.val();
        self.hit.value_in.next = self.locate.value.val();
        self.hit.attacks.next = self.attacks.val();
        self.balance.hits.next = self.hit.hits.val();
        self.balance.drop.next = self.hit.drop.val();
        self.balance.gain_in.next = self.hit.gain.val();
        self.balance.value.next = self.hit.value.val();
        self.gain.next = self.balance.gain.val();
        self.exchange.next = self.balance.exchange.val();
    }
}
