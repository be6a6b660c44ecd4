//! SSS* (Stockman 1979).
//!
//! A solution tree has all moves of Min and one move of Max at each of its nodes; its value is the smallest of its leaves. SSS* looks
//! for the solution tree of the greatest value, which is the minimax value. A state of OPEN stands for a part of the solution trees:
//! it is a node, live (not searched yet) or solved, with a merit, which is a bound from above of their values. The state with the
//! greatest merit is replaced by its successors until the root is solved.

use super::{
    search::moves_to_search,
    tree::{Tree, Visits},
    Deterministic, SearchResult, TreeLimits, Turn,
};
use std::{cmp::Reverse, collections::BTreeMap, rc::Rc};

/// Searches with SSS*. Of states with equal merit the leftmost in the tree comes first; without that rule SSS* may visit leaves that
/// alpha-beta does not (Campbell and Marsland 1983).
pub(super) fn sss_star<G: Deterministic>(
    game: &G,
    limits: TreeLimits,
    tree: Option<&mut Tree>,
) -> SearchResult<G::Move> {
    let mut search = SssStar { limits, visits: Visits::new(tree), open: BTreeMap::new(), merits: BTreeMap::new() };
    search.visit(None, 0, game.clone(), G::MAX_VALUE + 1, None);
    while let Some(((Reverse(merit), path), state)) = search.open.pop_first() {
        search.merits.remove(&path);
        match (&state.parent, state.solved) {
            (None, _) => {
                search.visits.finish();
                let line = state.source.map_or_else(Vec::new, |leaf| leaf.line());
                return SearchResult { value: merit, line, nodes: search.visits.nodes };
            }
            (Some(parent), true) => search.solved(parent, state.branch, merit, state.source),
            (Some(parent), false) => search.live(parent.clone(), state.branch, merit, state.source),
        }
    }
    unreachable!("OPEN has a state for the root's value until the root is solved")
}

/// Numbers of the branches from above the root to a node. In lexicographic order what is further left comes first.
type Path = Vec<usize>;

/// A visited position.
struct Place<G: Deterministic> {
    game: G,
    /// The position before; `None` at the root.
    parent: Option<Rc<Place<G>>>,
    /// The branch of the parent that leads here.
    branch: usize,
    path: Path,
    /// What the mover may do: moves, or `None` for taking the static value.
    branches: Vec<Option<G::Move>>,
    recorded: usize,
}

impl<G: Deterministic> Place<G> {
    fn line(&self) -> Vec<G::Move> {
        let mut line = self.parent.as_ref().map_or_else(Vec::new, |parent| parent.line());
        line.extend(self.parent.as_ref().and_then(|parent| parent.branches[self.branch].clone()));
        line
    }
}

/// A state of OPEN: a branch of a visited position, or the root.
struct State<G: Deterministic> {
    parent: Option<Rc<Place<G>>>,
    branch: usize,
    solved: bool,
    /// The leaf whose value is the merit; `None` while the merit is infinite.
    source: Source<G>,
}

type Source<G> = Option<Rc<Place<G>>>;

struct SssStar<'a, G: Deterministic> {
    limits: TreeLimits,
    visits: Visits<'a>,
    open: BTreeMap<(Reverse<i32>, Path), State<G>>,
    /// The merit of each state of OPEN, to find the states below a node.
    merits: BTreeMap<Path, i32>,
}

impl<G: Deterministic> SssStar<'_, G> {
    fn insert(&mut self, state: State<G>, merit: i32) {
        let mut path = state.parent.as_ref().map_or_else(Vec::new, |parent| parent.path.clone());
        path.push(state.branch);
        self.merits.insert(path.clone(), merit);
        self.open.insert((Reverse(merit), path), state);
    }

    /// Removes the states below a node.
    fn purge(&mut self, place: &Place<G>) {
        let below = self.merits.range(place.path.clone()..).take_while(|(path, _)| path.starts_with(&place.path));
        let below: Vec<Path> = below.map(|(path, _)| path.clone()).collect();
        for path in below {
            if let Some(merit) = self.merits.remove(&path) {
                self.open.remove(&(Reverse(merit), path));
            }
        }
    }

    /// Replaces a solved state by its parent or by the next branch of a Min node.
    fn solved(&mut self, parent: &Rc<Place<G>>, branch: usize, merit: i32, source: Source<G>) {
        if parent.game.turn() == Turn::Min && branch + 1 < parent.branches.len() {
            let state = State { parent: Some(parent.clone()), branch: branch + 1, solved: false, source };
            return self.insert(state, merit);
        }
        self.purge(parent);
        self.visits.set_value(parent.recorded, merit);
        let state = State { parent: parent.parent.clone(), branch: parent.branch, solved: true, source };
        self.insert(state, merit);
    }

    /// Follows a branch that has not been searched.
    fn live(&mut self, parent: Rc<Place<G>>, branch: usize, merit: i32, source: Source<G>) {
        match &parent.branches[branch] {
            Some(mv) => {
                let game = parent.game.after(mv);
                self.visit(Some(parent), branch, game, merit, source);
            }
            None => {
                let value = parent.game.value();
                let source = if value < merit { Some(parent.clone()) } else { source };
                let state = State { parent: Some(parent), branch, solved: true, source };
                self.insert(state, merit.min(value));
            }
        }
    }

    /// Visits a position: replaces its live state by its branches (all of Max, the first of Min), or by its value.
    fn visit(&mut self, parent: Option<Rc<Place<G>>>, branch: usize, game: G, merit: i32, source: Source<G>) {
        let depth = parent.as_ref().map_or(0, |parent| parent.path.len() as u32);
        let (moves, stand_pat) = moves_to_search(&game, self.limits, depth);
        let above = parent.as_ref().map(|parent| parent.recorded);
        let mv = parent.as_ref().and_then(|parent| parent.branches[branch].as_ref());
        let recorded = self.visits.add(above, &game, mv, (-G::MAX_VALUE - 1, merit), moves.len());
        let mut path = parent.as_ref().map_or_else(Vec::new, |parent| parent.path.clone());
        path.push(branch);
        let mut branches: Vec<Option<G::Move>> = moves.into_iter().map(Some).collect();
        if stand_pat.is_some() && !branches.is_empty() {
            branches.insert(0, None);
        }
        let (turn, count) = (game.turn(), branches.len());
        let place = Rc::new(Place { game, parent, branch, path, branches, recorded });
        if count == 0 {
            let value = place.game.value();
            self.visits.set_value(recorded, value);
            let source = if value < merit { Some(place.clone()) } else { source };
            let state = State { parent: place.parent.clone(), branch, solved: true, source };
            return self.insert(state, merit.min(value));
        }
        for branch in 0..if turn == Turn::Max { count } else { 1 } {
            let state = State { parent: Some(place.clone()), branch, solved: false, source: source.clone() };
            self.insert(state, merit);
        }
    }
}
