//! The endgame database of animal shogi against rules written for a board of letters, value iteration, and textbook searches.

use hayasashi_lab::{
    endgame::{Database, Index, Material, Progress, Solver, Value},
    textbook::{search, Animal, Game, Method, TreeLimits},
};
use hayasashi_shogi::random::Random;
use std::collections::{BTreeSet, HashMap};

/// Lions and chicks.
const CHICKS: Material = Material { kinds: [false, false, true] };
/// Lions and elephants.
const ELEPHANTS: Material = Material { kinds: [false, true, false] };

fn solved(material: Material) -> Solver {
    let mut solver = Solver::new(material);
    solver.run(|_| true);
    assert_eq!(solver.progress(), Progress::Done);
    solver
}

/// The positions after all moves, by rules on the text of a position, as texts.
fn naive_moves(text: &str) -> BTreeSet<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let board: Vec<Vec<char>> = fields[0].split('/').map(|rank| rank.chars().collect()).collect();
    let first = fields[1] == "b";
    let own = |c: char| c != '.' && c.is_ascii_uppercase() == first;
    let hand: Vec<char> = fields[2].chars().filter(|&c| c != '-').collect();
    let (home, far, forward) = if first { (3, 0, -1) } else { (0, 3, 1) };
    let mut after = BTreeSet::new();
    let mut add = |board: &[Vec<char>], mut hand: Vec<char>| {
        hand.sort_by_key(|&c| (c.is_ascii_lowercase(), "GEC".find(c.to_ascii_uppercase())));
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let hand: String = if hand.is_empty() { "-".into() } else { hand.iter().collect() };
        after.insert(format!("{} {} {hand}", ranks.join("/"), if first { "w" } else { "b" }));
    };
    let gone = !board.concat().contains(if first { &'L' } else { &'l' });
    let attacks = |(y, x): (usize, usize), (to_y, to_x): (usize, usize)| {
        let (dy, dx) = ((to_y as i32 - y as i32) * -forward, to_x as i32 - x as i32);
        let near = dy.abs() <= 1 && dx.abs() <= 1 && (dy, dx) != (0, 0);
        near && match board[y][x].to_ascii_uppercase() {
            'L' => true,
            'G' => dy == 0 || dx == 0,
            'E' => dy != 0 && dx != 0,
            'C' => (dy, dx) == (-1, 0),
            _ => !(dy == 1 && dx != 0),
        }
    };
    let squares: Vec<(usize, usize)> = (0..4).flat_map(|y| (0..3).map(move |x| (y, x))).collect();
    let came_home = (0..3).find(|&x| board[home][x] == if first { 'l' } else { 'L' });
    let caught = |x| squares.iter().any(|&(y, from)| own(board[y][from]) && attacks((y, from), (home, x)));
    if gone || came_home.is_some_and(|x| !caught(x)) {
        return after;
    }
    for &(y, x) in &squares {
        for &(to_y, to_x) in &squares {
            if own(board[y][x]) && attacks((y, x), (to_y, to_x)) && !own(board[to_y][to_x]) {
                let (mut board, mut hand) = (board.clone(), hand.clone());
                let taken = board[to_y][to_x];
                let case = |c: char| if first { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                if !".Ll".contains(taken) {
                    hand.push(case(if "Hh".contains(taken) { 'C' } else { taken }));
                }
                let piece = std::mem::replace(&mut board[y][x], '.');
                board[to_y][to_x] = if "Cc".contains(piece) && to_y == far { case('H') } else { piece };
                add(&board, hand);
            }
        }
    }
    for (i, &piece) in hand.iter().enumerate().filter(|(_, &c)| own(c)) {
        for &(y, x) in squares.iter().filter(|&&(y, x)| board[y][x] == '.') {
            let (mut board, mut hand) = (board.clone(), hand.clone());
            board[y][x] = hand.remove(i);
            assert_eq!(board[y][x], piece);
            add(&board, hand);
        }
    }
    after
}

