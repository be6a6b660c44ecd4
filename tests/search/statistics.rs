//! Categories of moves in positions made by hand, the counts taken from games, and the table of categories.

use hayasashi_engine::{
    search::GamePath,
    statistics::{
        category::{Gain, History, Kind, Kings, Meaning, Possibility},
        logarithm::{probability, HALVING},
        move_counts::{Cell, MoveCounts},
        sequence_counts,
        table::{total, VERSION},
        Category, MoveTable, MoveTableError, Phase, PositionContext, Refinements,
    },
};
use hayasashi_shogi::{
    records::{GameCollection, RecordedGame},
    rules::{Move, MoveList, PositionCommand},
};
use hayasashi_tests::program::run as program;

fn path(text: &str) -> GamePath {
    PositionCommand::parse(text).unwrap().into()
}

fn category(text: &str, mv: &str) -> Category {
    let (path, mv) = (path(text), Move::from_usi(mv).unwrap());
    assert!(path.is_legal(mv), "{text}: {mv}");
    PositionContext::new(path.position(), path.past()).category(mv)
}

fn check(text: &str, mv: &str, expected: &str) {
    assert_eq!(category(text, mv).to_string(), expected, "{text}: {mv}");
}

#[test]
fn captures() {
    check("startpos", "7g7f", "P other alone apart move 0 - -");
    // Bishops are exchanged: the example of Taketoshi and others.
    let opened = "startpos moves 7g7f 3c3d";
    check(opened, "8h2b+", "B capture alone apart promotion 0 - -");
    check(&format!("{opened} 8h2b+"), "3a2b", "S recapture supported apart move +4 - -");
    // A free pawn, which did not move last, and a protected one.
    check("sfen 4k4/9/9/9/p8/9/9/R8/4K4 b - 1", "9h9e", "R capture alone apart move +1 - -");
    check("sfen 4k4/9/9/s8/p8/9/9/R8/4K4 b - 1", "9h9e", "R capture alone apart move -4 - -");
}

#[test]
fn around_the_kings() {
    check("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a", "R other alone check move 0 - -");
    check("sfen 4k4/9/9/9/4S4/9/9/4R4/K8 b - 1", "5e4d", "* other alone discovered move 0 - -");
    check("sfen 4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*5h", "G other supported evasion drop 0 - -");
    check("sfen 4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*4c", "S other alone near-enemy drop 0 - -");
    check("sfen 4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*4g", "S other alone near-own drop 0 - -");
    check("sfen 4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*4f", "S other alone apart drop 0 - -");
    check("sfen 4k4/9/9/9/9/9/9/9/4K4 b S 1", "5i5h", "K other * near-own move 0 - -");
}

#[test]
fn attacks_and_defences() {
    // King and rook at once; the rook moved last, or not.
    check("sfen 4k4/9/9/9/9/1r7/9/9/K8 b B 1", "B*9e", "B fork alone check drop +4 - -");
    check("sfen 4k4/9/9/9/1r7/9/9/9/K8 w B 1 moves 8e8f", "B*9e", "B fork-last alone check drop +4 - -");
    // A pawn attacks a silver, which may take it; and a knight, which may not.
    check("sfen 4k4/9/9/1s7/9/9/9/9/4K4 b P 1", "P*8e", "P attack alone apart drop -1 - -");
    check("sfen 4k4/9/9/1n7/9/9/9/9/4K4 b P 1", "P*8e", "P attack alone apart drop +2 - -");
    check("sfen 4k4/9/1n7/9/9/9/9/9/4K4 w P 1 moves 8c7e", "P*7f", "P attack-last alone apart drop +2 - -");
    // A silver that a pawn attacks gets away, is protected, or its attacker's line is cut.
    let attacked = "sfen 8k/9/9/9/4S4/9/9/9/K8 w pG 1 moves P*5d";
    check(attacked, "5e4f", "S escape-last alone apart move +3 - -");
    check(attacked, "G*5f", "G defence alone apart drop +3 - -");
    check("sfen 8k/9/9/9/4S4/9/9/9/K8 w rP 1 moves R*5a", "P*5c", "P other alone apart drop -1 - -");
    check("sfen 8k/9/9/9/4S4/9/9/9/K8 w rP 1 moves R*5a", "P*5d", "P defence supported apart drop +3 - -");
    check("sfen 8k/9/9/9/4S4/9/9/9/K8 w rp 1 moves R*5a 5e4d 1a1b", "4d4c", "S other alone apart move 0 - -");
    // In danger, but not by the last move.
    check("sfen 4r3k/9/9/9/4S4/9/9/9/K8 w - 1 moves 1a1b", "5e4d", "S escape alone apart move +3 - -");
    // From one danger into another, with an attack on a gold; and out of danger, with one on a bishop.
    check("sfen 4r3k/9/3g5/9/4S4/9/9/9/K8 w - 1 moves 1a1b", "5e6d", "S attack alone apart move -3 - -");
    check("sfen 4r3k/9/3b5/9/4S4/9/9/9/K8 w - 1 moves 1a1b", "5e6d", "S attack+defence alone apart move +3 - -");
}

