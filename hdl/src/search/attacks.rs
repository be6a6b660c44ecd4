//! Planes of attacks for the exchange test.
//!
//! ```text
//!                +----------+
//!   clock       ->          => attacks 6 x 81   see `AttackPlanes`
//!   board 447   =>  Attacks |
//!                +----------+
//!
//!   reach -> gather
//! ```
//!
//! Handshake: none.
//! Latency: two clocks. Throughput: one position per clock.
//! Cost: 17 rays, and 4,455 flip-flops, of which synthesis merges those of equal planes.
//! Method: a ray is made over two clocks, as in `attacks::rays`. Each direction counts once for a square; of two directions
//! one carries: a square that both attack is attacked twice.
//! Model: `host/model/src/search/exchange.rs`. Absent: pins, and pieces behind other pieces, which do not count.

use crate::attacks::kinds::Kinds;
use crate::attacks::movers::by_direction;
use crate::attacks::{back, ray, ray_directions};
use crate::network::{width, word::or_all, Word};
use crate::position::board::{shift, shift_by};
use crate::position::{Board, Plane};
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Clocks from a position to its planes of attacks.
pub const ATTACKS_CLOCKS: u64 = 2;

bundle! {
    /// Squares that each side attacks.
    pub struct AttackPlanes {
        /// Squares that the mover attacks once or more often, and twice or more often.
        own: [Plane; 2],
        /// Squares that they attack: with pawns; with lances, knights, silvers or golds; with bishops or rooks; with the king.
        their: [Plane; 4],
    }
}

bundle! {
    /// Pieces that slide, by side, and the first parts of their rays.
    pub struct Sliders {
        /// The mover's, by direction.
        own: [Plane; RAYS],
        /// The first parts of their rays.
        own_near: [Plane; RAYS],
        /// Their bishops and rooks, promoted or not, by direction of travel.
        their: [Plane; RAYS],
        /// The first parts of their rays.
        their_near: [Plane; RAYS],
        /// Their lances.
        lances: Plane,
        /// The first parts of their rays.
        lances_near: Plane,
        /// Empty squares.
        empty: Plane,
    }
}

bundle! {
    /// Squares that pieces attack which go one step or jump.
    pub struct Near {
        /// The mover's, by direction of travel; then knights.
        own: [Plane; 10],
        /// Theirs: pawns, lances to golds, horses and dragons, the king.
        their: [Plane; 4],
    }
}

network! {
    /// Decodes a position; first parts of rays, and steps.
    Reach = reach(ReachIn) -> ReachOut {
        in board: Board;
        out sliders: Sliders;
        out near: Near;
    }
}

network! {
    /// The rest of the rays, and all attacks together.
    Gather = gather(GatherIn) -> GatherOut {
        in sliders: Sliders;
        in near: Near;
        out attacks: AttackPlanes;
    }
}

/// Kinds that move as a gold.
fn is_gold(kind: u8) -> bool {
    matches!(kind, GOLD | PRO_PAWN | PRO_LANCE | PRO_KNIGHT | PRO_SILVER)
}

fn reach<W: Word>(inputs: ReachIn<W>) -> ReachOut<W> {
    let board = inputs.board;
    let (own, theirs) = (board.own().named("own"), board.theirs().named("theirs"));
    let empty = (!board.occupied()).named("empty");
    let kinds = Kinds::of(&board);

    let own_sliders = by_direction(|d| kinds.sliders(d) & own);
    // Rooks slide south, bishops south-east; so do dragons and horses.
    let straight = (kinds.sliders(Direction::South) & theirs).named("straight");
    let diagonal = (kinds.sliders(Direction::SouthEast) & theirs).named("diagonal");
    let is_straight = |d: Direction| d.slides(ROOK);
    let their_sliders = by_direction(|d| if is_straight(d) { straight } else { diagonal });
    let lances = (board.kind(LANCE) & theirs).named("their_lances");

    let knights = (kinds.knights & own).named("own_knights");
    let steps: Vec<W> = ray_directions().map(|d| shift(d, kinds.steppers(d) & own)).collect();
    let jumps = [Direction::KnightEast, Direction::KnightWest].map(|d| shift(d, knights));
    let own_near: Vec<W> = steps.into_iter().chain(jumps).collect();

    // A piece of theirs goes the opposite way.
    let their_steps = |wanted: &dyn Fn(Direction, u8) -> bool| {
        or_all(ray_directions().map(|d| {
            let there = board.kinds(|kind| wanted(back(d), kind) && back(d).steps(kind) && !back(d).slides(kind));
            shift(d, there & theirs)
        }))
    };
    let their_knights = (kinds.knights & theirs).named("their_knights");
    let jumped = shift_by(1, 2, their_knights) | shift_by(-1, 2, their_knights);
    let their_near = [
        their_steps(&|_, kind| kind == PAWN),
        their_steps(&|_, kind| kind == SILVER || is_gold(kind)) | jumped,
        their_steps(&|_, kind| matches!(kind, HORSE | DRAGON)),
        their_steps(&|_, kind| kind == KING),
    ];
    let near_rays = |d: Direction, pieces: W| ray::near(d, pieces, empty);
    ReachOut {
        sliders: Sliders {
            own: own_sliders,
            own_near: by_direction(|d| near_rays(d, own_sliders[d as usize])),
            their: their_sliders,
            their_near: by_direction(|d| near_rays(d, their_sliders[d as usize])),
            lances,
            lances_near: near_rays(Direction::South, lances),
            empty,
        },
        near: Near { own: std::array::from_fn(|i| own_near[i]), their: their_near },
    }
}

fn gather<W: Word>(inputs: GatherIn<W>) -> GatherOut<W> {
    let GatherIn { sliders: s, near } = inputs;
    let rest = |d: Direction, near: W, pieces: W| ray::rest(d, near, pieces, s.empty);
    let rays = by_direction(|d| rest(d, s.own_near[d as usize], s.own[d as usize]));
    let own: Vec<W> =
        near.own.iter().enumerate().map(|(i, &steps)| rays.get(i).map_or(steps, |&ray| steps | ray)).collect();
    let [once, twice] = counted(&own);
    let their_rays = or_all(by_direction(|d| rest(d, s.their_near[d as usize], s.their[d as usize])));
    let lances = rest(Direction::South, s.lances_near, s.lances);
    let [pawns, minors, majors, king] = near.their;
    GatherOut {
        attacks: AttackPlanes { own: [once, twice], their: [pawns, minors | lances, majors | their_rays, king] },
    }
}

/// Squares that are in one plane or more, and in two or more.
pub(super) fn counted<W: Word>(planes: &[W]) -> [W; 2] {
    match planes {
        [one] => [*one, W::zero(one.width())],
        more => {
            let (left, right) = more.split_at(more.len() / 2);
            let ([a, aa], [b, bb]) = (counted(left), counted(right));
            [a | b, aa | bb | (a & b)]
        }
    }
}

/// Finds attacks.
#[derive(LogicBlock, Default)]
pub struct Attacks {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The position.
    pub board: Signal<In, Bits<{ width::<Board>() }>>,
    /// Its planes of attacks.
    pub attacks: Signal<Out, Bits<{ width::<AttackPlanes>() }>>,
    reach: Reach,
    gather: Gather,
}

impl Logic for Attacks {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, reach, gather);
        self.reach.board.next = self.board.val();
        self.gather.sliders.next = self.reach.sliders.val();
        self.gather.near.next = self.reach.near.val();
        self.attacks.next = self.gather.attacks.val();
    }
}
