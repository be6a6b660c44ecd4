//! Each search technique changes the tree, and none hides a mate that a plain search finds.

use hayasashi_accel::BackendSpec;
use hayasashi_engine::BENCH_POSITIONS;
use hayasashi_engine::{
    mate::mate_in_1,
    search::{Decision, SearchLimits, SearchOutcome, Searcher, Techniques},
};
use hayasashi_shogi::rules::{Move, Position, PositionCommand};
use hayasashi_tests::search::{self, depth, mates, nodes, path};

fn searcher(backend: BackendSpec, techniques: Techniques) -> Searcher {
    let mut searcher = search::searcher(backend, 8);
    searcher.settings.techniques = techniques;
    searcher
}

fn search(searcher: &mut Searcher, text: &str, limits: &SearchLimits) -> SearchOutcome {
    search::search(searcher, &path(text), limits)
}

/// Nodes of the bench positions at a depth.
fn tree_size(techniques: Techniques, plies: u32) -> u64 {
    let mut searcher = searcher(BackendSpec::Model, techniques);
    let mut count = |sfen: &&str| {
        searcher.clear();
        search(&mut searcher, sfen, &depth(plies)).report.nodes
    };
    BENCH_POSITIONS.iter().map(&mut count).sum()
}

fn without(name: &str) -> Techniques {
    let mut techniques = Techniques::default();
    techniques.set(name, false).unwrap();
    techniques
}

/// A switch that changes nothing is no switch. The mate search before has its own test: under a limit of depth the tree
/// is asked alone. So have the techniques of the other search, and what is off by default (`realization.rs`, `search_terms.rs`).
#[test]
fn every_technique_changes_the_tree() {
    const PLIES: u32 = 8;
    let all = tree_size(Techniques::default(), PLIES);
    const OTHERS: [&str; 12] = [
        "RootMate",
        "RootBrinkmate",
        "RealizationReductions",
        "PhaseCategories",
        "PossibilityAnalyser",
        "HistoryAnalyser",
        "ExchangeLeaves",
        "ProbableExtension",
        "ForcedLines",
        "TesujiMacros",
        "UniformCosts",
        "WidthLimits",
    ];
    for name in Techniques::NAMES.iter().filter(|n| !OTHERS.contains(n)) {
        assert_ne!(tree_size(without(name), PLIES), all, "{name}");
    }
}

/// What prunes makes the tree smaller, by far where it is a main technique.
#[test]
fn pruning_prunes() {
    const PLIES: u32 = 6;
    let all = tree_size(Techniques::default(), PLIES);
    for (name, percent) in [
        ("Futility", 105),
        ("ReverseFutility", 105),
        ("LateMoveReductions", 120),
        ("LateMovePruning", 120),
        ("ExchangePruning", 120),
        ("TableCuts", 100),
    ] {
        let more = tree_size(without(name), PLIES);
        assert!(more * 100 > all * percent, "{name}: {more} without it, {all} with it");
    }
    assert!(tree_size(Techniques::none(), 4) > 3 * tree_size(Techniques::default(), 4));
}

/// Mates of one and three plies are found whatever is switched off.
#[test]
fn no_technique_hides_short_mates() {
    let settings = Techniques::NAMES.iter().map(|name| (*name, without(name)));
    let all = [("nothing", Techniques::default()), ("everything", Techniques::none())];
    for (name, techniques) in settings.chain(all) {
        let mut searcher = searcher(BackendSpec::Model, techniques);
        for (sfen, plies) in mates("game_mates.sfen").into_iter().filter(|(_, plies)| *plies <= 3) {
            searcher.clear();
            let report = search(&mut searcher, &sfen, &depth(plies as u32 + 5)).report;
            let told = report.usi_score().to_string();
            assert!(told.starts_with("mate ") && !told.contains('-'), "without {name}: {told} in {sfen}");
        }
    }
}

#[test]
fn mate_in_one_is_asked_for_at_leaves() {
    let longer = |sfen: &str| mate_in_1(&Position::from_sfen(sfen.trim_start_matches("sfen ")).unwrap()).is_none();
    let (sfen, _) = mates("game_mates.sfen").into_iter().find(|(sfen, plies)| *plies == 3 && longer(sfen)).unwrap();
    // The mate lies three plies deep: a search of two that follows no checks sees it only by asking at its leaves. Without
    // checks quiescence takes scores from deeper in it, which nobody asked for mates: hence no cut-offs by the table.
    let plain =
        Techniques { check_extension: false, quiescence_checks: false, table_cuts: false, ..Techniques::default() };
    let mut with = searcher(BackendSpec::Model, plain);
    let mut off = searcher(BackendSpec::Model, Techniques { mate_in_one: false, ..plain });
    let told = |searcher: &mut Searcher| search(searcher, &sfen, &depth(2)).report.usi_score().to_string();
    assert_eq!(told(&mut with), "mate 3", "{sfen}");
    assert!(!told(&mut off).starts_with("mate"), "{sfen}");
}

