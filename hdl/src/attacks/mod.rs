//! The attack network: which squares the enemy attacks, who gives check, and which pieces are pinned.
//!
//! ```text
//!   entry -> rays -> legality -> arrivals (movegen)
//! ```
//!
//! Two pipeline stages, [`rays`] and [`legality`]; [`ray`] and [`kinds`] are the functions under both.
//! Model: `host/model/src/attacks`.

pub mod kinds;
pub mod legality;
pub mod movers;
pub mod ray;
pub mod rays;

use hayasashi_spec::moves::Direction;

/// The axis of a ray direction: 0 vertical, 1 and 2 diagonal, 3 horizontal.
pub fn axis(direction: Direction) -> usize {
    let d = direction as usize;
    d.min(7 - d)
}

/// The eight ray directions in canonical order.
pub fn ray_directions() -> impl Iterator<Item = Direction> {
    Direction::ALL.into_iter().take(hayasashi_spec::moves::RAYS)
}

/// The opposite of a ray direction.
///
/// # Panics
/// If it is a knight's.
pub fn back(d: Direction) -> Direction {
    d.opposite().expect("a ray direction")
}
