//! Positions in the order in which the walkers of a search come to them.

use super::search::{bench::wire, situations::candidate};
use hayasashi_hdl::network::Value;
use hayasashi_hdl::search::keys::Change;
use hayasashi_model::{
    movegen::{generate, make_move},
    position::Position,
    search::spot::Candidate,
};
use hayasashi_spec::{
    moves::MoveRecord,
    piece::{KING, SIDE},
    position::PositionImage,
};
use hayasashi_tests::link_bench::Rng;

/// Walkers of a chip.
pub const WALKERS: usize = 4;
/// Plies of a walker, at most: as many as a search has.
const PLIES: usize = 40;

/// A position that a walker comes to.
pub struct Visit {
    pub walker: usize,
    pub ply: usize,
    pub position: Position,
    /// The move that leads there; none at the root, and for a null move.
    pub last: Option<Candidate>,
}

impl Visit {
    pub fn image(&self) -> PositionImage {
        PositionImage::from(&self.position)
    }

    pub fn row(&self) -> u64 {
        ((self.walker % WALKERS) << 6 | self.ply) as u64
    }

    pub fn change(&self) -> Change<Value> {
        Change { candidate: candidate(&self.last.unwrap_or_default()), pass: wire(self.last.is_none()) }
    }
}

/// Walkers begin at these positions. From each they visit so many more: they go down by moves of all kinds and by null moves, and up
/// again by any number of plies.
pub fn visits(roots: &[PositionImage], moves: usize, rng: &mut Rng) -> Vec<Visit> {
    let mut visits = Vec::new();
    for roots in roots.chunks(WALKERS) {
        let mut paths: Vec<Vec<Position>> = roots.iter().map(|root| vec![Position::from(root)]).collect();
        let root = |(walker, path): (usize, &Vec<Position>)| Visit { walker, ply: 0, position: path[0], last: None };
        visits.extend(paths.iter().enumerate().map(root));
        for _ in 0..moves * roots.len() {
            let walker = rng.below(roots.len() as u64) as usize;
            let path = &mut paths[walker];
            if rng.below(4) == 0 || path.len() == PLIES {
                path.truncate(1 + rng.below(path.len() as u64) as usize);
            }
            let Some((last, position)) = child(path.last().expect("a root"), rng) else {
                path.truncate(1);
                continue;
            };
            path.push(position);
            visits.push(Visit { walker, ply: path.len() - 1, position, last });
        }
    }
    visits
}

/// Whether a king on this square sees the board in a mirror.
pub fn is_far(square: usize) -> bool {
    square / SIDE >= 5
}

/// Panics unless all kinds of moves are among these.
pub fn check_variety(visits: &[Visit]) {
    let count = |kind: &dyn Fn(&Candidate) -> bool| visits.iter().filter_map(|visit| visit.last).filter(kind).count();
    let crosses = |c: &Candidate| c.moved == KING && is_far(c.mv.from() as usize) != is_far(c.mv.to() as usize);
    let kinds = [
        ("captures", count(&|c| c.captured != 0)),
        ("drops", count(&|c| c.mv.dropped().is_some())),
        ("promotions", count(&|c| c.mv.promotes())),
        ("kings that cross to files in a mirror", count(&crosses)),
        ("null moves", visits.iter().filter(|visit| visit.ply > 0 && visit.last.is_none()).count()),
    ];
    for (kind, count) in kinds {
        assert!(count >= 20, "only {count} {kind} of {}", visits.len());
    }
}

/// A position after any move, mostly one of those that change much, or after a null move.
fn child(position: &Position, rng: &mut Rng) -> Option<(Option<Candidate>, Position)> {
    if rng.below(10) == 0 {
        return Some((None, position.turned()));
    }
    let mut records: Vec<MoveRecord> = Vec::new();
    generate(position, &mut records);
    let wanted = rng.below(5);
    let some: Vec<&MoveRecord> = match wanted {
        0 => records.iter().filter(|record| record.moved() == KING).collect(),
        1 | 2 => records.iter().filter(|record| record.captured() != 0).collect(),
        3 => records.iter().filter(|record| record.mv.dropped().is_some()).collect(),
        _ => Vec::new(),
    };
    let some = if some.is_empty() { records.iter().collect() } else { some };
    // A king that is left in check after a null move is not captured.
    let some: Vec<&MoveRecord> = some.into_iter().filter(|record| record.captured() != KING).collect();
    let record = some.get(rng.below(some.len().max(1) as u64) as usize)?;
    let last = Candidate { mv: record.mv, moved: record.moved(), captured: record.captured() };
    Some((Some(last), make_move(position, record.mv)))
}
