//! Properties of the rules along random games, and the same games in two other engines.

use hayasashi_shogi::random::Random;
use hayasashi_shogi::rules::{
    attacks, Bitboard, Color, History, Move, MoveList, PieceKind, Position, Square, Stage, STARTPOS_SFEN,
};
use proptest::prelude::*;
use shunsai::shogi_core as core;

/// Positions to walk from: even, tactical, with many drops, and without one or both kings.
const STARTS: [&str; 7] = [
    STARTPOS_SFEN,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
    "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "9/9/4p4/9/9/9/9/9/9 b RBGSNL8Prbgsnl8p 1",
];

/// Moves of a position in order of their bits.
fn legal(p: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    p.legal_moves(&mut moves);
    let mut moves = moves.to_vec();
    moves.sort();
    moves
}

/// All there is to know of a position by its public interface.
fn check_position(p: &Position) {
    let sfen = p.to_sfen();
    assert_eq!((p.board_key(), p.hand_key()), p.recompute_keys(), "{sfen}");
    let again = Position::from_sfen(&sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    assert_eq!(&again, p, "{sfen}");
    let moves = legal(p);
    assert_eq!(p.count_legal_moves(), moves.len(), "{sfen}");
    let mut staged = MoveList::new();
    p.stage_moves(Stage::Captures, &mut staged);
    assert!(staged.iter().all(|mv| p.piece_on(mv.to()).is_some()), "{sfen}");
    let captures = staged.len();
    p.stage_moves(Stage::Quiets, &mut staged);
    assert!(staged[captures..].iter().all(|mv| p.piece_on(mv.to()).is_none()), "{sfen}");
    let mut staged = staged.to_vec();
    staged.sort();
    assert_eq!(staged, moves, "{sfen}");
    let mut checks = MoveList::new();
    p.checks(&mut checks);
    let mut checks = checks.to_vec();
    checks.sort();
    let mut child = p.clone();
    let mut checking = Vec::new();
    for &mv in &moves {
        assert!(p.is_legal(mv), "{mv} in {sfen}");
        let key = p.key_after(mv);
        let undo = child.do_move(mv);
        assert_eq!(child.key(), key, "{mv} in {sfen}");
        assert_eq!(p.gives_check(mv), child.in_check(), "{mv} in {sfen}");
        assert_eq!(child.in_check(), child.checkers().any(), "{mv} in {sfen}");
        if child.in_check() {
            checking.push(mv);
        }
        assert_eq!(undo.captured(), p.piece_on(mv.to()), "{mv} in {sfen}");
        child.undo_move(mv, undo);
        assert_eq!(&child, p, "{mv} in {sfen}");
    }
    assert_eq!(checks, checking, "{sfen}");
    check_attackers(p);
}

/// Attackers of each square are the pieces that attack it, one by one.
fn check_attackers(p: &Position) {
    let occupied = p.occupied();
    let mut attackers = [Bitboard::EMPTY; 81];
    for from in occupied {
        let piece = p.piece_on(from).unwrap();
        assert!(p.pieces(piece.color(), piece.kind()).contains(from));
        for to in attacks::piece_attacks(piece.color(), piece.kind(), from, occupied) {
            attackers[to.index()] |= Bitboard::single(from);
        }
    }
    for square in Square::all() {
        assert_eq!(p.attackers_to(square, occupied), attackers[square.index()], "{square} in {p}");
        for color in Color::ALL {
            let kings = p.pieces(color, PieceKind::King);
            let of_color = (attackers[square.index()] & p.pieces_of(color)).without(kings);
            assert_eq!(p.is_attacked(square, color, occupied), of_color.any(), "{square} in {p}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Along a random game everything agrees, and taking all moves back gives the start.
    #[test]
    fn walks_keep_positions_whole(start in 0..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 1..80)) {
        let mut p = Position::from_sfen(STARTS[start]).unwrap();
        let mut history = History::starting_at(&p);
        let mut trail = Vec::new();
        for choice in choices {
            check_position(&p);
            let moves = legal(&p);
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice as usize % moves.len()];
            trail.push((p.clone(), mv, p.do_move(mv)));
            history.push(&p);
        }
        prop_assert_eq!(history.len(), trail.len() + 1);
        while let Some((before, mv, undo)) = trail.pop() {
            p.undo_move(mv, undo);
            prop_assert_eq!(&p, &before);
        }
    }

    /// Text never makes the parsers panic.
    #[test]
    fn parsers_survive_any_text(text in "\\PC{0,40}", board in "[1-9PLNSGBRKplnsgbrk+/]{0,60}", hands in "[0-9PLNSGBRp-]{0,8}") {
        let _ = Position::from_sfen(&text);
        let _ = Move::from_usi(&text);
        let _ = hayasashi_shogi::rules::PositionCommand::parse(&text);
        if let Ok(p) = Position::from_sfen(&format!("{board} b {hands}")) {
            check_position(&p);
        }
    }

    /// A position of pieces thrown at random is rejected, or as sound as any other.
    #[test]
    fn scattered_pieces(codes in prop::collection::vec(0u8..90, 81), hands in prop::collection::vec(0u8..3, 14), side in any::<bool>()) {
        const LETTERS: [&str; 28] = ["P","L","N","S","G","B","R","K","+P","+L","+N","+S","+B","+R","p","l","n","s","g","b","r","k","+p","+l","+n","+s","+b","+r"];
        let board: Vec<String> = codes.chunks(9).map(|rank| {
            rank.iter().map(|&code| LETTERS.get(code as usize).copied().unwrap_or("1")).collect()
        }).collect();
        let hands: String = "PLNSGBRplnsgbr".chars().zip(hands).filter(|&(_, n)| n > 0).map(|(c, n)| format!("{n}{c}")).collect();
        let hands = if hands.is_empty() { "-".into() } else { hands };
        let sfen = format!("{} {} {hands} 1", board.join("/"), if side { "b" } else { "w" });
        if let Ok(p) = Position::from_sfen(&sfen) {
            check_position(&p);
        }
    }
}

fn core_move_text(mv: core::Move) -> String {
    use core::ToUsi;
    mv.to_usi_owned()
}

fn core_move(p: &Position, mv: Move) -> core::Move {
    let square = |s: Square| core::Square::new(s.file() + 1, s.rank() + 1).unwrap();
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => core::Move::Normal { from: square(from), to: square(mv.to()), promote: mv.is_promotion() },
        (None, kind) => {
            let kind = match kind.unwrap() {
                PieceKind::Pawn => core::PieceKind::Pawn,
                PieceKind::Lance => core::PieceKind::Lance,
                PieceKind::Knight => core::PieceKind::Knight,
                PieceKind::Silver => core::PieceKind::Silver,
                PieceKind::Gold => core::PieceKind::Gold,
                PieceKind::Bishop => core::PieceKind::Bishop,
                _ => core::PieceKind::Rook,
            };
            let color = if p.side_to_move() == Color::Black { core::Color::Black } else { core::Color::White };
            core::Move::Drop { piece: core::Piece::new(kind, color), to: square(mv.to()) }
        }
    }
}

/// Random games from the initial position, their legal moves compared with `shunsai` and `rsshogi` at each ply.
#[test]
fn random_games_in_three_engines() {
    let mut random = Random::from_state(1);
    let (mut positions, mut in_check) = (0, 0);
    for _ in 0..40 {
        let mut ours = Position::startpos();
        let mut theirs = shunsai::Position::startpos();
        let mut others = rsshogi::board::hirate_position();
        others.init_stack();
        for _ in 0..220 {
            let moves = legal(&ours);
            let sort = |mut texts: Vec<String>| {
                texts.sort();
                texts
            };
            let texts = sort(moves.iter().map(|mv| mv.to_usi()).collect());
            assert_eq!(texts, sort(theirs.legal_moves().into_iter().map(core_move_text).collect()), "{ours}");
            let mut list = rsshogi::board::MoveList::new();
            rsshogi::board::generate_moves::<rsshogi::board::LegalAll>(&others, &mut list);
            assert_eq!(texts, sort(list.iter().map(|mv| mv.to_usi()).collect()), "{ours}");
            assert_eq!(ours.in_check(), theirs.in_check(), "{ours}");
            positions += 1;
            in_check += ours.in_check() as u32;
            if moves.is_empty() {
                break;
            }
            // Captures and promotions more often than chance has them, so that hands fill.
            let mut mv = moves[random.below(moves.len())];
            if let Some(&lively) = moves
                .iter()
                .cycle()
                .skip(random.below(moves.len()))
                .take(moves.len())
                .find(|mv| ours.piece_on(mv.to()).is_some())
            {
                if random.below(3) == 0 {
                    mv = lively;
                }
            }
            theirs.do_move(core_move(&ours, mv));
            let their_move = rsshogi::board::move_from_usi(&others, &mv.to_usi()).unwrap();
            others.apply_move32(their_move);
            ours.do_move(mv);
        }
    }
    assert!(positions > 4000 && in_check > 100, "{positions} positions, {in_check} in check");
}
