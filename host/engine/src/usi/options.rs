//! The options of the engine.

use crate::search::{iterate::TEMPERATURE, Algorithm, Draw, Searcher, Techniques};
use hayasashi_accel::BackendSpec;
use hayasashi_shogi::rules::DeclarationRule;
use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
    time::Duration,
};
use thiserror::Error;

/// What the GUI may set.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where the chip is.
    pub backend: BackendSpec,
    /// Mebibytes of the transposition table.
    pub hash_mib: usize,
    /// Kept back of each time limit.
    pub network_delay: Duration,
    /// By which rule the engine declares a win, if at all.
    pub declaration: Option<DeclarationRule>,
    /// Evaluation table to load instead of the built-in one.
    pub table: Option<PathBuf>,
    /// Threads that search.
    pub threads: usize,
    /// Lines to tell.
    pub lines: usize,
    /// What a draw is, and what it is worth.
    pub draw: Draw,
    /// The engine resigns at minus this score, in centipawns; mates are 30,000 or more.
    pub resign: i32,
    /// Whether to play from the book, if there is one.
    pub own_book: bool,
    /// The opening book.
    pub book: Option<PathBuf>,
    /// Moves of a game, both sides' counted, that may come from the book.
    pub book_moves: u16,
    /// Play any move of the book, as often as it was played, instead of the best.
    pub book_random: bool,
    /// How positions are searched.
    pub algorithm: Algorithm,
    /// Temperature of the softmax search, in centipawns.
    pub temperature: u32,
    /// Table of move categories to load instead of the built-in one.
    pub move_table: Option<PathBuf>,
    /// What the tree does besides looking at moves.
    pub techniques: Techniques,
}

/// Why an option is not set.
#[derive(Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option `{0}`; hint: `usi` lists the options")]
    Unknown(String),
    /// The value does not suit it.
    #[error("option `{name}` cannot be `{value}`: {reason}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
}

/// A file name that names none, as USI has it.
const EMPTY: &str = "<empty>";

const HASH: RangeInclusive<u64> = 1..=65_536;
const THREADS: RangeInclusive<u64> = 1..=512;
const DELAY: RangeInclusive<u64> = 0..=10_000;
const LINES: RangeInclusive<u64> = 1..=600;
const TEMPERATURES: RangeInclusive<u64> = 1..=10_000;
const RESIGN: RangeInclusive<u64> = 0..=99_999;
const DRAW_VALUE: RangeInclusive<i64> = -10_000..=10_000;
const MAX_MOVES: RangeInclusive<u64> = 0..=65_534;
const BOOK_MOVES: RangeInclusive<u64> = 0..=10_000;
const RULES: [(&str, Option<DeclarationRule>); 3] =
    [("27", Some(DeclarationRule::Points27)), ("24", Some(DeclarationRule::Points24)), ("none", None)];

impl Options {
    /// The defaults with this back end and table.
    pub fn new(backend: &str, table: Option<&Path>) -> Result<Options, hayasashi_accel::AccelError> {
        Ok(Options {
            backend: backend.parse()?,
            hash_mib: 256,
            network_delay: Duration::from_millis(100),
            declaration: Some(DeclarationRule::default()),
            table: table.map(Into::into),
            threads: 1,
            lines: 1,
            draw: Draw::default(),
            resign: *RESIGN.end() as i32,
            own_book: true,
            book: None,
            book_moves: 16,
            book_random: false,
            algorithm: Algorithm::default(),
            temperature: TEMPERATURE,
            move_table: None,
            techniques: Techniques::default(),
        })
    }

    /// Has a searcher search as these options say, the next time it is asked.
    pub fn configure(&self, searcher: &mut Searcher) {
        searcher.margin = self.network_delay;
        searcher.rule = self.declaration;
        searcher.threads = self.threads;
        searcher.techniques = self.techniques;
        searcher.lines = self.lines;
        searcher.draw = self.draw;
        searcher.algorithm = self.algorithm;
        searcher.temperature = self.temperature;
    }