/// The published mates are announced by the mate search before the tree, within its share of the nodes, on every back
/// end alike; and without it the tree is searched.
#[test]
fn mates_are_searched_before_the_tree() {
    for (sfen, plies) in mates("game_mates.sfen") {
        let [one, other, tree] = [
            (BackendSpec::Model, Techniques::default()),
            (BackendSpec::ModelStream, Techniques::default()),
            (BackendSpec::Model, without("RootMate")),
        ]
        .map(|(backend, techniques)| search(&mut searcher(backend, techniques), &sfen, &nodes(16_000)));
        assert_eq!((&one.decision, one.report.nodes), (&other.decision, other.report.nodes), "{sfen}");
        assert_ne!(one.report.nodes, tree.report.nodes, "{sfen}");
        assert!(one.report.nodes < 1_300, "{sfen}: {} nodes", one.report.nodes);
        let told = one.report.usi_score().to_string();
        let told: usize = told.strip_prefix("mate ").unwrap_or_else(|| panic!("{sfen}: {told}")).parse().unwrap();
        assert!(told <= plies && told % 2 == 1, "{sfen}: mate {told}, not {plies}");
        let mut pos = PositionCommand::parse(&sfen).unwrap().position;
        for &mv in &one.report.pv {
            pos.do_move(mv);
        }
        assert!(pos.in_check() && !pos.has_legal_move(), "{sfen}: {:?}", one.report.pv);
    }
}

/// A brinkmate that begins with a quiet move is announced on every back end alike, and after fewer nodes than the tree needs
/// without. Under a limit of depth or with few nodes it is not searched for.
#[test]
fn brinkmates_are_searched_before_the_tree() {
    let sfen = "sfen 6k2/1+Rs1g4/l1pp1+Nr2/pp2p1ppp/2s3l2/S2P2P1B/PGG1PP3/L2G4L/1NB1K1SP1 b 2NP3p 83";
    let on = Techniques { root_brinkmate: true, ..Techniques::default() };
    let [one, other, tree] =
        [(BackendSpec::Model, on), (BackendSpec::ModelStream, on), (BackendSpec::Model, Techniques::default())]
            .map(|(backend, techniques)| search(&mut searcher(backend, techniques), sfen, &nodes(40_000)));
    for found in [&one, &other] {
        assert_eq!(found.report.usi_score().to_string(), "mate 5");
        assert_eq!(found.decision, Decision::Move(Move::from_usi("4c3c").unwrap(), found.report.pv.get(1).copied()));
    }
    assert_eq!(one.report.nodes, other.report.nodes);
    assert!(one.report.nodes < tree.report.nodes, "{} {}", one.report.nodes, tree.report.nodes);
    for limits in [depth(4), nodes(4_000)] {
        let [with, off] = [on, Techniques::default()]
            .map(|t| search(&mut searcher(BackendSpec::Model, t), sfen, &limits).report.nodes);
        assert_eq!(with, off);
    }
}

/// Where there is no mate, the mate search before takes a share of the nodes and leaves the rest to the tree.
#[test]
fn the_mate_search_counts_against_the_limit() {
    let text = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let [with, off] = [Techniques::default(), without("RootMate")].map(|t| {
        let report = search(&mut searcher(BackendSpec::Model, t), text, &nodes(8_000)).report;
        assert_eq!(report.nodes, 8_000, "{t:?}");
        report
    });
    assert!(with.depth > 0 && with.depth <= off.depth, "{} {}", with.depth, off.depth);
}

/// The tree is one: with moves and scores from the model behind the wire protocol it is the same, switch by switch.
#[test]
fn native_and_linked_searches_are_the_same() {
    let text = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let settings = ["NullMove", "ProbCut", "QuiescenceChecks", "AlwaysPromote"].map(without);
    for techniques in settings.into_iter().chain([Techniques::default(), Techniques::none()]) {
        let [one, other] = [BackendSpec::Model, BackendSpec::ModelStream].map(|backend| {
            let outcome = search(&mut searcher(backend, techniques), text, &nodes(4_000));
            (outcome.decision, outcome.report.score, outcome.report.nodes, outcome.report.pv)
        });
        assert_eq!(one, other, "{techniques:?}");
    }
}

#[test]
fn a_game_at_fixed_nodes_is_repeatable() {
    let play = || {
        let mut searcher = searcher(BackendSpec::Model, Techniques::default());
        let mut moves = Vec::new();
        for _ in 0..20 {
            let text = format!("startpos moves 7g7f 3c3d {}", moves.join(" "));
            match search(&mut searcher, &text, &nodes(2_000)).decision {
                Decision::Move(mv, _) => moves.push(mv.to_usi()),
                _ => break,
            }
        }
        moves
    };
    assert_eq!(play(), play());
}

#[test]
fn several_threads_find_what_one_finds() {
    for (sfen, plies) in mates("game_mates.sfen").into_iter().filter(|(_, plies)| *plies == 3).take(5) {
        let mut searcher = searcher(BackendSpec::Model, Techniques::default());
        searcher.settings.threads = 4;
        let report = search(&mut searcher, &sfen, &depth(plies as u32 + 2)).report;
        assert!(report.usi_score().to_string().starts_with("mate "), "{sfen}: {}", report.usi_score());
    }
    let mut searcher = searcher(BackendSpec::Model, Techniques::default());
    searcher.settings.threads = 3;
    let report = search(&mut searcher, "startpos", &nodes(50_000)).report;
    // Threads tell of their nodes now and then.
    assert!((50_000..60_000).contains(&report.nodes), "{}", report.nodes);
}
