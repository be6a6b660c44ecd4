//! The results of the search hold by themselves.

use super::*;
use hayasashi_shogi::rules::PieceKind;

/// The position with this hand for the attacker and the other pieces for the defender.
fn with_hand(pos: &Position, attacker: Color, hand: Hand) -> Position {
    let all = pos.hand(Color::Black).plus(pos.hand(Color::White));
    let mut hands = String::new();
    for kind in PieceKind::HAND {
        let own = hand.count(kind);
        for (color, count) in [(attacker, own), (attacker.opponent(), all.count(kind) - own)] {
            let letter = if color == Color::Black { kind.letter() } else { kind.letter().to_ascii_lowercase() };
            if count > 0 {
                hands += &format!("{count}{letter}");
            }
        }
    }
    let sfen = pos.to_sfen();
    let fields: Vec<&str> = sfen.split(' ').collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    Position::from_problem_sfen(&format!("{} {} {hands} 1", fields[0], fields[1])).unwrap()
}

/// Every proof and disproof on the way must hold by itself with its hand. Disproofs that rely on the path and wrong
/// hands fail here.
#[test]
fn what_is_shown_on_the_way_holds_by_itself() {
    let problems = include_str!("../../../../../tests/data/mate/collection_games.sfen").lines().step_by(4);
    let problems = problems.map(|line| line.trim_start_matches("sfen ").split(" moves ").next().unwrap());
    // The end of "Microcosmos" (K. Hashimoto, 1986), where the king is chased to and fro; distant rooks and
    // bishops.
    let chases = [
        "g2+P+P1+P+P+L/1p3k3/+Rn2ppppl/2+Psg+p2+R/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Pn 1425",
        "g2+P+P+P1+P+L/1p4k2/+Rn2ppppl/2+Psg+p1+R1/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Pn 1451",
        "g2+P+P+P1+P+L/1p4k2/+Rn2ppppl/2+Psg+p+R2/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Pn 1475",
        "3+P+P+P+P1+L/1g5k1/1n2pppp1/2+Psg+p+R1l/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Prnp 1501",
        "7k1/9/6p2/9/9/9/9/9/1R2B4 b GSrbgsnlp 1",
        "8k/6p2/9/7p1/9/9/9/9/4R4 b 2GPnp 1",
        "5k3/9/4P4/9/9/1B7/9/9/9 b RGSPp 1",
        "9/7k1/9/6s2/9/9/1R7/9/8B b GPn2p 1",
    ];
    let control = Control::default();
    let mut agreed = [0; 2];
    for sfen in problems.chain(chases) {
        let pos = Position::from_sfen(sfen).unwrap();
        let mut table = Table::new(16);
        let mut search = Search::new(&pos, &mut table, &control, None, 100_000);
        let _ = search.solve(4095);
        let of_attacker = |(at, _): &&(Position, Value)| at.side_to_move() == pos.side_to_move();
        let shown: Vec<_> = search.shown.iter().filter(of_attacker).collect();
        for (at, value) in shown.iter().step_by(shown.len() / 150 + 1) {
            let at = with_hand(at, pos.side_to_move(), value.hand);
            let mut fresh = Table::new(1);
            let alone = Search::new(&at, &mut fresh, &control, None, 3_000).solve(4095);
            if let Ok(alone) = alone {
                assert_eq!(alone.pn == 0, value.pn == 0, "{at}, on the way from {sfen}");
                agreed[(alone.pn == 0) as usize] += 1;
            }
        }
    }
    assert!(agreed.iter().all(|&n| n > 300), "{agreed:?}");
}