#[test]
fn moves_are_those_of_rules_on_a_board_of_letters() {
    let mut random = Random::new(21, 0);
    let (mut positions, mut ends) = (0, 0);
    for _ in 0..300 {
        let mut game = Animal::default();
        for _ in 0..60 {
            let moves = game.moves();
            let after: BTreeSet<String> = moves.iter().map(|mv| game.after(mv).to_string()).collect();
            assert_eq!(after, naive_moves(&game.to_string()), "{game}");
            positions += 1;
            // Texts are read as they are written.
            if Material::of(game.position()).is_some() {
                assert_eq!(game.to_string().parse::<Animal>().unwrap(), game);
            }
            let Some(mv) = moves.get(random.below(moves.len().max(1))) else {
                ends += 1;
                break;
            };
            // Each position is found again before the ones after it.
            let mut before = Vec::new();
            game.after(mv).position().before(&mut before);
            if game.after(mv).position().is_lost() && Material::of(game.after(mv).position()).is_none() {
                break;
            }
            assert!(before.contains(game.position()), "{game} {mv}");
            game = game.after(mv);
        }
    }
    assert!(positions > 3000 && ends > 30, "{positions} {ends}");
}

#[test]
fn numbers_and_positions_correspond() {
    for kinds in 0..8 {
        let index = Index::new(Material { kinds: [kinds & 1 == 1, kinds & 2 == 2, kinds & 4 == 4] });
        let step = index.len().div_ceil(100_000);
        for number in (0..index.len()).step_by(step) {
            let position = index.position(number as u32);
            let again = index.number(&position);
            assert_eq!(index.number(&position.mirrored()), again);
            // The lower of two numbers stands for a position with both lions on the middle file and its mirror image.
            assert!(again == number as u32 || (again < number as u32 && index.position(again) == position.mirrored()));
        }
    }
}

/// Solves from the start by value iteration over texts, without numbers and moves backward.
fn by_value_iteration(material: Material) -> HashMap<String, Value> {
    let start = Animal::new(material.start()).to_string();
    let mut after: HashMap<String, Vec<String>> = HashMap::new();
    let mut open = vec![start];
    let over = |text: &String| {
        let game: Animal = text.parse().unwrap();
        game.position().can_catch() || game.position().is_lost()
    };
    while let Some(text) = open.pop() {
        if after.contains_key(&text) {
            continue;
        }
        let next = if over(&text) { Vec::new() } else { naive_moves(&text).into_iter().collect() };
        open.extend(next.iter().cloned());
        after.insert(text, next);
    }
    let mut values: HashMap<String, Value> = HashMap::new();
    for text in after.keys().filter(|text| over(text)) {
        let catch = text.parse::<Animal>().unwrap().position().can_catch();
        values.insert(text.clone(), if catch { Value::Win(1) } else { Value::Loss(0) });
    }
    for distance in 1.. {
        let found: Vec<(String, Value)> = after
            .iter()
            .filter(|(text, _)| !values.contains_key(*text))
            .filter_map(|(text, next)| {
                let wins = next.iter().any(|next| values.get(next) == Some(&Value::Loss(distance - 1)));
                let lost =
                    next.iter().all(|next| matches!(values.get(next), Some(Value::Win(plies)) if *plies < distance));
                let value = if wins { Value::Win(distance) } else { Value::Loss(distance) };
                (wins || lost).then(|| (text.clone(), value))
            })
            .collect();
        if found.is_empty() && distance > 2 {
            break;
        }
        values.extend(found);
    }
    after
        .into_keys()
        .map(|text| (values.get(&text).copied().unwrap_or(Value::Draw), text))
        .map(|(v, t)| (t, v))
        .collect()
}

#[test]
fn small_endgames_have_the_values_of_value_iteration() {
    for material in [CHICKS, ELEPHANTS] {
        let solver = solved(material);
        let values = by_value_iteration(material);
        let mut numbers = BTreeSet::new();
        let index = Index::new(material);
        for (text, value) in &values {
            let game: Animal = text.parse().unwrap();
            assert_eq!(solver.value(game.position()), *value, "{text}");
            numbers.insert(index.number(game.position()));
        }
        let counts = solver.counts();
        assert_eq!(counts.positions, numbers.len() as u64);
        assert_eq!(counts.positions, counts.wins + counts.losses + counts.draws);
        assert!(counts.draws > 100 && counts.longest > 10, "{counts:?}");
    }
}

