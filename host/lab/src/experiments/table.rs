//! The experiments as data: the published results, and the engines and limits of our repetitions. Only this file names
//! experiments.

/// An experiment.
#[derive(Debug)]
pub struct Experiment {
    /// Name on the command line.
    pub name: &'static str,
    /// The question that it answers.
    pub title: &'static str,
    /// Source of the published experiment.
    pub source: &'static str,
    /// The published method and result.
    pub published: &'static str,
    /// Differences of our repetition.
    pub differences: &'static str,
    /// Matches or problems.
    pub kind: ExperimentKind,
}

/// The two kinds of experiments.
#[derive(Debug)]
pub enum ExperimentKind {
    /// Matches between pairs of engines.
    Matches(&'static [Pairing]),
    /// Next-move problems: the nodes for each problem, and the engines with the published number of solved problems.
    Problems(u64, &'static [(Player, Option<u32>)]),
}

/// An engine: this program with options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Name in files and in the report.
    pub name: &'static str,
    /// Options in addition to [`COMMON_OPTIONS`](super::COMMON_OPTIONS).
    pub options: &'static [(&'static str, &'static str)],
}

/// Two engines, and the published result of the same pairing.
#[derive(Debug)]
pub struct Pairing {
    /// Name in the name of the results file.
    pub name: &'static str,
    /// The engine whose score is reported.
    pub first: Player,
    /// Its opponent.
    pub second: Player,
    /// Nodes for each move.
    pub nodes: u64,
    /// Number of games.
    pub games: u64,
    /// Published wins, losses and draws of the first engine.
    pub published: Option<[u64; 3]>,
}

const REALIZATION: (&str, &str) = ("Search", "realization-probability");

const PC_PA_HA: Player = Player { name: "RPS with PC, PA, HA", options: &[REALIZATION] };
const PC: Player = Player {
    name: "RPS with PC",
    options: &[REALIZATION, ("PossibilityAnalyser", "false"), ("HistoryAnalyser", "false")],
};
const PLAIN_CATEGORIES: Player = Player {
    name: "RPS without PC",
    options: &[
        REALIZATION,
        ("PhaseCategories", "false"),
        ("PossibilityAnalyser", "false"),
        ("HistoryAnalyser", "false"),
    ],
};
const ALL_HALF: Player = Player { name: "all moves 50 %", options: &[REALIZATION, ("UniformCosts", "true")] };
const DEPTH_LIMITED: Player =
    Player { name: "depth-limited", options: &[REALIZATION, ("UniformCosts", "true"), ("WidthLimits", "true")] };
const ALPHA_BETA: Player = Player { name: "alpha-beta", options: &[] };
const REDUCTIONS: Player =
    Player { name: "alpha-beta with RealizationReductions", options: &[("RealizationReductions", "true")] };

/// Full-width alpha-beta: no pruning, reductions or extensions; with transposition table, killers, history and a quiescence
/// search of captures.
const FULL_WIDTH: Player = Player {
    name: "full-width alpha-beta",
    options: &[
        ("Aspiration", "false"),
        ("ContinuationHistory", "false"),
        ("NullMove", "false"),
        ("Futility", "false"),
        ("ReverseFutility", "false"),
        ("Razoring", "false"),
        ("LateMoveReductions", "false"),
        ("LateMovePruning", "false"),
        ("ExchangePruning", "false"),
        ("SingularExtension", "false"),
        ("CheckExtension", "false"),
        ("ProbCut", "false"),
        ("InternalReduction", "false"),
        ("QuiescenceChecks", "false"),
        ("MateInOne", "false"),
        ("AlwaysPromote", "false"),
        ("TesujiMacros", "false"),
    ],
};

const SOFTMAX: (&str, &str) = ("Search", "softmax");
const SOFTMAX_60: Player = Player { name: "softmax, T = 60", options: &[SOFTMAX, ("Temperature", "60")] };
const SOFTMAX_80: Player = Player { name: "softmax, T = 80", options: &[SOFTMAX, ("Temperature", "80")] };
const SOFTMAX_100: Player = Player { name: "softmax, T = 100", options: &[SOFTMAX, ("Temperature", "100")] };
const MONTE_CARLO: Player = Player { name: "Monte Carlo", options: &[("Search", "monte-carlo")] };

const TACOS: &str = "Taketoshi, Hashimoto, Kajihara, Nagashima and Iida, Realization-Probability Search in Computer Shogi, 2002, section 6";

const TACOS_DIFFERENCES: &str = "Equal nodes for each move instead of 10 seconds; openings from the given file \
instead of 50 positions after 31 plies of professional games; our categories, move table and evaluation. As in the \
paper: each opening twice with colours swapped, a draw after 300 plies, a mate search before the tree search, leaves \
scored by evaluation and greatest exchange, thresholds halved in each iteration. A game ends early when both engines \
agree that it is decided (3,000 centipawns for three moves each).";

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "phase-categories",
        title: "What are probabilities by phase of the game (PC) worth?",
        source: TACOS,
        published: "The program with PC against the program without it, both without PA and HA: 53 wins, 44 losses, 3 \
draws.",
        differences: TACOS_DIFFERENCES,
        kind: ExperimentKind::Matches(&[Pairing {
            name: "on-off",
            first: PC,
            second: PLAIN_CATEGORIES,
            nodes: 2_000,
            games: 400,
            published: Some([53, 44, 3]),
        }]),
    },
    Experiment {
        name: "analysers",
        title: "What are the possibility analyser (PA) and the history analyser (HA) worth?",
        source: TACOS,
        published: "The program with PA and HA against the program without them, both with PC: 61 wins, 38 losses, 1 \
draw.",
        differences: TACOS_DIFFERENCES,
        kind: ExperimentKind::Matches(&[Pairing {
            name: "on-off",
            first: PC_PA_HA,
            second: PC,
            nodes: 2_000,
            games: 400,
            published: Some([61, 38, 1]),
        }]),
    },
    Experiment {
        name: "depth-limited",
        title: "Is realization-probability search (RPS) stronger than a depth-limited search?",
        source: TACOS,
        published: "Against the same program with a depth limit (all moves on plies 1 and 2, 50 on plies 3 and 4, 10 \
deeper, plus important ones): with PA and HA 74 wins, 24 losses, 2 draws; without them 70 wins, 29 losses, 1 draw.",
        differences: "`depth-limited` is the closest engine that we have: the tree and the leaves of our RPS with \
`UniformCosts` (each move costs one halving, so an iteration is a ply) and `WidthLimits` (the same numbers of moves, \
plus captures of the piece that has just moved). It orders moves by table, exchanges, killers and history, not by a \
provisional evaluation. `alpha-beta` is our default engine, with quiescence, null move, futility, reductions and \
more, which the programs of 2002 did not have; no such pairing was published. The rest is as in `phase-categories`.",
        kind: ExperimentKind::Matches(&[
            Pairing {
                name: "analysers",
                first: PC_PA_HA,
                second: DEPTH_LIMITED,
                nodes: 2_000,
                games: 400,
                published: Some([74, 24, 2]),
            },
            Pairing {
                name: "no-analysers",
                first: PC,
                second: DEPTH_LIMITED,
                nodes: 2_000,
                games: 400,
                published: Some([70, 29, 1]),
            },
            Pairing { name: "half", first: PC_PA_HA, second: ALL_HALF, nodes: 2_000, games: 400, published: None },
            Pairing {
                name: "alpha-beta",
                first: PC_PA_HA,
                second: ALPHA_BETA,
                nodes: 2_000,
                games: 400,
                published: None,
            },
            Pairing {
                name: "no-analysers-alpha-beta",
                first: PC,
                second: ALPHA_BETA,
                nodes: 2_000,
                games: 400,
                published: None,
            },
        ]),
    },
    Experiment {
        name: "next-move",
        title: "How many next-move problems are solved, and how deep is the tree?",
        source: TACOS,
        published: "Of 48 problems from a book, at 10 seconds each: 19 with PC, PA and HA, 18 without PA and HA, 16 \
with a depth limit, 12 with all moves at 50 %. The nodes of the first two reach the same depth; those of the \
depth-limited program reach deeper, because it makes few moves there (the paper's figure 3, by ply).",
        differences: "Other problems, at equal nodes instead of 10 seconds, with the table cleared between problems. \
The published numbers are so small that their intervals overlap. Iterations differ in meaning. With all moves at 50 \
%, iteration n searches all moves on n + 1 plies. With categories, it searches the lines with a probability above 1 \
in 2ⁿ: fewer than n plies where moves are improbable (a typical quiet move costs about five halvings), more where \
they are forced. In alpha-beta it is n plies with reductions and extensions, plus captures. Quiescence counts as \
plies too.",
        kind: ExperimentKind::Problems(
            50_000,
            &[
                (PC_PA_HA, Some(19)),
                (PC, Some(18)),
                (DEPTH_LIMITED, Some(16)),
                (ALL_HALF, Some(12)),
                (ALPHA_BETA, None),
            ],
        ),
    },
    Experiment {
        name: "softmax",
        title: "Can best-first softmax search compete with alpha-beta, and at which temperature?",
        source:
            "Hara, Igarashi, Morioka and Yamamoto, a simple game-tree search by softmax (in Japanese), 2016, section 5",
        published: "Against Shibaura Shogi Jr. of 2015 (alpha-beta with pruning), 300 games for each temperature: T = \
60: 106 wins, 188 losses, 6 draws; T = 80: 127, 167, 6; T = 100: 94, 200, 6.",
        differences: "Equal nodes for each move instead of 10 seconds, openings from the given file, a draw after 300 \
plies. Their opponent was a program of its time; we use two opponents, one weaker and one stronger in technique. \
`full-width alpha-beta` has no pruning, reductions or extensions, and its quiescence makes every capture, whereas the \
quiescence at softmax's leaves skips losing captures. `alpha-beta` has all our heuristics. The published result is \
shown beside both. Temperatures are in units of the evaluation, which differs: theirs was Bonanza's, ours values a \
pawn at about 100. Our engines search for a mate before the tree search. `Monte Carlo` is our other best-first \
search; nothing was published about it there.",
        kind: ExperimentKind::Matches(&[
            Pairing {
                name: "t80-full-width",
                first: SOFTMAX_80,
                second: FULL_WIDTH,
                nodes: 2_000,
                games: 400,
                published: Some([127, 167, 6]),
            },
            Pairing {
                name: "t60-full-width",
                first: SOFTMAX_60,
                second: FULL_WIDTH,
                nodes: 2_000,
                games: 400,
                published: Some([106, 188, 6]),
            },
            Pairing {
                name: "t100-full-width",
                first: SOFTMAX_100,
                second: FULL_WIDTH,
                nodes: 2_000,
                games: 400,
                published: Some([94, 200, 6]),
            },
            Pairing {
                name: "monte-carlo-full-width",
                first: MONTE_CARLO,
                second: FULL_WIDTH,
                nodes: 2_000,
                games: 400,
                published: None,
            },
            Pairing {
                name: "t80-alpha-beta",
                first: SOFTMAX_80,
                second: ALPHA_BETA,
                nodes: 2_000,
                games: 400,
                published: Some([127, 167, 6]),
            },
            Pairing {
                name: "t60-alpha-beta",
                first: SOFTMAX_60,
                second: ALPHA_BETA,
                nodes: 2_000,
                games: 400,
                published: Some([106, 188, 6]),
            },
            Pairing {
                name: "t100-alpha-beta",
                first: SOFTMAX_100,
                second: ALPHA_BETA,
                nodes: 2_000,
                games: 400,
                published: Some([94, 200, 6]),
            },
            Pairing {
                name: "monte-carlo-alpha-beta",
                first: MONTE_CARLO,
                second: ALPHA_BETA,
                nodes: 2_000,
                games: 400,
                published: None,
            },
        ]),
    },
    Experiment {
        name: "moves-as-reductions",
        title: "Do move probabilities help alpha-beta in late move reductions?",
        source: "none; our own experiment, to decide the default of `RealizationReductions`",
        published: "Nothing.",
        differences: "None.",
        kind: ExperimentKind::Matches(&[
            Pairing {
                name: "nodes-3000",
                first: REDUCTIONS,
                second: ALPHA_BETA,
                nodes: 3_000,
                games: 1_000,
                published: None,
            },
            Pairing {
                name: "nodes-15000",
                first: REDUCTIONS,
                second: ALPHA_BETA,
                nodes: 15_000,
                games: 1_000,
                published: None,
            },
        ]),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_options_exist() {
        let mut names = HashSet::new();
        for experiment in EXPERIMENTS {
            assert!(!["all", "report"].contains(&experiment.name));
            let players: Vec<Player> = match experiment.kind {
                ExperimentKind::Matches(pairings) => {
                    pairings.iter().for_each(|p| assert!(names.insert((experiment.name, p.name)), "{}", p.name));
                    pairings.iter().flat_map(|p| [p.first, p.second]).collect()
                }
                ExperimentKind::Problems(_, players) => players.iter().map(|(player, _)| *player).collect(),
            };
            players.iter().for_each(|player| drop(player.configured().unwrap()));
        }
    }
}
