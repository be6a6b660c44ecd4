//! Moves with their rank in the order of search.

use hayasashi_shogi::rules::Move;

/// A move with its rank; greater is searched earlier. No two moves of a position are equal, so that the order does not
/// depend on the order of generation, which differs from back end to back end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ranked(i64);

impl Ranked {
    /// Ranks a move.
    #[inline(always)]
    pub fn new(rank: i32, mv: Move) -> Ranked {
        Ranked((rank as i64) << 16 | mv.bits() as i64)
    }

    /// The move.
    #[inline(always)]
    pub fn mv(self) -> Move {
        Move::from_bits(self.0 as u16).unwrap_or(Move::NONE)
    }
}

/// Brings the best of a list to its front.
#[inline(always)]
pub fn pick(rest: &mut [Ranked]) {
    let Some(&(mut greatest)) = rest.first() else { return };
    let mut best = 0;
    for (i, &ranked) in rest.iter().enumerate() {
        // Selected, not branched over: the order is as good as random.
        let greater = ranked.0 > greatest.0;
        greatest = Ranked(if greater { ranked.0 } else { greatest.0 });
        best = if greater { i } else { best };
    }
    rest.swap(0, best);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_ranks_whatever_came_first() {
        let moves = ["7g7f", "2g2f", "P*5e", "8h2b+"].map(|m| Move::from_usi(m).unwrap());
        let ranked = [-5, 3, 3, 100].into_iter().zip(moves).map(|(r, m)| Ranked::new(r, m)).collect::<Vec<_>>();
        let order = |mut list: Vec<Ranked>| {
            for at in 0..list.len() {
                pick(&mut list[at..]);
            }
            list.into_iter().map(Ranked::mv).collect::<Vec<_>>()
        };
        let forward = order(ranked.clone());
        assert_eq!((forward[0], forward[3]), (moves[3], moves[0]));
        assert_eq!(forward, order(ranked.into_iter().rev().collect()));
    }
}
