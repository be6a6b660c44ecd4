//! Whether the mover could take the other king: the pieces that attack it.
//!
//! ```text
//!               +-------------+
//!   image 512  =>             => king 81       their king
//!               | CaptureRays => empty 81      empty squares
//!               |             => near 8 x 81   the first parts of the rays from it
//!               +-------------+
//!               +-------------+
//!   image 512  =>             => attackers 81  pieces of the mover's that attack it
//!   king 81    =>   Capture   |
//!   empty 81   =>             |
//!   near 8x81  =>             |
//!               +-------------+
//! ```
//!
//! Handshake: none. `image` stays for both clocks.
//! Latency: one clock each. Throughput: one position in two clocks. Cost: 810 and 81 flip-flops, 8 rays.
//! Method: from the king outwards. On the ray against a direction stands what comes upon the king in that direction.
//! Model: `host/model/src/attacks/danger.rs`. Absent: all other faults (`faults`); where there is a move generator, its pipeline
//! finds this one.

use super::board::{shift, shift_by, Board, Image, Plane};
use crate::attacks::kinds::{groups, slides, steps, Kinds};
use crate::attacks::movers::by_direction;
use crate::attacks::{back, ray};
use crate::network;
use crate::network::{word::or_all, Word};
use hayasashi_spec::moves::{Direction, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// First parts of the rays from their king.
    CaptureRays = capture_rays(CaptureRaysIn) -> CaptureRaysOut {
        in image: Image;
        out king: Plane;
        out empty: Plane;
        out near: [Plane; RAYS];
    }
}

network! {
    /// Pieces that attack their king.
    Capture = capture(CaptureIn) -> CaptureOut {
        in image: Image;
        in king: Plane;
        in empty: Plane;
        in near: [Plane; RAYS];
        out attackers: Plane;
    }
}

fn capture_rays<W: Word>(inputs: CaptureRaysIn<W>) -> CaptureRaysOut<W> {
    let board = Board::from_image(&inputs.image);
    let king = (board.kind(KING) & board.code[4]).named("king");
    let empty = (!board.occupied()).named("empty");
    CaptureRaysOut { king, empty, near: by_direction(|d| ray::near(d, king, empty)) }
}

fn capture<W: Word>(inputs: CaptureIn<W>) -> CaptureOut<W> {
    let CaptureIn { image, king, empty, near } = inputs;
    let board = Board::from_image(&image);
    let kinds = Kinds::of(&board);
    let rays = by_direction(|d| ray::rest(d, near[d as usize], king, empty).named_at("king_ray", d as usize));
    let far = |group: &[Direction]| or_all(group.iter().map(|&d| rays[back(d) as usize]));
    let beside = |group: &[Direction]| or_all(group.iter().map(|&d| shift(back(d), king)));
    let sliding = or_all(groups(slides).iter().zip(kinds.sliders).map(|(group, of_group)| far(group) & of_group));
    let stepping = or_all(groups(steps).iter().zip(kinds.steppers).map(|(group, of_group)| beside(group) & of_group));
    let jumping = (shift_by(1, 2, king) | shift_by(-1, 2, king)) & kinds.knights;
    let attackers = (sliding.named("sliding") | stepping.named("stepping") | jumping.named("jumping")) & !board.code[4];
    CaptureOut { attackers }
}
