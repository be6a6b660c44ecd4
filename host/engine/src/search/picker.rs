//! The moves of a node, best first. Moves are generated in stages, so a cut-off saves the later stages.
//!
//! | node | stages |
//! |---|---|
//! | not in check | table's move; captures and promotions that lose nothing; killers; quiet moves by history; the other captures |
//! | in check | table's move; all evasions |
//! | quiescence | table's move; captures and promotions; on its first ply quiet checks |
//! | ProbCut | captures and promotions |

use super::{
    board::SearchBoard,
    history::{PieceTo, CONTINUATION_PLIES},
    move_order::{pick, Ranked},
    tree::Tree,
};
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{Bitboard, CheckSquares, Color, Move, MoveList, PieceKind, Position, Stage};

/// The next stage of a picker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PickerStage {
    Table,
    GenerateForcing,
    Forcing,
    Killer(usize),
    GenerateQuiets,
    Quiets,
    BadForcing,
    GenerateEvasions,
    Evasions,
    GenerateChecks,
    Checks,
    Done,
}

/// The moves that a picker selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveSelection {
    /// All moves.
    All,
    /// Evasions of a check.
    Evasions,
    /// Captures and promotions, and quiet checks if `true`.
    Quiescence(bool),
    /// Captures and promotions.
    Forcing,
}

/// The progress of a node through its moves, which are in the tree's list from `begin` on.
pub struct Picker {
    wanted: MoveSelection,
    step: PickerStage,
    table: Move,
    killers: [Move; 2],
    begin: usize,
    /// Postponed captures are between `begin` and this.
    bad: usize,
    at: usize,
    end: usize,
    /// The first move of the stage.
    first: usize,
    /// Skip the remaining quiet moves.
    pub skip_quiets: bool,
}

impl Picker {
    /// A picker for a node; `table` is the table's move, which may be illegal.
    pub fn new(wanted: MoveSelection, table: Move, killers: [Move; 2], begin: usize) -> Picker {
        Picker {
            wanted,
            step: PickerStage::Table,
            table,
            killers,
            begin,
            bad: begin,
            at: begin,
            end: begin,
            first: begin,
            skip_quiets: false,
        }
    }
}

