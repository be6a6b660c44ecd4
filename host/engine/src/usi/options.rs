//! The values of the engine's options, and how the GUI sets them.
//!
//! [`OPTIONS`] states every option once; `option` lines, parsing and error messages come from it. The search heuristics
//! ([`Techniques`]) are options as well, each a `check` of its own name. `setoption` also sets the constants of the heuristics
//! ([`Parameters`]), which `usi` does not list: they are for tuning.

use super::option_table::{UsiOption, OPTIONS};
use crate::search::{parameters::ParameterError, Parameters, SearchSettings, Techniques};
use hayasashi_accel::{monitor::MonitorSettings, AccelError, BackendSpec};
use hayasashi_shogi::text::excerpt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What the GUI can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where the chip is.
    pub backend: BackendSpec,
    /// Size of the transposition table in mebibytes.
    pub hash_mib: usize,
    /// Evaluation table; `None` for the built-in one.
    pub table: Option<PathBuf>,
    /// Table of move categories; `None` for the built-in one.
    pub move_table: Option<PathBuf>,
    /// Most plies of every search; 0 for no limit.
    pub depth_limit: u32,
    /// Most nodes of every search; 0 for no limit.
    pub nodes_limit: u64,
    /// The engine resigns below minus this score, in centipawns.
    pub resign: i32,
    /// Whether to play from the book.
    pub own_book: bool,
    /// The opening book.
    pub book: Option<PathBuf>,
    /// Moves of a game, both sides counted, that may come from the book.
    pub book_moves: u16,
    /// Play any move of the book as often as it was played, instead of the best.
    pub book_random: bool,
    /// What is recorded of the back end.
    pub monitor: MonitorSettings,
    /// How positions are searched.
    pub search: SearchSettings,
}

/// Why an option was not set.
#[derive(Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option `{0}`; hint: `usi` lists the options")]
    Unknown(String),
    /// The option does not accept the value.
    #[error("option `{name}` cannot be `{value}`; hint: use {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The values that it accepts.
        expected: String,
    },
    /// The back end has no valid name.
    #[error("option `{name}`: {reason}")]
    Backend {
        /// The option.
        name: &'static str,
        /// Why the back end was refused.
        reason: AccelError,
    },
    /// A parameter of the search does not accept the value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

impl Options {
    /// The defaults with this back end and evaluation table.
    ///
    /// # Errors
    /// `backend` does not name a back end.
    pub fn new(backend: &str, table: Option<&Path>) -> Result<Options, AccelError> {
        Ok(Options {
            backend: backend.parse()?,
            hash_mib: 256,
            table: table.map(Into::into),
            move_table: None,
            depth_limit: 0,
            nodes_limit: 0,
            resign: super::option_table::NEVER_RESIGN,
            own_book: true,
            book: None,
            book_moves: 16,
            book_random: false,
            monitor: MonitorSettings::default(),
            search: SearchSettings::default(),
        })
    }

    /// The `option …` lines, with the present values as defaults.
    pub fn lines(&self) -> Vec<String> {
        let options = OPTIONS.iter().map(|option| option.line(self));
        let techniques = Techniques::NAMES.iter().map(|name| {
            let on = self.search.techniques.is_on(name).unwrap_or_default();
            format!("option name {name} type check default {on}")
        });
        options.chain(techniques).collect()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// There is no such option, or it does not accept the value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let value = value.unwrap_or("").trim();
        if let Some(option) = OPTIONS.iter().find(|option| option.name == name || option.alias == Some(name)) {
            return option.set(self, value);
        }
        if Parameters::ALL.iter().any(|parameter| parameter.name == name) {
            return Ok(self.search.parameters.set(name, value)?);
        }
        let technique = Techniques::NAMES.iter().find(|technique| **technique == name);
        let name = technique.ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
        let on = UsiOption::parse_check(name, value)?;
        self.search.techniques.set(name, on).map_err(|error| OptionError::Unknown(error.name))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::option_table::EMPTY, *};
    use crate::search::Draw;

    #[test]
    fn options_are_set_and_refused() {
        let mut o = Options::new("auto", None).unwrap();
        o.set("USI_Hash", Some("16")).unwrap();
        o.set("Backend", Some("model")).unwrap();
        o.set("EnteringKingRule", Some("NoEnteringKing")).unwrap();
        o.set("USI_Ponder", Some("true")).unwrap();
        assert_eq!((o.hash_mib, o.backend.clone(), o.search.declaration), (16, BackendSpec::Model, None));
        o.set("Threads", Some("2")).unwrap();
        o.set("MaxMovesToDraw", Some("320")).unwrap();
        o.set("DrawValue", Some("-50")).unwrap();
        assert_eq!(o.search.draw, Draw { value: -50, after: 320 });
        o.set("MaxMovesToDraw", Some("0")).unwrap();
        assert_eq!(o.search.draw.after, u16::MAX);
        o.set("BookFile", Some("my book.db")).unwrap();
        o.set("OwnBook", Some("false")).unwrap();
        assert_eq!((o.book.as_deref(), o.own_book), (Some(Path::new("my book.db")), false));
        assert!(o.lines().iter().any(|l| l == "option name BookFile type filename default my book.db"));
        o.set("BookFile", Some(EMPTY)).unwrap();
        assert_eq!(o.book, None);
        o.set("NullMove", Some("false")).unwrap();
        assert!(o.search.threads == 2 && !o.search.techniques.null_move && o.search.techniques.futility);
        for (name, value) in [
            ("NullMove", "maybe"),
            ("Threads", "0"),
            ("USI_Hash", "0"),
            ("USI_Hash", "x"),
            ("Backend", "fpga"),
            ("EnteringKingRule", "x"),
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
            let error = o.set(name, Some(value)).expect_err(name).to_string();
            assert!(error.contains(&format!("`{name}`")) && error.contains("; hint: "), "{name} {value}: {error}");
        }
        assert!(o.lines().iter().all(|l| l.starts_with("option name ")));
    }

    #[test]
    fn messages_name_the_values_that_are_accepted() {
        let mut o = Options::new("auto", None).unwrap();
        for (name, value, expected) in [
            ("Hash", "0", "option `USI_Hash` cannot be `0`; hint: use a whole number from 1 to 65536"),
            ("BookRandom", "1", "option `BookRandom` cannot be `1`; hint: use `true` or `false`"),
            (
                "EnteringKingRule",
                "x",
                "option `EnteringKingRule` cannot be `x`; hint: use `CSARule27`, `CSARule24` or `NoEnteringKing`",
            ),
        ] {
            assert_eq!(o.set(name, Some(value)).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn every_option_has_one_name() {
        let mut names: Vec<&str> = OPTIONS.iter().flat_map(|o| std::iter::once(o.name).chain(o.alias)).collect();
        names.extend(Techniques::NAMES);
        names.extend(Parameters::ALL.iter().map(|parameter| parameter.name));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