    /// The `option …` lines.
    pub fn lines(&self) -> Vec<String> {
        let rule = RULES.iter().find(|(_, r)| *r == self.declaration).map_or("27", |(n, _)| n);
        let rules: String = RULES.iter().map(|(name, _)| format!(" var {name}")).collect();
        let file = |file: &Option<PathBuf>| file.as_ref().map_or(EMPTY.into(), |f| f.display().to_string());
        let (table, book) = (file(&self.table), file(&self.book));
        // `MaxMovesToDraw` has 0 for never.
        let max_moves = if self.draw.after == u16::MAX { 0 } else { self.draw.after };
        let spin = |name: &str, value: i64, least: i64, most: i64| {
            format!("option name {name} type spin default {value} min {least} max {most}")
        };
        let count = |name: &str, value: u64, range: RangeInclusive<u64>| {
            spin(name, value as i64, *range.start() as i64, *range.end() as i64)
        };
        let mut lines = vec![
            format!("option name Backend type string default {}", self.backend),
            count("USI_Hash", self.hash_mib as u64, HASH),
            "option name USI_Ponder type check default false".into(),
            count("Threads", self.threads as u64, THREADS),
            count("MultiPV", self.lines as u64, LINES),
            count("NetworkDelay", self.network_delay.as_millis() as u64, DELAY),
            count("ResignValue", self.resign as u64, RESIGN),
            count("MaxMovesToDraw", max_moves as u64, MAX_MOVES),
            spin("DrawValue", self.draw.value as i64, *DRAW_VALUE.start(), *DRAW_VALUE.end()),
            format!("option name DeclarationRule type combo default {rule}{rules}"),
            format!("option name EvalTable type filename default {table}"),
            format!("option name USI_OwnBook type check default {}", self.own_book),
            format!("option name BookFile type filename default {book}"),
            count("BookMoves", self.book_moves as u64, BOOK_MOVES),
            format!("option name BookRandom type check default {}", self.book_random),
        ];
        let search = Algorithm::NAMES.iter().find(|(_, a)| *a == self.algorithm).map_or("alpha-beta", |(n, _)| n);
        let searches: String = Algorithm::NAMES.iter().map(|(name, _)| format!(" var {name}")).collect();
        let moves = self.move_table.as_ref().map_or("<empty>".into(), |t| t.display().to_string());
        lines.push(format!("option name Search type combo default {search}{searches}"));
        lines.push(count("Temperature", self.temperature as u64, TEMPERATURES));
        lines.push(format!("option name MoveTable type filename default {moves}"));
        let mut techniques = self.techniques;
        lines.extend(Techniques::NAMES.iter().map(|name| {
            let on = techniques.switch(name).is_some_and(|on| *on);
            format!("option name {name} type check default {on}")
        }));
        lines
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let value = value.unwrap_or("").trim();
        let wrong = |name, reason: String| OptionError::Value { name, value: value.into(), reason };
        let signed = |name, range: RangeInclusive<i64>| {
            value.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| {
                wrong(name, format!("expected a whole number from {} to {}", range.start(), range.end()))
            })
        };
        let number = |name, range: RangeInclusive<u64>| {
            signed(name, *range.start() as i64..=*range.end() as i64).map(|n: i64| n as u64)
        };
        let check = |name| value.parse().map_err(|_| wrong(name, "expected true or false".into()));
        let file = || (!matches!(value, "" | EMPTY)).then(|| value.into());
        match name {
            "Backend" => self.backend = value.parse().map_err(|e| wrong("Backend", format!("{e}")))?,
            "USI_Hash" | "Hash" => self.hash_mib = number("USI_Hash", HASH)? as usize,
            // The GUI decides when to ponder; nothing to prepare.
            "USI_Ponder" | "Ponder" => {}
            "NetworkDelay" => self.network_delay = Duration::from_millis(number("NetworkDelay", DELAY)?),
            "DeclarationRule" => {
                let rule = RULES.iter().find(|(name, _)| *name == value);
                self.declaration = rule.ok_or_else(|| wrong("DeclarationRule", "expected 27, 24 or none".into()))?.1;
            }
            "EvalTable" => self.table = file(),
            "Threads" => self.threads = number("Threads", THREADS)? as usize,
            "MultiPV" => self.lines = number("MultiPV", LINES)? as usize,
            "ResignValue" => self.resign = number("ResignValue", RESIGN)? as i32,
            "DrawValue" => self.draw.value = signed("DrawValue", DRAW_VALUE)? as i32,
            "MaxMovesToDraw" => {
                let moves = number("MaxMovesToDraw", MAX_MOVES)? as u16;
                self.draw.after = if moves == 0 { u16::MAX } else { moves };
            }
            "USI_OwnBook" | "OwnBook" => self.own_book = check("USI_OwnBook")?,
            "BookFile" => self.book = file(),
            "BookMoves" => self.book_moves = number("BookMoves", BOOK_MOVES)? as u16,
            "BookRandom" => self.book_random = check("BookRandom")?,
            "Search" => {
                let known = Algorithm::NAMES.iter().find(|(name, _)| *name == value);
                let names = || Algorithm::NAMES.map(|(name, _)| name).join(" or ");
                self.algorithm = known.ok_or_else(|| wrong("Search", format!("expected {}", names())))?.1;
            }
            "Temperature" => self.temperature = number("Temperature", TEMPERATURES)? as u32,
            "MoveTable" => self.move_table = (!matches!(value, "" | "<empty>")).then(|| value.into()),
            other => {
                let known = Techniques::NAMES.iter().find(|name| **name == other);
                let name = known.ok_or_else(|| OptionError::Unknown(other.into()))?;
                let on = check(name)?;
                if let Some(switch) = self.techniques.switch(name) {
                    *switch = on;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_and_refused() {
        let mut o = Options::new("auto", None).unwrap();
        o.set("USI_Hash", Some("16")).unwrap();
        o.set("Backend", Some("model")).unwrap();
        o.set("DeclarationRule", Some("none")).unwrap();
        o.set("USI_Ponder", Some("true")).unwrap();
        assert_eq!((o.hash_mib, o.backend.clone(), o.declaration), (16, BackendSpec::Model, None));
        o.set("Threads", Some("2")).unwrap();
        o.set("MaxMovesToDraw", Some("320")).unwrap();
        o.set("DrawValue", Some("-50")).unwrap();
        assert_eq!(o.draw, Draw { value: -50, after: 320 });
        o.set("MaxMovesToDraw", Some("0")).unwrap();
        assert_eq!(o.draw.after, u16::MAX);
        o.set("BookFile", Some("my book.db")).unwrap();
        o.set("OwnBook", Some("false")).unwrap();
        assert_eq!((o.book.as_deref(), o.own_book), (Some(Path::new("my book.db")), false));
        assert!(o.lines().iter().any(|l| l == "option name BookFile type filename default my book.db"));
        o.set("BookFile", Some(EMPTY)).unwrap();
        assert_eq!(o.book, None);
        o.set("NullMove", Some("false")).unwrap();
        assert!(o.threads == 2 && !o.techniques.null_move && o.techniques.futility);
        for (name, value) in [
            ("NullMove", "maybe"),
            ("Threads", "0"),
            ("USI_Hash", "0"),
            ("USI_Hash", "x"),
            ("Backend", "fpga"),
            ("DeclarationRule", "x"),
            ("MultiPV", "0"),
            ("ResignValue", "-1"),
            ("DrawValue", "10001"),
            ("MaxMovesToDraw", "65535"),
            ("Temperature", "0"),
            ("BookMoves", "many"),
            ("BookRandom", "1"),
            ("USI_OwnBook", ""),
            ("Foo", "1"),
        ] {
            assert!(o.set(name, Some(value)).is_err(), "{name} {value}");
        }
        assert!(o.lines().iter().all(|l| l.starts_with("option name ")));
    }
}
