//! Nodes per second and steps a node of the search on one core: `cargo bench -p hayasashi-model --bench search`. `NODES`, `DEPTH`,
//! `BITS` and `WITHOUT` set its limits; with `NETWORK=1` it has the built-in network.

use hayasashi_model::{
    evaluate::{default_table, Evaluation},
    position::Position,
    search::Walker,
};
use hayasashi_spec::{
    piece::*,
    position::{Owner, PositionImage},
    search::{SearchHead, Technique},
};
use std::time::Instant;

/// Positions as SFEN.
const POSITIONS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r5b1/p1pppp1pp/6p2/1p7/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 7",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "lr4snl/3kg4/2nsp1gp1/p1pp1pp1p/1p5P1/P1PP1PP1P/1PS1PS3/2G1G2R1/LNK4NL w Bb 36",
    "ln5nl/1r2ggks1/p2p3p1/1Ppb1pp1p/4R4/P1P6/1+p1P1PPPP/5G1KL/LN3GSN1 b BSPsp 55",
    "l3k3l/4g1gs1/3s1+bn1p/3r3n1/pSP1PPPp1/1G2+BpS2/P2Pp1NGP/2K4R1/L7L b N5Pp 99",
];

fn position(sfen: &str) -> Position {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let black = fields[1] == "b";
    let at = |square: usize| if black { square } else { turn(square) };
    let kind = |letter: char| " PLNSGBRK".find(letter.to_ascii_uppercase()).expect("a piece letter") as u8;
    let theirs = |letter: char| if letter.is_ascii_uppercase() == black { 0 } else { THEIRS };
    let mut image = PositionImage::default();
    for (rank, row) in fields[0].split('/').enumerate() {
        let (mut file, mut promoted) = (SIDE, 0);
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file -= empty as usize,
                None if letter == '+' => promoted = PROMOTED,
                None => {
                    file -= 1;
                    image.set_piece(at(square(file, rank)), kind(letter) | promoted | theirs(letter));
                    promoted = 0;
                }
            }
        }
    }
    let mut count = 0;
    for letter in fields[2].chars().filter(|&letter| letter != '-') {
        match letter.to_digit(10) {
            Some(digit) => count = 10 * count + digit as u8,
            None => {
                let owner = if theirs(letter) == 0 { Owner::Mover } else { Owner::Theirs };
                image.set_hand(owner, kind(letter), count.max(1));
                count = 0;
            }
        }
    }
    Position::from(&image)
}

fn main() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (depth, nodes, bits) = (number("DEPTH", 32), number("NODES", 1_000_000), number("BITS", 14));
    let without = std::env::var("WITHOUT").unwrap_or_default();
    let off = Technique::ALL.iter().filter(|t| without.split(',').any(|name| name == t.name()));
    let off = off.fold(0, |bits, t| bits | *t as u32);
    let evaluation = match number("NETWORK", 0) {
        0 => Evaluation::from(default_table()),
        _ => Evaluation::default(),
    };
    let (mut all_nodes, mut all_steps, start) = (0, 0, Instant::now());
    for sfen in POSITIONS {
        let head = SearchHead { depth: depth as u8, nodes, table_bits: bits as u8, ..SearchHead::default() };
        let head = SearchHead { techniques: head.techniques & !off, ..head };
        let mut walker = Walker::new(head, evaluation.clone(), &position(sfen), std::iter::empty());
        while walker.step() {}
        let found = walker.found();
        println!(
            "depth {:2} score {:6} nodes {:8} steps a node {:.3} {:04x?}",
            found.depth,
            found.score,
            found.nodes,
            found.steps as f64 / found.nodes as f64,
            &found.line[..found.length as usize]
        );
        (all_nodes, all_steps) = (all_nodes + found.nodes, all_steps + found.steps);
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = all_nodes as f64 / seconds / 1e6;
    println!("{all_nodes} nodes, {:.3} steps a node, {rate:.3} M nodes/s", all_steps as f64 / all_nodes as f64);
}
