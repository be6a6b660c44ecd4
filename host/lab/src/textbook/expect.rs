//! Expectiminimax: minimax with chance nodes.

use super::{search::moves_to_search, Game, SearchResult, Tree, TreeLimits, Turn};

/// Searches a game with dice. The value of a chance node is the weighted mean over the rolls; its line follows the likeliest roll,
/// the first of equal ones. Games without dice have their minimax value.
pub fn expectiminimax<G: Game>(game: &G, limits: TreeLimits, tree: Option<&mut Tree>) -> SearchResult<G::Move, f64> {
    let mut state = Search { limits, nodes: 0, tree };
    let (value, line) = state.visit(game, None, 0);
    SearchResult { value, line, nodes: state.nodes }
}

struct Search<'a> {
    limits: TreeLimits,
    nodes: u64,
    tree: Option<&'a mut Tree>,
}

impl Search<'_> {
    fn visit<G: Game>(&mut self, game: &G, mv: Option<&G::Move>, depth: u32) -> (f64, Vec<G::Move>) {
        self.nodes += 1;
        if let Some(tree) = &mut self.tree {
            tree.enter(game, mv, None);
        }
        let (moves, stand_pat) = moves_to_search(game, self.limits, depth);
        let mut best = stand_pat.map(|value| (value as f64, Vec::new()));
        let (mut sum, mut weights, mut likeliest) = (0.0, 0, 0);
        for mv in &moves {
            let (value, line) = self.visit(&game.after(mv), Some(mv), depth + 1);
            let better = match game.turn() {
                Turn::Max => best.as_ref().is_none_or(|(best, _)| value > *best),
                Turn::Min => best.as_ref().is_none_or(|(best, _)| value < *best),
                Turn::Chance => {
                    let weight = game.weight(mv);
                    (sum, weights) = (sum + value * weight as f64, weights + weight);
                    let likelier = weight > likeliest;
                    likeliest = likeliest.max(weight);
                    likelier
                }
            };
            if better {
                best = Some((value, std::iter::once(mv.clone()).chain(line).collect()));
            }
        }
        let (mut value, line) = best.unwrap_or_else(|| (game.value() as f64, Vec::new()));
        if weights > 0 {
            value = sum / weights as f64;
        }
        if let Some(tree) = &mut self.tree {
            tree.leave(value, 0);
        }
        (value, line)
    }
}
