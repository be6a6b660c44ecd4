//! What the tree does besides looking at moves: each technique has a switch, so that a match can tell its worth
//! (`hayasashi match --against-option NullMove=false …`).

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
        /// Switches of the techniques of the search; on by default, unless said otherwise.
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
            /// Names of the switches, as USI options have them.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Everything off: plain alpha-beta with quiescence.
            pub fn none() -> Techniques {
                Techniques { $($field: false,)* }
            }

            /// The switch of a name.
            pub fn switch(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

techniques! {
    /// Aspiration windows: an iteration begins with a narrow window around the score before it, which is widened on
    /// the side where it fails.
    aspiration "Aspiration",
    /// Cut-offs by the transposition table (Greenblatt, 1967); its moves are used in any case.
    table_cuts "TableCuts",
    /// Killer moves (Huberman, 1968): quiet moves that cut off at the same ply are tried after the captures.
    killers "Killers",
    /// History heuristic (Schaeffer, 1983): quiet moves and captures are ordered by how often they cut off.
    history "History",
    /// Continuation history: the same in answer to, and in continuation of, the moves one, two and four plies before.
    continuation_history "ContinuationHistory",
    /// Null move (Beal, 1989; Donninger, 1993): if even passing keeps the score at beta, some move will.
    null_move "NullMove",
    /// Futility (Heinz, 1998): near the leaves, quiet moves are left out that cannot bring the static score up to alpha.
    futility "Futility",
    /// Reverse futility (static null move): near the leaves a static score far above beta is believed.
    reverse_futility "ReverseFutility",
    /// Razoring (Birmingham and Kent, 1977): near the leaves a static score far below alpha goes to quiescence.
    razoring "Razoring",
    /// Late move reductions (Romstad, 2005): moves late in the order are searched with less depth first.
    late_move_reductions "LateMoveReductions",
    /// Late move pruning: near the leaves quiet moves late in the order are left out.
    late_move_pruning "LateMovePruning",
    /// Exchange pruning: moves that lose material by static exchange are left out, in quiescence and near the leaves.
    exchange_pruning "ExchangePruning",
    /// Singular extension (Anantharaman, Campbell, Hsu, 1988), by the table's move: a move without alternative is
    /// searched deeper; and multi-cut (Björnsson and Marsland, 2000) where several would cut off.
    singular_extension "SingularExtension",
    /// Check extension: near the leaves of the principal variation, checks that lose no material are searched a ply
    /// deeper.
    check_extension "CheckExtension",
    /// ProbCut (Buro, 1995): a capture that keeps the score well above beta at reduced depth cuts off.
    prob_cut "ProbCut",
    /// Internal reduction (Schröder, 2021): a node without a move from the table is searched a ply less deep.
    internal_reduction "InternalReduction",
    /// Checks, not only captures, on the first ply of quiescence.
    quiescence_checks "QuiescenceChecks",
    /// Mate in one: asked for where a node is entered for the first time, before its moves are searched.
    mate_in_one "MateInOne",
    /// A short mate search (df-pn) of the root before the tree is searched; not under a limit of depth.
    root_mate "RootMate",
    /// Late move reductions also by the realization probability of moves. Off by default.
    realization_reductions "RealizationReductions" off,
    /// A move that by the learned probabilities stands out from all others is searched a ply deeper. Off by default.
    probable_extension "ProbableExtension" off,
    /// Plies cost as much depth as the choice is wide by the learned probabilities, after alpha-beta-conspiracy search
    /// (McAllester and Yuret, 1993): forced lines go deeper, free ones less deep. Off by default.
    forced_lines "ForcedLines" off,
    /// Tesuji macros: a move that completes a frequent sequence of three, learned from records, is searched deeper. Off by
    /// default.
    tesuji_macros "TesujiMacros" off,
    /// Phase categorisation: moves' probabilities are those of the phase of the game.
    phase_categories "PhaseCategories",
    /// Possibility analyser: sacrifices that may pay later have a probability of their own.
    possibility_analyser "PossibilityAnalyser",
    /// History analyser: moves that go on with earlier ones have a probability of their own.
    history_analyser "HistoryAnalyser",
    /// Realization-probability search with every move as probable as any other, 50 %: an iteration is a ply. It is what the
    /// categories are measured against (Taketoshi and others, 2002). Off by default.
    uniform_costs "UniformCosts" off,
    /// Realization-probability search looks at all moves on the first two plies, at 50 on the next two, and at 10 from there
    /// on, besides captures of what has just moved. With `UniformCosts` it is the search limited by depth that the method
    /// was measured against (Taketoshi and others, 2002). Off by default.
    width_limits "WidthLimits" off,
    /// Leaves of realization-probability search are scored by evaluation and greatest exchange; else by quiescence.
    exchange_leaves "ExchangeLeaves",
    /// Pawns, bishops and rooks always promote where they can (so do lances on the second rank): not promoting helps
    /// only against pawn-drop mate.
    always_promote "AlwaysPromote",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_own_switch() {
        let mut techniques = Techniques::default();
        for name in Techniques::NAMES {
            *techniques.switch(name).unwrap() = false;
        }
        assert_eq!(techniques, Techniques::none());
        assert_eq!(techniques.switch("nullmove"), None);
    }
}
