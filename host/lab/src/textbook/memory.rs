//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null-window searches with a memory, each at the bound that the one before
//! found, until the bounds from below and above meet. Begun above every value it is SSS*: it visits the same positions in the same
//! order.
//!
//! The memory is the visited tree itself, so it holds everything, and equal positions on different paths stay apart.

use super::{
    search::moves_to_search,
    tree::{Tree, Visits},
    Deterministic, SearchResult, TreeLimits, Turn,
};

/// Searches from the bound `first` on.
pub(super) fn mtd<G: Deterministic>(
    game: &G,
    limits: TreeLimits,
    first: i32,
    tree: Option<&mut Tree>,
) -> SearchResult<G::Move> {
    let beyond = G::MAX_VALUE + 1;
    let mut search = Mtd { limits, visits: Visits::new(tree) };
    let mut bound = first;
    let mut root = search.visit(game.clone(), None, None, 0, bound);
    while root.lower < root.upper {
        // The window is (bound − 1, bound).
        bound = if bound == root.lower { bound + 1 } else { bound };
        bound = search.test(&mut root, 0, bound);
    }
    debug_assert!(root.lower == root.upper && root.upper < beyond);
    SearchResult { value: root.upper, line: root.line(), nodes: search.visits.nodes }
}

/// A position in memory, with bounds of its value.
struct Known<G: Deterministic> {
    game: G,
    lower: i32,
    upper: i32,
    /// The static value, where the mover may take it instead of a move.
    stand_pat: Option<i32>,
    moves: Vec<G::Move>,
    /// The positions after the first moves, as far as they have been visited.
    children: Vec<Known<G>>,
    recorded: usize,
}

impl<G: Deterministic> Known<G> {
    /// The moves to the leaf that the value is from, at a position whose bounds are equal.
    fn line(&self) -> Vec<G::Move> {
        let exact = |lower: i32, upper: i32| lower == self.lower && upper == self.upper;
        if self.stand_pat.is_some_and(|value| exact(value, value)) {
            return Vec::new();
        }
        let next = self.children.iter().zip(&self.moves).find(|(child, _)| exact(child.lower, child.upper));
        next.map_or_else(Vec::new, |(child, mv)| std::iter::once(mv.clone()).chain(child.line()).collect())
    }
}

struct Mtd<'a> {
    limits: TreeLimits,
    visits: Visits<'a>,
}

impl Mtd<'_> {
    /// Takes a position into memory. A leaf's bounds are its value.
    fn visit<G: Deterministic>(
        &mut self,
        game: G,
        mv: Option<&G::Move>,
        parent: Option<usize>,
        depth: u32,
        bound: i32,
    ) -> Known<G> {
        let (moves, stand_pat) = moves_to_search(&game, self.limits, depth);
        let recorded = self.visits.add(parent, &game, mv, (bound - 1, bound), moves.len());
        let beyond = G::MAX_VALUE + 1;
        let (mut lower, mut upper) = (-beyond, beyond);
        if moves.is_empty() {
            lower = game.value();
            upper = lower;
            self.visits.set_value(recorded, lower);
        }
        Known { game, lower, upper, stand_pat, moves, children: Vec::new(), recorded }
    }

    /// Whether the value is at least `bound`: returns a bound from below if it is, otherwise one from above.
    fn test<G: Deterministic>(&mut self, known: &mut Known<G>, depth: u32, bound: i32) -> i32 {
        if known.lower >= bound {
            return known.lower;
        }
        if known.upper < bound {
            return known.upper;
        }
        let max = known.game.turn() != Turn::Min;
        let better = |value: i32, best: i32| if max { value > best } else { value < best };
        let decided = |best: i32| if max { best >= bound } else { best < bound };
        let worst = if max { -G::MAX_VALUE - 1 } else { G::MAX_VALUE + 1 };
        let mut best = known.stand_pat.unwrap_or(worst);
        for i in 0..known.moves.len() {
            if decided(best) {
                break;
            }
            if i == known.children.len() {
                let mv = &known.moves[i];
                let child = self.visit(known.game.after(mv), Some(mv), Some(known.recorded), depth + 1, bound);
                known.children.push(child);
            }
            let value = self.test(&mut known.children[i], depth + 1, bound);
            if better(value, best) {
                best = value;
            }
        }
        match best >= bound {
            true => known.lower = best,
            false => known.upper = best,
        }
        self.visits.set_value(known.recorded, best);
        best
    }
}