/// A gold is given beside the king (okuri): whoever takes it lets go of the silver.
const LURE: &str = "sfen 7nl/2+R2sk2/4pp1pp/9/9/9/PP7/9/LNSGKGSNL b G 1";
/// A pawn was dropped and taken by the rook.
const AGAIN: &str = "sfen lnsgkgsnl/1r5b1/p1ppppppp/9/9/9/P1PPPPPPP/1B5R1/LNSGKGSNL b 2P 1 moves P*8c 8b8c";

#[test]
fn the_possibility_analyser() {
    check(LURE, "G*2b", "G fork alone check drop -3 lure -");
    // With a knight that guards the silver too it does not fall.
    check(&LURE.replace("7nl", "6gnl"), "G*2b", "G fork alone check drop -3 - -");
    // The silver gives itself to the pawn; the rook behind it then takes a gold.
    let line = "sfen k8/7g1/8p/9/7S1/9/9/7R1/K8 b - 1";
    check(line, "2e1d", "S other alone apart move -3 line -");
    check(line, "2e2d", "S other supported apart move 0 - -");
    check(&line.replace("7g1", "7gg"), "2e1d", "S other alone apart move -3 - -");
}

#[test]
fn the_history_analyser() {
    let history = |text: &str, mv: &str| category(text, mv).history.unwrap();
    assert_eq!(history(AGAIN, "P*8d"), History::DropAgain);
    assert_eq!(history(AGAIN, "P*8e"), History::Nothing);
    // The same position, but nothing is known of how it came about.
    assert_eq!(history(&format!("sfen {}", path(AGAIN).to_sfen()), "P*8d"), History::Nothing);
    let pushed = "sfen 4k4/9/5p3/9/5P3/9/9/9/4K4 b P 1 moves 4e4d 4c4d 5i5h 5a6a";
    assert_eq!(history(pushed, "P*4b"), History::Dangle);
    assert_eq!(history(pushed, "P*4c"), History::Dangle);
    assert_eq!(history(pushed, "P*4e"), History::Nothing);
    assert_eq!(history(pushed, "P*3c"), History::Nothing);
    // By the other side, the board turned.
    let turned = "sfen 4k4/9/9/9/3p5/9/3P5/9/4K4 w p 1 moves 6e6f 6g6f";
    assert_eq!(history(turned, "P*6g"), History::Dangle);
    // It was a silver that stepped there.
    let silver = "sfen 4k4/9/5p3/9/5S3/9/9/9/4K4 b P 1 moves 4e4d 4c4d 5i5h 5a6a";
    assert_eq!(history(silver, "P*4c"), History::Nothing);
}