#[test]
fn textbook_searches_find_the_distances() {
    let solver = solved(CHICKS);
    let mut decided = 0;
    for (position, value) in solver.positions().step_by(197) {
        let game = Animal::new(position);
        let (plies, won) = match value {
            Value::Win(plies) => (plies, 1),
            Value::Loss(plies) => (plies, -1),
            _ => (7, 0),
        };
        let value = |method, depth| search(&game, method, TreeLimits { depth, extension: 0 }, None).value;
        for method in [Method::AlphaBeta, Method::SssStar, Method::MtdF] {
            if plies > 6 {
                assert_eq!(value(method, 6), 0, "{game}");
                continue;
            }
            decided += 1;
            assert_eq!(value(method, plies), won, "{game} {method:?}");
            assert!(plies == 0 || value(method, plies - 1) == 0, "{game} {method:?}");
        }
    }
    assert!(decided > 100, "{decided}");
}

#[test]
fn an_interrupted_analysis_continues_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chicks.bin");
    let whole = solved(CHICKS);
    let mut solver = Solver::new(CHICKS);
    let mut stops = 0;
    while solver.progress() != Progress::Done {
        let mut stretches = 0;
        solver.run(|_| {
            stretches += 1;
            stretches <= 3
        });
        Database::write(&solver, &file).unwrap();
        solver = Database::open(&file).unwrap().solver().unwrap();
        stops += 1;
    }
    assert!(stops > 10 && solver.counts() == whole.counts());
    let mut database = Database::open(&file).unwrap();
    assert_eq!(database.counts(), Some(whole.counts()));
    assert!(whole.positions().step_by(500).all(|(position, value)| database.value(&position).unwrap() == value));
    // Damage.
    assert!(database.value(Animal::default().position()).unwrap_err().to_string().contains("has not the pieces"));
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    assert!(Database::open(&file).err().unwrap().to_string().contains("bytes instead of"));
    std::fs::write(&file, [b"X", &bytes[1..]].concat()).unwrap();
    assert!(Database::open(&file).err().unwrap().to_string().contains("is not an endgame database"));
}

/// The whole game against the published result (Tanaka 2009). It takes minutes and 0.9 GB of memory.
#[test]
#[ignore = "minutes of processor time"]
fn the_second_player_wins_in_78_plies() {
    let solver = solved(Material::WHOLE);
    let counts = solver.counts();
    assert_eq!(counts.positions, 246_803_167);
    let over = (counts.catches, counts.tries);
    assert_eq!((counts.wins - over.0, counts.losses - over.1, counts.draws), (56_474_473, 40_328_395, 2_682_700));
    assert_eq!(counts.longest, 173);
    let start = Animal::default();
    assert_eq!(solver.value(start.position()), Value::Loss(78));
    for (mv, plies) in [("b3b2", 75), ("c4c3", 77), ("b4c3", 77), ("b4a3", 77)] {
        let mv = start.moves().into_iter().find(|found| found.to_string() == mv).unwrap();
        assert_eq!(solver.value(start.after(&mv).position()), Value::Win(plies));
    }
}

#[test]
fn wrong_positions_are_refused() {
    let bad = [
        "",
        "gle/.c./.C./ELG b",
        "gle/.c./.C./ELG x -",
        "gle/.c./.C. b -",
        "gle/.c./.C./ELGE b -",
        "gle/.c./.C./E.G b -",
        "gle/.c./.C./ELG b C",
        "gle/.../.C./ELG b L",
        "gle/あ../.C./ELG b c",
        "gle/.../.../ELG b CCCCCCCCCC",
    ];
    for text in bad {
        assert!(text.parse::<Animal>().is_err(), "{text}");
    }
    assert!("gle/.h./.../ELG b c".parse::<Animal>().is_ok());
}
