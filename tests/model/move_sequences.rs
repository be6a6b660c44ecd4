//! SequenceCounts of three moves: how they are written, mirrored, counted, and which are in the table that is built in.

use hayasashi_engine::{
    search::GamePath,
    statistics::{
        logarithm::{log2, HALVING},
        sequence_counts::{self, SequenceStatistics},
        sequences::{Sequence, SequencePrefix},
        MoveTable,
    },
};
use hayasashi_shogi::{records::GameCollection, rules::PositionCommand};

/// The sequence of the last three moves of a game, and whether it is a tesuji.
fn last(text: &str) -> (String, bool) {
    let command = PositionCommand::parse(text).unwrap();
    let mut path = GamePath::new(command.start);
    let (mv, before) = command.moves.split_last().unwrap();
    before.iter().for_each(|&mv| path.do_move(mv));
    let begun = SequencePrefix::of(path.position(), path.past()).unwrap();
    (begun.with(path.position(), *mv).to_string(), begun.is_tesuji(*mv))
}

fn check(text: &str, expected: &str) {
    assert_eq!(last(text), (expected.into(), true), "{text}");
}

#[test]
fn sequences_by_hand() {
    // Bishops are exchanged, by Black and by White.
    check("startpos moves 7g7f 3c3d 9g9f 9c9d 8h2b+ 3a2b B*3c", "BxB+ Sx+B(0,0) B*(1,1)");
    check("startpos moves 7g7f 3c3d 6i7h 2b8h+ 7i8h", "G BxB+(1,0) Sx+B(0,0)");
    // Pawns on the second file: pushed, taken, taken again; then one is dropped against the rook.
    let rook = "startpos moves 2g2f 8c8d 2f2e 8d8e 9g9f 9c9d 2e2d 2c2d 2h2d";
    check(rook, "P PxP(0,0) RxP(0,0)");
    check(&format!("{rook} P*2c"), "PxP RxP(0,0) P*(0,1)");
    check(&format!("{rook} P*2c 2d2h"), "RxP P*(0,-1) R(0,5)");
}

/// A pawn is dropped, taken, and another dropped before the taker, on any file and by either side.
#[test]
fn wherever_on_the_board() {
    for (text, expected) in [
        ("sfen 4k4/9/9/9/4p4/9/9/9/4K4 b 3P 1 moves P*5f 5e5f P*5g", "P* PxP(0,0) P*(0,1)"),
        ("sfen 4k4/9/9/9/8p/9/9/9/4K4 b 3P 1 moves P*1f 1e1f P*1g", "P* PxP(0,0) P*(0,1)"),
        ("sfen 4k4/9/9/9/4P4/9/9/9/4K4 w 3p 1 moves P*5d 5e5d P*5c", "P* PxP(0,0) P*(0,1)"),
        // To the left and to the right of the pawn.
        ("sfen 4k4/9/9/9/4p4/9/9/9/4K4 b PS 1 moves P*5f 5e5f S*4g", "P* PxP(0,0) S*(1,1)"),
        ("sfen 4k4/9/9/9/4p4/9/9/9/4K4 b PS 1 moves P*5f 5e5f S*6g", "P* PxP(0,0) S*(1,1)"),
        ("sfen 4k4/9/9/9/4P4/9/9/9/4K4 w ps 1 moves P*5d 5e5d S*6c", "P* PxP(0,0) S*(1,1)"),
    ] {
        check(text, expected);
    }
    // What is far away has nothing to do with it, before or after.
    assert!(!last("sfen 4k4/9/9/9/4p4/9/9/9/4K4 b PS 1 moves P*5f 5e5f S*1g").1);
    assert!(!last("sfen 4k4/9/9/9/4p4/9/9/9/4K4 b PS 1 moves P*1f 5e5f S*4g").1);
    // But to go away from there has.
    check("sfen 4k4/9/9/9/4p4/9/4R4/9/4K4 b P 1 moves P*3f 5e5f 5g1g", "P* P(2,0) R(-4,1)");
}