/// Every legal move of the sampled positions has a category, and the same one on the turned board.
#[test]
fn a_turned_board_has_the_same_categories() {
    let text = std::fs::read_to_string(format!("{}/data/rules/sampled_positions.sfen", env!("CARGO_MANIFEST_DIR")));
    let text = text.unwrap();
    let turn = |sfen: &str| {
        let words: Vec<&str> = sfen.split(' ').collect();
        let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let board = turned(words[0]);
        let side = if words[1] == "b" { "w" } else { "b" };
        let hand: String = words[2].chars().map(swap).collect();
        format!("{board} {side} {hand} 1")
    };
    let mut moves = 0;
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let sfen = line.split('\t').next().unwrap();
        let (pos, other) = (path(&format!("sfen {sfen}")), path(&format!("sfen {}", turn(sfen))));
        let contexts = [&pos, &other].map(|p| PositionContext::new(p.position(), p.past()));
        assert_eq!(contexts[0].phase, contexts[1].phase, "{sfen}");
        let mut list = MoveList::new();
        pos.legal_moves(&mut list);
        for &mv in &list {
            let to = mv.to().turn();
            let turned = match (mv.from(), mv.dropped()) {
                (Some(from), _) => Move::board(from.turn(), to, mv.is_promotion()),
                (_, Some(kind)) => Move::drop(kind, to).unwrap(),
                _ => unreachable!(),
            };
            assert_eq!(contexts[0].category(mv), contexts[1].category(turned), "{sfen}: {mv}");
            moves += 1;
        }
    }
    assert!(moves > 3_000, "{moves}");
}

/// A board turned round; a `+` stays before its letter.
fn turned(board: &str) -> String {
    let mut tokens: Vec<String> = Vec::new();
    let mut promoted = false;
    for c in board.chars() {
        match c {
            '+' => promoted = true,
            _ => {
                let swapped = if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
                tokens.push(if promoted { format!("+{swapped}") } else { swapped.to_string() });
                promoted = false;
            }
        }
    }
    tokens.into_iter().rev().collect()
}

fn games(text: &str) -> Vec<RecordedGame> {
    let mut reading = GameCollection::default();
    reading.take("list.usi".as_ref(), text.as_bytes());
    assert!(reading.faults.is_empty(), "{:?}", reading.faults);
    reading.games
}

fn counted(text: &str) -> MoveCounts {
    let mut statistics = MoveCounts::default();
    games(text).iter().for_each(|game| statistics.take(game));
    statistics
}

/// Four positions of one game, counted by hand.
#[test]
fn possible_and_played_are_counted_by_position() {
    let statistics = counted("startpos moves 7g7f 3c3d 8h2b+ 3a2b\nstartpos moves 7g7f 3c3d 2g2f\n");
    assert_eq!((statistics.games, statistics.positions), (2, [7, 0, 0]));
    let opened = "startpos moves 7g7f 3c3d";
    let legal = |text: &str| path(text).count_legal_moves() as u64;
    assert_eq!(statistics.moves, 2 * (30 + 30 + legal(opened)) + legal(&format!("{opened} 8h2b+")));
    let cell = |category: Category| {
        let cells = statistics.cells(category);
        (total(cells).played, total(cells).possible)
    };
    let gain = |gain| Category { gain: Some(gain), ..Category::ALL };
    // Silver or rook takes the horse; all else is even, or loses.
    assert_eq!(cell(gain(Gain::PlusHigh)), (1, 1));
    assert_eq!(cell(gain(Gain::Even)), (6, 7));
    // Black could exchange bishops in both games.
    assert_eq!(cell(category(opened, "8h2b+")), (1, 2));
    // Nothing to find, and not looked for, are counted alike.
    let moved = Category { possibility: Some(Possibility::Nothing), ..gain(Gain::PlusHigh) };
    assert_eq!(cell(moved), (1, 1));
    assert_eq!(cell(Category { possibility: Some(Possibility::Lure), ..gain(Gain::PlusHigh) }), (0, 0));
}

