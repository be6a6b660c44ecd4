//! Minimax, alpha-beta, and their negamax forms; the choice of a search.

use super::{memory, state_space, Deterministic, Game, Tree, Turn};

/// The depth of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Depth in plies.
    pub depth: u32,
    /// Additional plies of [`Game::quiescence_moves`].
    pub extension: u32,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M, V = i32> {
    /// The value for Max.
    pub value: V,
    /// The principal variation; it ends at the leaf that the value is from.
    pub line: Vec<M>,
    /// Number of visited positions, including the root. A position that MTD(f) visits again counts once.
    pub nodes: u64,
}

/// The searches of games without dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The whole tree.
    Minimax,
    /// Fail-hard alpha-beta: values stay within the window.
    AlphaBeta,
    /// Fail-soft alpha-beta: values may be bounds outside the window.
    AlphaBetaSoft,
    /// Minimax with values for the side to move.
    Negamax,
    /// Alpha-beta with values for the side to move.
    NegaAlpha,
    /// SSS*: best first over the solution trees, with a list of open states.
    SssStar,
    /// SSS* as a sequence of null-window searches with a memory, the first one above every value: MTD(+∞).
    MtSssStar,
    /// MTD(f): the same sequence, begun at the static value of the root.
    MtdF,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 8] = [
        Method::Minimax,
        Method::AlphaBeta,
        Method::AlphaBetaSoft,
        Method::Negamax,
        Method::NegaAlpha,
        Method::SssStar,
        Method::MtSssStar,
        Method::MtdF,
    ];
}

/// Searches a game and records the visited nodes in `tree`, if one is given.
pub fn search<G: Deterministic>(
    game: &G,
    method: Method,
    limits: TreeLimits,
    tree: Option<&mut Tree>,
) -> SearchResult<G::Move> {
    let beyond = G::MAX_VALUE + 1;
    let mut state = Search { limits, nodes: 0, tree };
    let (value, line) = match method {
        Method::SssStar => return state_space::sss_star(game, limits, state.tree),
        Method::MtSssStar => return memory::mtd(game, limits, beyond, state.tree),
        Method::MtdF => return memory::mtd(game, limits, game.value(), state.tree),
        Method::Minimax => state.minimax(game, None, 0),
        Method::AlphaBeta => state.alpha_beta(game, None, -beyond, beyond, 0),
        Method::AlphaBetaSoft => state.alpha_beta_soft(game, None, -beyond, beyond, 0),
        Method::Negamax => {
            let (value, line) = state.negamax(game, None, 0);
            (sign(game) * value, line)
        }
        Method::NegaAlpha => {
            let (value, line) = state.nega_alpha(game, None, -beyond, beyond, 0);
            (sign(game) * value, line)
        }
    };
    SearchResult { value, line, nodes: state.nodes }
}

fn sign<G: Game>(game: &G) -> i32 {
    if game.turn() == Turn::Min {
        -1
    } else {
        1
    }
}

/// A value and the line that it is from, last move first.
type Line<M> = (i32, Vec<M>);

fn then<M: Clone>(mv: &M, line: Vec<M>) -> Vec<M> {
    std::iter::once(mv.clone()).chain(line).collect()
}

/// The moves to search, and the value that the mover has without them. Without moves the value of the position counts.
pub(super) fn moves_to_search<G: Game>(game: &G, limits: TreeLimits, depth: u32) -> (Vec<G::Move>, Option<i32>) {
    if depth < limits.depth {
        (game.moves(), None)
    } else if depth < limits.depth + limits.extension {
        let loud = game.quiescence_moves();
        let stand_pat = loud.may_stand_pat.then(|| game.value());
        (loud.moves, stand_pat)
    } else {
        (Vec::new(), None)
    }
}

struct Search<'a> {
    limits: TreeLimits,
    nodes: u64,
    tree: Option<&'a mut Tree>,
}

