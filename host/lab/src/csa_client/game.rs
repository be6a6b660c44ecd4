//! One game: its summary, its clocks, its moves, its result.

use super::{
    player::{Clocks, Reply},
    record::Record,
    CsaError,
};
use hayasashi_shogi::{
    records::{csa_game, from_csa, to_csa},
    rules::{Color, Move, Position},
};
use rsshogi_csa::{CsaCommand, CsaMove, EndMarker, EndMarkerKind, GameSummary, MoveLine, SpecialMove, TimeConfig};
use std::{path::PathBuf, time::Duration};

/// Longest time on a clock: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// How a game ended for this player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `#WIN`.
    Won,
    /// `#LOSE`.
    Lost,
    /// `#DRAW`.
    Drawn,
    /// No result: the game was broken off, or the connection was lost.
    Unfinished,
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// The server's name of the game.
    pub id: String,
    /// The opponent.
    pub opponent: String,
    /// The colour that this program played.
    pub color: Color,
    /// Moves made, both sides counted.
    pub moves: usize,
    /// Its result.
    pub outcome: Outcome,
    /// Why it ended, in the server's words.
    pub reason: String,
    /// Its record.
    pub record: PathBuf,
}

/// A game under way.
pub(super) struct Game {
    id: String,
    opponent: String,
    color: Color,
    start: String,
    pos: Position,
    moves: Vec<String>,
    clocks: Clocks,
    /// The unit of the server's times.
    unit: Duration,
    /// The least time that a move costs.
    least: Duration,
    reasons: Vec<String>,
}

fn rules_color(color: rsshogi_csa::Color) -> Color {
    match color {
        rsshogi_csa::Color::Black => Color::Black,
        rsshogi_csa::Color::White => Color::White,
    }
}

impl Game {
    /// The game that a summary proposes; the error says what is wrong with it.
    pub fn of(summary: &GameSummary) -> Result<Game, String> {
        let color = rules_color(summary.your_turn.ok_or("it does not say `Your_Turn`")?);
        // A comma separates statements on one line.
        let lines: Vec<&str> = summary.position_lines.iter().flat_map(|line| line.split(',')).collect();
        let recorded = csa_game(&format!("V2.2\n{}\n", lines.join("\n")))?;
        let mut pos = recorded.start.clone();
        for &mv in &recorded.moves {
            pos.do_move(mv);
        }
        let own = time_of(summary, color);
        let left = [Color::Black, Color::White].map(|of| {
            let time = time_of(summary, of);
            // The increment of the first move is there from the start.
            (units(time, time.remaining_time.or(time.total_time)) + units(time, time.increment)).min(LONGEST)
        });
        let opponent = if color == Color::Black { &summary.name_white } else { &summary.name_black };
        Ok(Game {
            id: summary.game_id.clone().unwrap_or_default(),
            opponent: opponent.clone().unwrap_or_default(),
            color,
            start: recorded.start.to_sfen(),
            pos,
            moves: recorded.moves.iter().map(|mv| mv.to_usi()).collect(),
            clocks: Clocks { left, byoyomi: units(own, own.byoyomi), increment: units(own, own.increment) },
            unit: units(own, Some(1)),
            least: units(own, own.least_time_per_move),
            reasons: Vec::new(),
        })
    }

    /// Whether this program is to move.
    pub fn is_our_turn(&self) -> bool {
        self.pos.side_to_move() == self.color
    }

    /// What the engine needs to know: the first position, the moves, the clocks.
    pub fn question(&self) -> (&str, &[String], &Clocks) {
        (&self.start, &self.moves, &self.clocks)
    }

    /// The command for the engine's reply. A move that is not legal resigns.
    pub fn command(&self, reply: &Reply) -> CsaCommand {
        let special = |kind| CsaCommand::Special { kind, elapsed: None };
        match reply {
            Reply::Resign => special(SpecialMove::Toryo),
            Reply::Declare => special(SpecialMove::Kachi),
            Reply::Move(text) => {
                let legal = Move::from_usi(text).filter(|&mv| self.pos.is_legal(mv));
                let csa = legal.and_then(|mv| CsaMove::parse(&to_csa(&self.pos, mv)));
                csa.map_or_else(|| special(SpecialMove::Toryo), |csa| CsaCommand::Move(MoveLine::new(csa)))
            }
        }
    }

    /// Makes a move that the server sent, of either side. The error says what is wrong with it.
    pub fn play(&mut self, line: &MoveLine) -> Result<(), String> {
        let mv = from_csa(&self.pos, line.csa.as_str())
            .ok_or_else(|| format!("it is not a legal move in {}", self.pos.to_sfen()))?;
        let elapsed = line.elapsed.unwrap_or(0);
        let spent = self.unit.saturating_mul(elapsed.min(u32::MAX as u64) as u32).max(self.least);
        let left = &mut self.clocks.left[self.pos.side_to_move().index()];
        *left = (left.saturating_sub(spent) + self.clocks.increment).min(LONGEST);
        self.pos.do_move(mv);
        self.moves.push(mv.to_usi());
        Ok(())
    }

    /// Takes note of a line that begins with `#`; the outcome if it states one.
    pub fn marker(&mut self, marker: &EndMarker) -> Option<Outcome> {
        let outcome = match marker {
            EndMarker::Win => Outcome::Won,
            EndMarker::Lose => Outcome::Lost,
            EndMarker::Draw => Outcome::Drawn,
            EndMarker::Censored | EndMarker::Chudan => Outcome::Unfinished,
            _ => Outcome::Unfinished,
        };
        if marker.kind() != EndMarkerKind::Outcome {
            self.reasons.push(marker.as_token().into());
        }
        (marker.kind() == EndMarkerKind::Outcome || *marker == EndMarker::Chudan).then_some(outcome)
    }

    /// Ends the game and its record; `lost` is why the connection ended.
    pub fn finish(self, mut record: Record, outcome: Outcome, lost: Option<&str>) -> Result<FinishedGame, CsaError> {
        let reason = self.reasons.first().map_or(lost.unwrap_or("no reason was given"), String::as_str).to_string();
        let ending = match self.reasons.first().map(String::as_str) {
            Some("OUTE_SENNICHITE") => "%ILLEGAL_MOVE",
            Some("TIME_UP") => "%TIME_UP",
            Some("ILLEGAL_MOVE" | "ILLEGAL_ACTION") => "%ILLEGAL_MOVE",
            Some("SENNICHITE") => "%SENNICHITE",
            Some("JISHOGI") => "%JISHOGI",
            Some("MAX_MOVES") => "%MAX_MOVES",
            _ => "%CHUDAN",
        };
        let word = match outcome {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Drawn => "drawn",
            Outcome::Unfinished => "unfinished",
        };
        record.end(ending, &format!("{word}: {reason}"))?;
        Ok(FinishedGame {
            id: self.id,
            opponent: self.opponent,
            color: self.color,
            moves: self.moves.len(),
            outcome,
            reason,
            record: record.file().into(),
        })
    }
}

fn time_of(summary: &GameSummary, color: Color) -> &TimeConfig {
    match color {
        Color::Black => &summary.time_black,
        Color::White => &summary.time_white,
    }
}

/// A time of the summary; none is 0.
fn units(config: &TimeConfig, count: Option<u64>) -> Duration {
    Duration::from_millis(config.unit().as_millis().saturating_mul(count.unwrap_or(0))).min(LONGEST)
}