#[test]
fn keys_and_texts_are_those_of_one_sequence() {
    for (sequence, played) in MoveTable::built_in().sequences() {
        assert_eq!(Sequence::of_key(sequence.key()), sequence);
        let text = sequence.to_string();
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(Sequence::parse(&words.try_into().unwrap()), Some(sequence), "{text}");
        assert_eq!(MoveTable::built_in().sequence(sequence), Some(played));
    }
    for wrong in [["P", "P", "X"], ["P", "P(1,1", "P"], ["P", "Px(0,0)", "P"], ["P", "P(9,0)", "P"], ["P", "P(1)", "P"]]
    {
        assert_eq!(Sequence::parse(&wrong), None, "{wrong:?}");
    }
}

fn counted(text: &str) -> sequence_counts::SequenceCounts {
    let mut reading = GameCollection::default();
    reading.take("list.usi".as_ref(), text.as_bytes());
    assert!(reading.faults.is_empty(), "{:?}", reading.faults);
    sequence_counts::count_sequences(&reading.games)
}

/// Forty games of four moves, half of which end in another recapture, and twenty in which nothing has to do with anything:
/// 120 triples, counted by hand.
#[test]
fn association_is_frequency_over_chance() {
    let game = |last: &str| format!("startpos moves 7g7f 3c3d 8h2b+ {last}\n").repeat(20);
    let sequences = counted(&(game("3a2b") + &game("8b2b") + &"startpos moves 4i5h 4a5b 5h4h 5b4b\n".repeat(20)));
    assert_eq!((sequences.moves(), sequences.different()), (120, 2));
    let frequent = sequences.frequent();
    let texts: Vec<String> = frequent.iter().map(|(sequence, _)| sequence.to_string()).collect();
    // Their second moves are 8h2b+, of 40 of the triples; the third are 20 times each.
    let known = SequenceStatistics { played: 20, begun: 40, association: 0 };
    for (_, found) in &frequent {
        assert_eq!(SequenceStatistics { association: 0, ..*found }, known, "{texts:?}");
        // First moves are by pawns 80 times: 20 · 120² / (80 · 40 · 20) is 9/2.
        assert!((found.association - log2(9) + HALVING).abs() <= 5, "{found:?}");
    }
    assert_eq!(texts.len(), 2, "{texts:?}");
    let entropies = sequences.entropies();
    let [first, second, _] = frequent[0].0.patterns();
    assert!((entropies[&[first, second.unmirrored()]] - 1.0).abs() < 1e-9);
}

/// What people know as tesuji is in the table, with the weight that one would expect.
#[test]
fn well_known_tesuji_are_frequent() {
    let table = MoveTable::built_in();
    let known = |text: &str| {
        let words: Vec<&str> = text.split(' ').collect();
        table.sequence(Sequence::parse(&words.try_into().unwrap()).unwrap()).unwrap_or_else(|| panic!("{text}"))
    };
    // Pawns are exchanged before the rook, a pawn dropped against it, and it goes back.
    for text in ["P PxP(0,0) RxP(0,0)", "PxP RxP(0,0) P*(0,1)", "RxP P*(0,-1) R(0,5)"] {
        assert!(known(text).played > 200 && known(text).association > 6 * HALVING, "{text}");
    }
    // A pawn is sacrificed, and the next dropped behind the taker.
    for text in ["P PxP(0,0) P*(0,-1)", "P PxP(0,0) P*(0,-2)"] {
        assert!(known(text).played > 200, "{text}");
    }
    // The bishop that promoted is taken back nearly always.
    let exchange = known("S BxB+(1,-1) Sx+B(0,0)");
    assert!(exchange.played * 100 > 95 * exchange.begun, "{exchange:?}");
    assert!(table.sequences().windows(2).all(|pair| pair[0].1.weight() >= pair[1].1.weight()));
}