impl Search<'_> {
    fn enter<G: Game>(&mut self, game: &G, mv: Option<&G::Move>, window: Option<(i32, i32)>) {
        self.nodes += 1;
        if let Some(tree) = &mut self.tree {
            tree.enter(game, mv, window);
        }
    }

    fn leave<M>(&mut self, found: Line<M>, sign: i32, skipped: usize) -> Line<M> {
        if let Some(tree) = &mut self.tree {
            tree.leave((sign * found.0) as f64, skipped);
        }
        found
    }

    fn minimax<G: Deterministic>(&mut self, game: &G, mv: Option<&G::Move>, depth: u32) -> Line<G::Move> {
        self.enter(game, mv, None);
        let (moves, stand_pat) = moves_to_search(game, self.limits, depth);
        let mut best = stand_pat.map(|value| (value, Vec::new()));
        for mv in &moves {
            let (value, line) = self.minimax(&game.after(mv), Some(mv), depth + 1);
            let better = best.as_ref().is_none_or(|(best, _)| match game.turn() {
                Turn::Min => value < *best,
                _ => value > *best,
            });
            if better {
                best = Some((value, then(mv, line)));
            }
        }
        let best = best.unwrap_or_else(|| (game.value(), Vec::new()));
        self.leave(best, 1, 0)
    }

    fn alpha_beta<G: Deterministic>(
        &mut self,
        game: &G,
        mv: Option<&G::Move>,
        mut alpha: i32,
        mut beta: i32,
        depth: u32,
    ) -> Line<G::Move> {
        self.enter(game, mv, Some((alpha, beta)));
        let (moves, stand_pat) = moves_to_search(game, self.limits, depth);
        if moves.is_empty() {
            return self.leave((game.value().clamp(alpha, beta), Vec::new()), 1, 0);
        }
        let mut best = Vec::new();
        let min = game.turn() == Turn::Min;
        if let Some(value) = stand_pat {
            match min {
                true => beta = beta.min(value.max(alpha)),
                false => alpha = alpha.max(value.min(beta)),
            }
        }
        let mut skipped = moves.len();
        for mv in &moves {
            if alpha >= beta {
                break;
            }
            skipped -= 1;
            let (value, line) = self.alpha_beta(&game.after(mv), Some(mv), alpha, beta, depth + 1);
            if min && value < beta {
                (beta, best) = (value, then(mv, line));
            } else if !min && value > alpha {
                (alpha, best) = (value, then(mv, line));
            }
        }
        self.leave((if min { beta } else { alpha }, best), 1, skipped)
    }

    fn alpha_beta_soft<G: Deterministic>(
        &mut self,
        game: &G,
        mv: Option<&G::Move>,
        mut alpha: i32,
        mut beta: i32,
        depth: u32,
    ) -> Line<G::Move> {
        self.enter(game, mv, Some((alpha, beta)));
        let (moves, stand_pat) = moves_to_search(game, self.limits, depth);
        let min = game.turn() == Turn::Min;
        let mut best = stand_pat.map(|value| (value, Vec::new()));
        if let Some(value) = stand_pat {
            match min {
                true => beta = beta.min(value),
                false => alpha = alpha.max(value),
            }
        }
        let mut skipped = moves.len();
        for mv in &moves {
            if alpha >= beta {
                break;
            }
            skipped -= 1;
            let (value, line) = self.alpha_beta_soft(&game.after(mv), Some(mv), alpha, beta, depth + 1);
            if best.as_ref().is_none_or(|(best, _)| if min { value < *best } else { value > *best }) {
                best = Some((value, then(mv, line)));
                match min {
                    true => beta = beta.min(value),
                    false => alpha = alpha.max(value),
                }
            }
        }
        let best = best.unwrap_or_else(|| (game.value(), Vec::new()));
        self.leave(best, 1, skipped)
    }

    fn negamax<G: Deterministic>(&mut self, game: &G, mv: Option<&G::Move>, depth: u32) -> Line<G::Move> {
        self.enter(game, mv, None);
        let sign = sign(game);
        let (moves, stand_pat) = moves_to_search(game, self.limits, depth);
        let mut best = stand_pat.map(|value| (sign * value, Vec::new()));
        for mv in &moves {
            let (value, line) = self.negamax(&game.after(mv), Some(mv), depth + 1);
            if best.as_ref().is_none_or(|(best, _)| -value > *best) {
                best = Some((-value, then(mv, line)));
            }
        }
        let best = best.unwrap_or_else(|| (sign * game.value(), Vec::new()));
        self.leave(best, sign, 0)
    }

    fn nega_alpha<G: Deterministic>(
        &mut self,
        game: &G,
        mv: Option<&G::Move>,
        mut alpha: i32,
        beta: i32,
        depth: u32,
    ) -> Line<G::Move> {
        let sign = sign(game);
        self.enter(game, mv, Some(if sign > 0 { (alpha, beta) } else { (-beta, -alpha) }));
        let (moves, stand_pat) = moves_to_search(game, self.limits, depth);
        if moves.is_empty() {
            return self.leave(((sign * game.value()).clamp(alpha, beta), Vec::new()), sign, 0);
        }
        if let Some(value) = stand_pat {
            alpha = alpha.max((sign * value).min(beta));
        }
        let (mut best, mut skipped) = (Vec::new(), moves.len());
        for mv in &moves {
            if alpha >= beta {
                break;
            }
            skipped -= 1;
            let (value, line) = self.nega_alpha(&game.after(mv), Some(mv), -beta, -alpha, depth + 1);
            if -value > alpha {
                (alpha, best) = (-value, then(mv, line));
            }
        }
        self.leave((alpha, best), sign, skipped)
    }
}