/// What is always played has one half, what is too rare is looked up less exactly, and phases are told apart.
#[test]
fn probabilities_are_those_of_the_counts() {
    let line = "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n";
    let text = line.repeat(100);
    let table = MoveTable::of(
        &counted(&text),
        &sequence_counts::count_sequences(&games(&text)),
        vec!["made for a test".into()],
    );
    let look_up = |category, phase| table.look_up(category, phase, Refinements::ALL);
    let recapture = category("startpos moves 7g7f 3c3d 8h2b+", "3a2b");
    let known = look_up(recapture, Phase::Opening);
    assert_eq!((known.cost, known.cell), (HALVING, Cell { played: 100, possible: 100 }));
    assert_eq!(known.category.plain(), recapture.plain());
    // Opposite the gold it would be as rare as this game has none: the same without the piece is known.
    let gold = Category { piece: Some(hayasashi_shogi::rules::PieceKind::Gold), ..recapture };
    let known = look_up(gold, Phase::Opening);
    assert_eq!(known.category.piece, None);
    // No end game was seen: all phases together.
    assert_eq!(look_up(recapture, Phase::Final).cost, HALVING);
    // A gain of a pawn was never possible at all.
    let unseen = Category { gain: Some(Gain::PlusTiny), ..recapture };
    assert_eq!(look_up(unseen, Phase::Opening).cell.played, 0);
    assert!(look_up(unseen, Phase::Opening).cost > 5 * HALVING);
    // Written and read it is the same.
    assert_eq!(MoveTable::parse(&table.to_text()), Ok(table));
}

/// The tables of the paper in kind: what either analyser does for its example, and what phases do.
#[test]
fn refinements_raise_what_is_played_more_often() {
    let table = MoveTable::built_in();
    let of = |text: &str, mv: &str, switches: Refinements| {
        let path = path(text);
        let context = PositionContext::new(path.position(), path.past());
        probability(table.look_up(context.category(Move::from_usi(mv).unwrap()), context.phase, switches).cost)
    };
    let off = Refinements { possibility: false, history: false, ..Refinements::ALL };
    let only = |possibility, history| Refinements { possibility, history, ..Refinements::ALL };
    assert!(of(LURE, "G*2b", only(true, false)) > 3.0 * of(LURE, "G*2b", off));
    assert_eq!(of(LURE, "G*2b", only(false, true)), of(LURE, "G*2b", off));
    assert!(of(AGAIN, "P*8d", only(false, true)) > 2.0 * of(AGAIN, "P*8d", off));
    assert_eq!(of(AGAIN, "P*8d", only(true, false)), of(AGAIN, "P*8d", off));
    // To capture near the enemy king at a small loss.
    let cell = |phase: Phase| {
        let small = |(category, _): &(Category, _)| {
            let &Category { piece, meaning, kings, kind, gain, .. } = category;
            *category == category.plain()
                && *category == category.level(1)
                && category.supported.is_some()
                && (piece, meaning, kings) == (None, Some(Meaning::Capture), Some(Kings::NearEnemy))
                && kind == Some(Kind::Step)
                && matches!(gain, Some(Gain::MinusLow | Gain::MinusMiddle))
        };
        let cells = table.categories().into_iter().filter(small).map(|(_, cells)| cells[phase as usize]);
        cells.fold((0, 0), |(played, possible), cell| (played + cell.played, possible + cell.possible))
    };
    let [opening, last] = [cell(Phase::Opening), cell(Phase::Final)].map(|(played, possible)| {
        assert!(possible > 300);
        played as f64 / possible as f64
    });
    assert!(last > 1.3 * opening, "{opening} {last}");
}