/// Whether a legal move does not promote although it should. Not promoting a pawn, bishop or rook, or a lance on the
/// second rank, helps only to avoid a pawn-drop mate.
#[inline(always)]
pub fn should_promote(pos: &Position, mv: Move) -> bool {
    let Some(from) = mv.from() else { return false };
    if mv.is_promotion() {
        return false;
    }
    let us = pos.side_to_move();
    match pos.moved_kind(mv) {
        1 | 6 | 7 => {
            let zone = Bitboard::zone(us);
            zone.contains(mv.to()) || zone.contains(from)
        }
        2 => Bitboard::far_ranks(us, 2).contains(mv.to()),
        _ => false,
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// The next move of a node at `ply`. `None` after the last move, and if the back end fails.
    pub(super) fn next(&mut self, p: &mut Picker, ply: usize, squares: &CheckSquares) -> Option<Move> {
        loop {
            match p.step {
                PickerStage::Table => {
                    p.step = match p.wanted {
                        MoveSelection::Evasions => PickerStage::GenerateEvasions,
                        _ => PickerStage::GenerateForcing,
                    };
                    let pos = self.position();
                    let fits = p.table != Move::NONE
                        && match p.wanted {
                            MoveSelection::All | MoveSelection::Evasions => true,
                            MoveSelection::Quiescence(_) | MoveSelection::Forcing => pos.is_forcing(p.table),
                        };
                    if fits && pos.is_legal(p.table) {
                        return Some(p.table);
                    }
                    p.table = Move::NONE;
                }
                PickerStage::GenerateForcing => {
                    self.rank(p, ply, Stage::Forcing, squares);
                    p.step = PickerStage::Forcing;
                }
                PickerStage::Forcing => {
                    let Some(mv) = self.take(p) else {
                        p.step = match p.wanted {
                            MoveSelection::All => PickerStage::Killer(0),
                            MoveSelection::Quiescence(true) => PickerStage::GenerateChecks,
                            _ => PickerStage::Done,
                        };
                        continue;
                    };
                    if p.wanted == MoveSelection::All && !self.position().exchange_reaches(mv, 0, &PIECE_VALUES) {
                        // The moves already taken leave room at the front.
                        self.moves[p.bad] = self.moves[p.at - 1];
                        p.bad += 1;
                        continue;
                    }
                    return Some(mv);
                }
                PickerStage::Killer(index) => {
                    p.step = if index == 0 { PickerStage::Killer(1) } else { PickerStage::GenerateQuiets };
                    let mv = p.killers[index];
                    let pos = self.position();
                    if !p.skip_quiets
                        && mv != Move::NONE
                        && mv != p.table
                        && pos.captured_kind(mv) == 0
                        && !pos.is_forcing(mv)
                        && pos.is_legal(mv)
                    {
                        return Some(mv);
                    }
                    p.killers[index] = Move::NONE;
                }
                PickerStage::GenerateQuiets => {
                    p.step = PickerStage::Quiets;
                    if !p.skip_quiets {
                        self.rank(p, ply, Stage::Quiets, squares);
                    }
                }
                PickerStage::Quiets => {
                    if !p.skip_quiets {
                        if let Some(mv) = self.take(p) {
                            return Some(mv);
                        }
                    }
                    (p.at, p.end, p.first) = (p.begin, p.bad, p.begin);
                    p.step = PickerStage::BadForcing;
                }
                PickerStage::BadForcing => {
                    // In the order in which they were postponed.
                    if p.at == p.end {
                        p.step = PickerStage::Done;
                        continue;
                    }
                    p.at += 1;
                    return Some(self.moves[p.at - 1].mv());
                }
                PickerStage::GenerateEvasions => {
                    self.rank(p, ply, Stage::All, squares);
                    p.step = PickerStage::Evasions;
                }
                PickerStage::GenerateChecks => {
                    self.rank_checks(p);
                    p.step = PickerStage::Checks;
                }
                PickerStage::Evasions | PickerStage::Checks => match self.take(p) {
                    Some(mv) => return Some(mv),
                    None => p.step = PickerStage::Done,
                },
                PickerStage::Done => return None,
            }
        }
    }

    /// Whether the picker has reached the postponed captures.
    pub(super) fn gives_bad_captures(p: &Picker) -> bool {
        p.step == PickerStage::BadForcing
    }

    /// The best remaining move of the stage.
    #[inline(always)]
    fn take(&mut self, p: &mut Picker) -> Option<Move> {
        if p.at == p.end {
            return None;
        }
        pick(&mut self.moves[p.at..p.end]);
        self.board.look_ahead(&self.moves[p.at..p.end], p.at - p.first);
        p.at += 1;
        Some(self.moves[p.at - 1].mv())
    }

    /// Generates and ranks the moves of a stage, except the table's move and the killers.
    fn rank(&mut self, p: &mut Picker, ply: usize, stage: Stage, squares: &CheckSquares) {
        let mut list = MoveList::new();
        self.board.moves(stage, &mut list);
        (p.at, p.first) = (self.moves.len(), self.moves.len());
        let pos = self.board.path().position();
        let side = pos.side_to_move();
        let back = CONTINUATION_PLIES.map(|plies| self.placed_before(ply, plies));
        let promotes = self.techniques.always_promote;
        for &mv in &list {
            if mv == p.table || promotes && should_promote(pos, mv) {
                continue;
            }
            let rank = match stage {
                Stage::Forcing | Stage::Captures => self.forcing_rank(pos, mv),
                Stage::Quiets => {
                    if p.killers.contains(&mv) || mv.is_promotion() && pos.is_forcing(mv) {
                        continue;
                    }
                    let check = if squares.gives_check(pos, mv) { 8_000 } else { 0 };
                    self.quiet_rank(pos, side, mv, &back) + check
                }
                Stage::All if pos.is_forcing(mv) => EVASION_CAPTURE + self.forcing_rank(pos, mv),
                Stage::All => {
                    let king = pos.moved_kind(mv) == PieceKind::King.code();
                    self.quiet_rank(pos, side, mv, &back) + if king { 4_000 } else { 0 }
                }
            };
            self.moves.push(Ranked::new(rank, mv));
        }
        p.end = self.moves.len();
    }

    /// Generates the quiet checks.
    fn rank_checks(&mut self, p: &mut Picker) {
        let mut list = MoveList::new();
        self.board.checks(&mut list);
        (p.at, p.first) = (self.moves.len(), self.moves.len());
        let pos = self.board.path().position();
        let side = pos.side_to_move();
        let promotes = self.techniques.always_promote;
        for &mv in &list {
            if mv != p.table && !pos.is_forcing(mv) && !(promotes && should_promote(pos, mv)) {
                self.moves.push(Ranked::new(self.history.quiet(side, mv), mv));
            }
        }
        p.end = self.moves.len();
    }

    /// Greatest gain first, then by capture history.
    #[inline(always)]
    fn forcing_rank(&self, pos: &Position, mv: Move) -> i32 {
        let history = match self.techniques.history {
            true => self.history.capture(PieceTo::of(pos, mv), pos.captured_kind(mv)) / 8,
            false => 0,
        };
        4 * pos.gain(mv, &PIECE_VALUES) + history - pos.moved_kind(mv) as i32
    }

    #[inline(always)]
    fn quiet_rank(&self, pos: &Position, side: Color, mv: Move, back: &[PieceTo; 3]) -> i32 {
        let mut rank = if self.techniques.history { 2 * self.history.quiet(side, mv) } else { 0 };
        if self.techniques.continuation_history {
            let placed = PieceTo::of(pos, mv);
            let [one, two, four] = back.map(|b| self.history.continuation(b, placed));
            rank += one + two + four / 2;
        }
        rank
    }
}

/// Rank of captures among evasions, which come first.
const EVASION_CAPTURE: i32 = 1 << 24;
