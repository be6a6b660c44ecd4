//! Iterations and their windows.

use super::node::Node;
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;

const MATED: i32 = MATE as i32;
const LONGEST: i32 = LONGEST_MATE as i32;

/// What comes after an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iterated {
    /// The iteration has completed: the answer gets its depth, and the score of the root.
    pub completed: bool,
    /// The answer's line becomes empty.
    pub fails_low: bool,
    /// The next iteration, or the same again, with alpha and beta of the root; none if the search ends.
    pub begins: Option<(u8, i32, i32)>,
}

/// After `iteration`, which has left the root so; 0 before the first. `score` is the answer's
/// as it is before this one completes.
pub fn iterate(head: &SearchHead, iteration: u8, score: i32, root: &Node) -> Iterated {
    let (alpha, beta) = (head.alpha as i32, head.beta as i32);
    let whole = |low, high| if low < high { (low, high) } else { (alpha, beta) };
    let mut after = Iterated { completed: false, fails_low: false, begins: None };
    if iteration > 0 {
        let narrow = root.first_alpha > alpha && root.best <= root.first_alpha;
        if narrow || root.beta < beta && root.best >= root.beta {
            // Outside the narrow window: the window opens on that side.
            let (low, high) = if narrow { (alpha, root.beta) } else { (root.first_alpha, beta) };
            let (low, high) = whole(low, high);
            return Iterated { begins: Some((iteration, low, high)), ..after };
        }
        (after.completed, after.fails_low) = (true, root.best <= alpha);
        let mates = root.best.abs() > LONGEST && MATED - root.best.abs() <= iteration as i32;
        if iteration == head.depth || mates {
            return after;
        }
    }
    let next = iteration + 1;
    let narrow = head.has(Technique::Aspiration) && next >= ASPIRATION_DEPTH && score.abs() < LONGEST;
    let (low, high) = match narrow {
        true => whole(alpha.max(score - ASPIRATION_WINDOW), beta.min(score + ASPIRATION_WINDOW)),
        false => (alpha, beta),
    };
    after.begins = Some((next, low, high));
    after
}
