//! Speed of move generation against the crates `shunsai` and `rsshogi`, in one run, on one thread.
//!
//! `cargo bench -p hayasashi-shogi --bench rules [-- --quick]` prints M leaves/s in three leaf conventions: moves at the
//! last ply *counted* as sets, *built* into a list, or each *made and unmade*. Each crate uses its fastest public way:
//! `shunsai` counts its `MoveSet`s and fills a reused `Vec`; `rsshogi` counts through a sink that takes the sets of
//! drops as a whole, and fills its fixed list. Repetitions are interleaved, and the median is shown. Every node count
//! is checked against the published value.

use hayasashi_shogi::rules::{Leaves, Position};
use rsshogi::board::{self, generate_legal_all_move32, generate_legal_all_move32_into, Move32List, Move32Sink};
use rsshogi::types::{Color as RColor, Move32, PieceType};
use shunsai::shogi_core::{Color, Hand, Move, PartialPosition, Piece, PieceKind, Square};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

/// Name, SFEN, then depth and nodes: for `--quick`, and for a full run.
type Case = (&'static str, &'static str, (u32, u64), (u32, u64));

const CASES: [Case; 3] = [
    ("startpos", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", (4, 719_731), (5, 19_861_490)),
    (
        "matsuri",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        (3, 4_809_015),
        (4, 516_925_165),
    ),
    ("593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", (2, 105_677), (3, 53_393_368)),
];

const CONVENTIONS: [(&str, Leaves); 3] =
    [("counted", Leaves::Counted), ("built", Leaves::Built), ("made", Leaves::Made)];

fn shunsai_position(sfen: &str) -> shunsai::Position {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let mut position = PartialPosition::empty();
    let kind_of = |letter: char| match letter.to_ascii_uppercase() {
        'P' => PieceKind::Pawn,
        'L' => PieceKind::Lance,
        'N' => PieceKind::Knight,
        'S' => PieceKind::Silver,
        'G' => PieceKind::Gold,
        'B' => PieceKind::Bishop,
        'R' => PieceKind::Rook,
        _ => PieceKind::King,
    };
    let color_of = |letter: char| if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    for (rank, row) in fields[0].split('/').enumerate() {
        let (mut file, mut promoted) = (9u8, false);
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file -= empty as u8;
            } else if letter == '+' {
                promoted = true;
            } else {
                let kind = kind_of(letter);
                let kind = if promoted { kind.promote().expect("SFEN is valid") } else { kind };
                position.piece_set(
                    Square::new(file, rank as u8 + 1).expect("SFEN is valid"),
                    Some(Piece::new(kind, color_of(letter))),
                );
                (file, promoted) = (file - 1, false);
            }
        }
    }
    let mut count = 0;
    for letter in fields[2].chars().filter(|&letter| letter != '-') {
        match letter.to_digit(10) {
            Some(digit) => count = 10 * count + digit,
            None => {
                let hand: &mut Hand = position.hand_of_a_player_mut(color_of(letter));
                for _ in 0..count.max(1) {
                    *hand = hand.added(kind_of(letter)).expect("SFEN is valid");
                }
                count = 0;
            }
        }
    }
    position.side_to_move_set(color_of(if fields[1] == "b" { 'B' } else { 'w' }));
    shunsai::Position::new(position)
}

fn shunsai_moves(position: &shunsai::Position, moves: &mut Vec<Move>) {
    moves.clear();
    let _ = position.generate_moves(|set| {
        set.write_into(moves);
        ControlFlow::Continue(())
    });
}

/// `lists` holds one list per ply left.
fn shunsai_perft(position: &mut shunsai::Position, lists: &mut [Vec<Move>], leaves: Leaves) -> u64 {
    let (moves, rest) = lists.split_last_mut().expect("depth is at least 1");
    if rest.is_empty() && leaves == Leaves::Counted {
        let mut nodes = 0;
        let _ = position.generate_moves(|set| {
            nodes += set.len() as u64;
            ControlFlow::Continue(())
        });
        return nodes;
    }
    shunsai_moves(position, moves);
    if rest.is_empty() && leaves == Leaves::Built {
        return black_box(&*moves).len() as u64;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        let undo = position.do_move(mv);
        nodes += if rest.is_empty() {
            black_box(position.key());
            1
        } else {
            shunsai_perft(position, rest, leaves)
        };
        position.undo_move(mv, undo);
    }
    nodes
}

