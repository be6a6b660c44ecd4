//! A position for people: the board as in Japanese diagrams. What simulated chips have done.

use hayasashi_accel::CoProcessor;
use hayasashi_shogi::rules::{Color, PieceKind, Position, Square};
use serde_json::{json, Value};
use std::fmt::Write;

const FILES: &str = "  ９ ８ ７ ６ ５ ４ ３ ２ １";
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const EDGE: &str = "+---------------------------+";

/// A line for each simulated chip: clocks, time, clocks per second, and that rate as a multiple of the slowest.
pub fn simulated(chips: &[&dyn CoProcessor]) -> Vec<String> {
    let all: Vec<_> = chips.iter().filter_map(|chip| Some((chip.name(), chip.simulation_statistics()?))).collect();
    let slowest = all.iter().map(|(_, s)| s.clocks_per_second()).fold(f64::INFINITY, f64::min);
    all.iter()
        .map(|(name, s)| {
            let rate = s.clocks_per_second();
            let mut line = format!("{name}: {} clocks in {:.1} s, {rate:.0} clocks/s", s.clocks, s.busy.as_secs_f64());
            if all.len() > 1 {
                write!(line, ", ratio {:.1}", rate / slowest).expect("strings take everything");
            }
            line
        })
        .collect()
}

/// The same for `--json`.
pub fn simulated_json(chips: &[&dyn CoProcessor]) -> Value {
    let one = |chip: &&dyn CoProcessor| {
        let simulated = chip.simulation_statistics()?;
        Some(json!({
            "backend": chip.name(), "clocks": simulated.clocks, "seconds": simulated.busy.as_secs_f64(),
            "clocks_per_second": simulated.clocks_per_second(),
        }))
    };
    chips.iter().filter_map(one).collect()
}

/// The kanji of a piece.
pub fn kanji(kind: PieceKind) -> char {
    use PieceKind::*;
    match kind {
        Pawn => '歩',
        Lance => '香',
        Knight => '桂',
        Silver => '銀',
        Gold => '金',
        Bishop => '角',
        Rook => '飛',
        King => '玉',
        ProPawn => 'と',
        ProLance => '杏',
        ProKnight => '圭',
        ProSilver => '全',
        Horse => '馬',
        Dragon => '龍',
    }
}

/// The board with both hands; White's pieces carry a `v`.
pub fn board(pos: &Position) -> String {
    let mut text = format!("White ☖ in hand: {}\n{FILES}\n{EDGE}\n", hand(pos, Color::White));
    for rank in 0..9u8 {
        text.push('|');
        for file in (0..9u8).rev() {
            let square = Square::from_file_rank(file, rank).expect("file and rank are below 9");
            match pos.piece_on(square) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    text.push(kanji(piece.kind()));
                }
            }
        }
        let _ = writeln!(text, "|{} {}", RANKS[rank as usize], (b'a' + rank) as char);
    }
    let _ = writeln!(text, "{EDGE}\nBlack ☗ in hand: {}", hand(pos, Color::Black));
    text
}

fn hand(pos: &Position, color: Color) -> String {
    let mut kinds: Vec<String> = pos
        .hand(color)
        .iter()
        .map(|(kind, count)| match count {
            1 => kanji(kind).to_string(),
            n => format!("{}{n}", kanji(kind)),
        })
        .collect();
    kinds.reverse();
    if kinds.is_empty() {
        return "none".into();
    }
    kinds.join(" ")
}

/// The name of a side.
pub fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "Black ☗",
        Color::White => "White ☖",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_is_drawn() {
        let text = board(&Position::startpos());
        assert!(text.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一 a"), "{text}");
        assert!(text.contains("| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八 h"), "{text}");
        assert!(text.ends_with("Black ☗ in hand: none\n"), "{text}");
    }
}
