//! The horizon effect: a search of fixed depth wins material at its last ply that it loses one ply later. The engine's search of
//! the same depth does not, because of quiescence search.

use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::search::{Decision, GamePath, MoveSource, SearchLimits, Searcher};
use hayasashi_engine::Control;
use hayasashi_lab::textbook::{search, Game, Method, Shogi, TreeLimits as Plies, Turn};
use hayasashi_model::evaluate::{first_table, EvalTable};
use hayasashi_shogi::rules::{Move, Position};
use std::sync::Arc;

/// The best move of a search of one ply that ends there.
fn short_sighted(game: &Shogi) -> Move {
    search(game, Method::AlphaBeta, Plies { depth: 1, extension: 0 }, None).line[0]
}

/// What playing a move instead of the best one loses, in centipawns, by two plies and all captures behind them.
fn loss(game: &Shogi, mv: Move) -> i32 {
    let best = search(game, Method::AlphaBeta, Plies { depth: 2, extension: 10 }, None).value;
    let own = search(&game.after(&mv), Method::AlphaBeta, Plies { depth: 1, extension: 10 }, None).value;
    if game.turn() == Turn::Max {
        best - own
    } else {
        own - best
    }
}

fn engines_move(table: &Arc<EvalTable>, position: &Position, plies: u32) -> Option<Move> {
    let chip = open(&BackendSpec::Model).unwrap().chip;
    let mut searcher = Searcher::new(MoveSource::open(chip, table.clone()).unwrap(), 1);
    let limits = SearchLimits { depth: Some(plies), ..SearchLimits::default() };
    let outcome = searcher.search(&GamePath::new(position.clone()), &limits, &[], &Control::default(), &mut |_| {});
    match outcome.decision {
        Decision::Move(mv, _) => Some(mv),
        _ => None,
    }
}

#[test]
fn a_guarded_pawn_is_left_alone() {
    let table = Arc::new(first_table());
    let position = Position::from_sfen("k8/9/9/4g4/4p4/9/9/4R4/K8 b - 1").unwrap();
    let game = Shogi::new(position.clone(), table.clone());
    let takes = Move::from_usi("5h5e").unwrap();
    assert_eq!(short_sighted(&game), takes);
    assert!(loss(&game, takes) > 500);
    assert_ne!(engines_move(&table, &position, 1), Some(takes));
}

#[test]
fn in_positions_of_games_the_engine_sees_what_comes_behind() {
    let table = Arc::new(first_table());
    let (mut wrong, mut right) = (0, 0);
    let lines = include_str!("../data/rules/legal_moves.tsv").lines().filter(|line| line.contains("\tgame\t"));
    for line in lines.step_by(20) {
        let position = Position::from_sfen(line.split('\t').next().unwrap()).unwrap();
        let game = Shogi::new(position.clone(), table.clone());
        if position.in_check() || !(2..60).contains(&game.moves().len()) {
            continue;
        }
        if loss(&game, short_sighted(&game)) < 300 {
            continue;
        }
        wrong += 1;
        right += (loss(&game, engines_move(&table, &position, 1).unwrap()) < 100) as u32;
    }
    assert!(wrong >= 12 && right * 10 >= wrong * 9, "{right} of {wrong}");
}
