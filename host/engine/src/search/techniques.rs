//! The heuristics of the search. Each has a switch, so that a match can measure its value
//! (`hayasashi match --against-option NullMove=false …`); `docs/techniques.md` has the results.

use thiserror::Error;

macro_rules! by_default {
    () => {
        true
    };
    (off) => {
        false
    };
}

macro_rules! techniques {
    ($($(#[$doc:meta])* $field:ident $name:literal $($off:ident)?,)*) => {
        /// Switches of the search heuristics; on by default unless stated otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Techniques {
            $($(#[$doc])* pub $field: bool,)*
        }

        impl Default for Techniques {
            fn default() -> Techniques {
                Techniques { $($field: by_default!($($off)?),)* }
            }
        }

        impl Techniques {
            /// The names of the switches, which are names of USI options.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// All off: plain alpha-beta with quiescence search.
            pub fn none() -> Techniques {
                Techniques { $($field: false,)* }
            }

            fn switch(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

/// A name that is not that of a search heuristic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no search heuristic `{name}`; hint: use one of {}", Techniques::NAMES.join(", "))]
pub struct UnknownTechnique {
    /// The name.
    pub name: String,
}

impl Techniques {
    /// Whether the heuristic of this name is on; `None` if there is none.
    pub fn is_on(mut self, name: &str) -> Option<bool> {
        self.switch(name).copied()
    }

    /// Switches the heuristic of this name on or off.
    ///
    /// # Errors
    /// There is no heuristic of this name.
    pub fn set(&mut self, name: &str, on: bool) -> Result<(), UnknownTechnique> {
        *self.switch(name).ok_or_else(|| UnknownTechnique { name: name.into() })? = on;
        Ok(())
    }
}

techniques! {
    /// Aspiration windows: an iteration begins with a narrow window around the score of the previous one; the
    /// window is widened on the side where the search fails.
    aspiration "Aspiration",
    /// Cut-offs by the transposition table (Greenblatt, 1967); its moves are used either way.
    table_cuts "TableCuts",
    /// Killer moves (Huberman, 1968): quiet moves that cut off at the same ply are tried after the captures.
    killers "Killers",
    /// History heuristic (Schaeffer, 1983): quiet moves and captures are ordered by how often they cut off.
    history "History",
    /// Continuation history: the history heuristic for pairs of a move and the move one, two or four plies
    /// earlier.
    continuation_history "ContinuationHistory",
    /// Null move (Beal, 1989; Donninger, 1993): if the score stays at beta after a pass, a move exists that keeps it there.
    null_move "NullMove",
    /// Futility (Heinz, 1998): near the leaves, quiet moves that cannot raise the static score to alpha are
    /// pruned.
    futility "Futility",
    /// Reverse futility (static null move): near the leaves, a static score far above beta cuts off.
    reverse_futility "ReverseFutility",
    /// Razoring (Birmingham and Kent, 1977): near the leaves, a node with a static score far below alpha is searched by
    /// quiescence.
    razoring "Razoring",
    /// Late move reductions (Romstad, 2005): moves late in the order are first searched at reduced depth.
    late_move_reductions "LateMoveReductions",
    /// Late move pruning: near the leaves, quiet moves late in the order are pruned.
    late_move_pruning "LateMovePruning",
    /// Exchange pruning: moves that lose material by static exchange are pruned, in quiescence and near the leaves.
    exchange_pruning "ExchangePruning",
    /// Singular extension (Anantharaman, Campbell, Hsu, 1988), applied to the table's move: a move far better than
    /// all others is searched deeper; multi-cut (Björnsson and Marsland, 2000) where several moves would cut off.
    singular_extension "SingularExtension",
    /// Check extension: near the leaves of the principal variation, checks that lose no material are searched a ply
    /// deeper.
    check_extension "CheckExtension",
    /// ProbCut (Buro, 1995): a capture that keeps the score well above beta at reduced depth cuts off.
    prob_cut "ProbCut",
    /// Internal reduction (Schröder, 2021): a node without a move from the table is searched one ply less.
    internal_reduction "InternalReduction",
    /// Quiet checks on the first ply of quiescence.
    quiescence_checks "QuiescenceChecks",
    /// Mate in one: tested when a node is first visited, before its moves are searched.
    mate_in_one "MateInOne",
    /// A short mate search (df-pn) at the root before the tree search; not under a depth limit.
    root_mate "RootMate",
    /// A search for a brinkmate at the root, after `RootMate` and only with it. Off by default.
    root_brinkmate "RootBrinkmate" off,
    /// Late move reductions also depend on the realization probability of moves. Off by default.
    realization_reductions "RealizationReductions" off,
    /// A move that is more probable than all its siblings together is searched one ply deeper. Off by default.
    probable_extension "ProbableExtension" off,
    /// A ply costs more depth the more moves are probable, after alpha-beta-conspiracy search (McAllester and Yuret,
    /// 1993): forced lines are searched deeper, open ones less deep. Off by default.
    forced_lines "ForcedLines" off,
    /// Tesuji macros: a move that completes a frequent sequence of three moves, learned from records, is searched deeper.
    /// Off by default.
    tesuji_macros "TesujiMacros" off,
    /// Phase categorisation: move probabilities depend on the phase of the game.
    phase_categories "PhaseCategories",
    /// Possibility analyser: sacrifices that may pay off later have their own probability.
    possibility_analyser "PossibilityAnalyser",
    /// History analyser: moves that continue earlier ones have their own probability.
    history_analyser "HistoryAnalyser",
    /// Realization-probability search in which every move has a probability of 50 %, so an iteration is a ply: the
    /// baseline for the categories (Taketoshi and others, 2002). Off by default.
    uniform_costs "UniformCosts" off,
    /// Realization-probability search searches all moves on the first two plies, 50 on the next two, and 10 from there
    /// on, and always captures of the piece that has just moved. With `UniformCosts` it is the depth-limited baseline of
    /// Taketoshi and others (2002). Off by default.
    width_limits "WidthLimits" off,
    /// Leaves of realization-probability search are scored by the evaluation and the best exchange instead of quiescence.
    exchange_leaves "ExchangeLeaves",
    /// Pawns, bishops and rooks always promote if they can (so do lances on the second rank): not promoting helps
    /// only to avoid a pawn-drop mate.
    always_promote "AlwaysPromote",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_own_switch() {
        let mut techniques = Techniques::default();
        for name in Techniques::NAMES {
            techniques.set(name, false).unwrap();
            assert_eq!(techniques.is_on(name), Some(false));
        }
        assert_eq!(techniques, Techniques::none());
        assert_eq!(techniques.is_on("nullmove"), None);
        assert!(techniques.set("nullmove", true).unwrap_err().to_string().contains("`nullmove`"));
    }
}
