//! Each technique of the search is at work where it should be, and none of them loses what a plain search finds.

use hayasashi::{
    accel::{open, BackendSpec},
    cli::bench::POSITIONS,
    model::evaluate::{first_table, Table},
    rules::{Move, Position, PositionCommand},
    search::{Control, Decision, Limits, Outcome, Path, Searcher, Source, Techniques},
};
use std::sync::{Arc, OnceLock};

fn table() -> &'static Arc<Table> {
    static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(first_table()))
}

fn searcher(backend: BackendSpec, techniques: Techniques) -> Searcher {
    let mut searcher = Searcher::new(Source::open(open(&backend).unwrap().chip, table()).unwrap(), 8);
    searcher.techniques = techniques;
    searcher
}

fn search(searcher: &mut Searcher, text: &str, limits: &Limits) -> Outcome {
    let command = PositionCommand::parse(text).unwrap();
    let mut path = Path::new(command.start);
    command.moves.into_iter().for_each(|mv| path.do_move(mv));
    let outcome = searcher.search(&path, limits, &[], &Control::default(), &mut |_| {});
    assert_eq!(outcome.failure, None);
    if let Decision::Move(mv, _) = outcome.decision {
        assert!(path.is_legal(mv), "{mv} in {text}");
    }
    outcome
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Nodes of the bench positions at a depth.
fn tree_size(techniques: Techniques, plies: u32) -> u64 {
    let mut searcher = searcher(BackendSpec::Model, techniques);
    let mut count = |sfen: &&str| {
        searcher.clear();
        search(&mut searcher, sfen, &depth(plies)).report.nodes
    };
    POSITIONS.iter().map(&mut count).sum()
}

fn without(name: &str) -> Techniques {
    let mut techniques = Techniques::default();
    *techniques.switch(name).unwrap() = false;
    techniques
}

/// A switch that changes nothing is no switch. Mate in one has no function here to switch off.
#[test]
fn every_technique_changes_the_tree() {
    const PLIES: u32 = 8;
    let all = tree_size(Techniques::default(), PLIES);
    for name in Techniques::NAMES.iter().filter(|n| **n != "MateInOne") {
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

fn mates() -> Vec<(String, usize)> {
    let file = format!("{}/data/mate/game_mates.sfen", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let split = |l: &str| {
        let (sfen, moves) = l.split_once(" moves ").unwrap();
        (sfen.to_string(), moves.split(' ').count())
    };
    lines.map(split).collect()
}

/// Mates of one and three plies are found whatever is switched off.
#[test]
fn no_technique_hides_short_mates() {
    let settings = Techniques::NAMES.iter().map(|name| (*name, without(name)));
    let all = [("nothing", Techniques::default()), ("everything", Techniques::none())];
    for (name, techniques) in settings.chain(all) {
        let mut searcher = searcher(BackendSpec::Model, techniques);
        for (sfen, plies) in mates().into_iter().filter(|(_, plies)| *plies <= 3) {
            searcher.clear();
            let report = search(&mut searcher, &sfen, &depth(plies as u32 + 5)).report;
            let told = report.told().to_string();
            assert!(told.starts_with("mate ") && !told.contains('-'), "without {name}: {told} in {sfen}");
        }
    }
}

#[test]
fn mate_in_one_is_asked_for_at_leaves() {
    /// The slow way: every move that checks, and leaves no answer.
    fn mate_in_one(pos: &Position) -> Option<Move> {
        let mut moves = hayasashi::rules::MoveList::new();
        pos.checks(&mut moves);
        let mates = |mv: &&Move| {
            let mut after = pos.clone();
            after.do_move(**mv);
            !after.has_legal_move()
        };
        moves.iter().find(mates).copied()
    }
    let mut with = searcher(BackendSpec::Model, Techniques::default());
    with.mate_in_one = Some(mate_in_one);
    let mut off = searcher(BackendSpec::Model, without("MateInOne"));
    off.mate_in_one = Some(mate_in_one);
    // A mate three plies deep: a search of two sees it by asking at its leaves, or by the checks of quiescence.
    let told = |searcher: &mut Searcher, sfen: &str| search(searcher, sfen, &depth(2)).report.told().to_string();
    let three: Vec<String> = mates().into_iter().filter(|(_, plies)| *plies == 3).map(|(sfen, _)| sfen).collect();
    let unseen = three.iter().find(|sfen| !told(&mut off, sfen).starts_with("mate")).unwrap();
    assert_eq!(told(&mut with, unseen), "mate 3", "{unseen}");
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
    for (sfen, plies) in mates().into_iter().filter(|(_, plies)| *plies == 3).take(5) {
        let mut searcher = searcher(BackendSpec::Model, Techniques::default());
        searcher.threads = 4;
        let report = search(&mut searcher, &sfen, &depth(plies as u32 + 2)).report;
        assert!(report.told().to_string().starts_with("mate "), "{sfen}: {}", report.told());
    }
    let mut searcher = searcher(BackendSpec::Model, Techniques::default());
    searcher.threads = 3;
    let report = search(&mut searcher, "startpos", &nodes(50_000)).report;
    // Threads tell of their nodes now and then.
    assert!((50_000..60_000).contains(&report.nodes), "{}", report.nodes);
}