#[test]
fn bad_tables_are_refused() {
    let good = MoveTable::built_in().to_text();
    assert!(matches!(MoveTable::parse(""), Err(MoveTableError::NoTable(_))));
    assert!(matches!(MoveTable::parse("GIF89a"), Err(MoveTableError::NoTable(line)) if line == "GIF89a"));
    let other = good.replacen(&format!(" {VERSION}\n"), " 99\n", 1);
    assert_eq!(MoveTable::parse(&other), Err(MoveTableError::Version("99".into())));
    assert!(MoveTable::parse(&other).unwrap_err().to_string().contains("learn moves"));
    let head = format!("hayasashi-moves {VERSION}\npositions 1 2 3\npiece meaning …\n");
    assert_eq!(MoveTable::parse(&head), Err(MoveTableError::Empty));
    for (line, word) in [
        ("P capture alone apart move +1 - -", "played/possible"),
        ("P capture alone apart move +1 - - 1/2 1/2", "played/possible"),
        ("P capture alone apart move +1 - - 3/2 1/2 1/2", "played/possible"),
        ("P capture alone apart move +1 - - 1/2 1/2 1/9999999999", "played/possible"),
        ("P capture alone apart walk +1 - - 1/2 1/2 1/2", "`walk`"),
        ("P capture", "too short"),
        ("P capture alone apart move +1 - - 1/2 1/2 1/2\nP capture alone apart move +1 - - 1/2 1/2 1/2", "twice"),
        ("positions 1 2", "each phase"),
        ("sequence P* PxP(0,0) P*(0,-1) 12/40", "association"),
        ("sequence P* PxP(0,0) P*(0,-1) 12/40 many", "`many`"),
        ("sequence P* PxP(0,0) P*(0,-1) 41/40 5", "`41/40`"),
        ("sequence P* PxP(0,0) P*(0,-9) 12/40 5", "not a sequence"),
        ("sequence P* PxP(-1,0) P*(0,-1) 12/40 5", "mirror"),
        ("sequence P* PxP(0,0) P*(0,-1) 2/3 5\nsequence P* PxP(0,0) P*(0,-1) 2/3 5", "twice"),
    ] {
        let error = MoveTable::parse(&format!("{head}{line}\n")).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("line "), "{line}: {error}");
    }
}

#[test]
fn the_program_learns_and_shows() {
    let folder = std::env::temp_dir().join(format!("hayasashi-moves-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    std::fs::write(file("games.usi"), "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n".repeat(100)).unwrap();
    let (out, report) = (file("table.txt"), file("report.txt"));
    let learn = ["learn", "moves", "--games", &file("games.usi"), "--out", &out, "--report", &report, "--json"];
    let (code, told, err) = program(&learn);
    assert_eq!(code, 0, "{err}");
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["games"], &told["positions"]), (&100.into(), &400.into()));
    let report = std::fs::read_to_string(report).unwrap();
    assert!(report
        .lines()
        .any(|l| l.contains("100       100  50.000 %") && l.ends_with("recapture supported apart move +4 - -")));
    let show = ["moves", "--probabilities", "--move-table", &out, "--moves", "7g7f", "3c3d", "8h2b+"];
    let (code, text, err) = program(&show);
    assert_eq!(code, 0, "{err}");
    let first = text.lines().find(|l| l.starts_with("3a2b")).unwrap();
    assert!(first.contains("50.000 %") && first.contains("100/100"), "{first}");
    // Another version, and no games.
    std::fs::write(file("old.txt"), "hayasashi-moves 0\n").unwrap();
    let (code, _, err) = program(&["moves", "--probabilities", "--move-table", &file("old.txt")]);
    assert!(code == 2 && err.contains("version 0") && err.contains("old.txt"), "{err}");
    let (code, _, err) = program(&["learn", "moves", "--games", &file("missing"), "--out", &out]);
    assert!(code == 2 && err.contains("missing"), "{err}");
    let (code, _, err) = program(&["learn", "moves", "--games", &file("games.usi"), "--out", &file("no/such.txt")]);
    assert!(code == 2 && err.contains("such.txt"), "{err}");
    std::fs::remove_dir_all(&folder).unwrap();
}