/// Counts moves, drops by the set.
#[derive(Default)]
struct Counter(u64);

impl Move32Sink for Counter {
    #[inline(always)]
    fn push_move32(&mut self, _: Move32) {
        self.0 += 1;
    }

    fn retain_unordered<F: FnMut(Move32) -> bool>(&mut self, _: F) {
        unreachable!("legal generation filters nothing afterwards")
    }

    #[inline(always)]
    fn push_drop_targets(&mut self, _: PieceType, targets: board::Bitboard, _: RColor) {
        self.0 += targets.count() as u64;
    }
}

fn rsshogi_perft(position: &mut board::Position, lists: &mut [Move32List], leaves: Leaves) -> u64 {
    let (moves, rest) = lists.split_last_mut().expect("depth is at least 1");
    if rest.is_empty() && leaves == Leaves::Counted {
        let mut counter = Counter::default();
        generate_legal_all_move32_into(position, &mut counter);
        return counter.0;
    }
    moves.clear();
    generate_legal_all_move32(position, moves);
    if rest.is_empty() && leaves == Leaves::Built {
        return black_box(&*moves).len() as u64;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        position.apply_move32(mv);
        nodes += if rest.is_empty() {
            black_box(position.key());
            1
        } else {
            rsshogi_perft(position, rest, leaves)
        };
        // SAFETY: the move was applied just before.
        unsafe { position.undo_move32_unchecked(mv) };
    }
    nodes
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    println!("M leaves/s, median of interleaved repetitions, one thread");
    println!(
        "{:<10} {:>5} {:<8} {:>10} {:>10} {:>10} {:>13}",
        "position", "depth", "leaves", "hayasashi", "shunsai", "rsshogi", "ours/fastest"
    );
    for (name, sfen, few, many) in CASES {
        let (depth, nodes) = if quick { few } else { many };
        for (label, leaves) in CONVENTIONS {
            let mut ours = Position::from_sfen(sfen).expect("SFEN is valid");
            let mut theirs = shunsai_position(sfen);
            let mut lists: Vec<Vec<Move>> = (0..depth).map(|_| Vec::with_capacity(600)).collect();
            let mut others = board::position_from_sfen(sfen).expect("SFEN is valid");
            others.init_stack();
            let mut lists32: Vec<Move32List> = (0..depth).map(|_| Move32List::new()).collect();
            // Making every leaf takes the longest by far, and varies the least.
            let repetitions = if quick || leaves == Leaves::Made { 3 } else { 5 };
            // Small trees are walked several times in a row, so that each timing takes tens of milliseconds.
            let rounds = (if quick { 20_000_000 } else { 100_000_000 } / nodes).max(1);
            let mut times = [const { Vec::new() }; 3];
            for _ in 0..repetitions {
                for (which, times) in times.iter_mut().enumerate() {
                    let start = Instant::now();
                    for _ in 0..rounds {
                        let counted = match which {
                            0 => ours.perft_with(depth, leaves),
                            1 => shunsai_perft(&mut theirs, &mut lists, leaves),
                            _ => rsshogi_perft(&mut others, &mut lists32, leaves),
                        };
                        assert_eq!(counted, nodes, "{name} depth {depth}, generator {which}");
                    }
                    times.push(start.elapsed().as_secs_f64() / rounds as f64);
                }
            }
            let [a, b, c] = times.map(|times| nodes as f64 / median(times) / 1e6);
            println!("{name:<10} {depth:>5} {label:<8} {a:>10.1} {b:>10.1} {c:>10.1} {:>13.2}", a / f64::max(b, c));
        }
    }
}
