//! The options of the engine.

use crate::{
    accel::BackendSpec,
    rules::DeclarationRule,
    search::{Algorithm, Techniques},
};
use std::{
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
    /// How positions are searched.
    pub algorithm: Algorithm,
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

const HASH: std::ops::RangeInclusive<u64> = 1..=65_536;
const THREADS: std::ops::RangeInclusive<u64> = 1..=512;
const DELAY: std::ops::RangeInclusive<u64> = 0..=10_000;
const RULES: [(&str, Option<DeclarationRule>); 3] =
    [("27", Some(DeclarationRule::Points27)), ("24", Some(DeclarationRule::Points24)), ("none", None)];

impl Options {
    /// The defaults with this back end and table.
    pub fn new(backend: &str, table: Option<&Path>) -> Result<Options, crate::accel::AccelError> {
        Ok(Options {
            backend: backend.parse()?,
            hash_mib: 256,
            network_delay: Duration::from_millis(100),
            declaration: Some(DeclarationRule::default()),
            table: table.map(Into::into),
            threads: 1,
            algorithm: Algorithm::default(),
            move_table: None,
            techniques: Techniques::default(),
        })
    }

    /// The `option …` lines.
    pub fn lines(&self) -> Vec<String> {
        let rule = RULES.iter().find(|(_, r)| *r == self.declaration).map_or("27", |(n, _)| n);
        let rules: String = RULES.iter().map(|(name, _)| format!(" var {name}")).collect();
        let table = self.table.as_ref().map_or("<empty>".into(), |t| t.display().to_string());
        let mut lines = vec![
            format!("option name Backend type string default {}", self.backend),
            format!("option name USI_Hash type spin default {} min {} max {}", self.hash_mib, HASH.start(), HASH.end()),
            "option name USI_Ponder type check default false".into(),
            format!(
                "option name NetworkDelay type spin default {} min {} max {}",
                self.network_delay.as_millis(),
                DELAY.start(),
                DELAY.end()
            ),
            format!("option name DeclarationRule type combo default {rule}{rules}"),
            format!("option name EvalTable type filename default {table}"),
            format!(
                "option name Threads type spin default {} min {} max {}",
                self.threads,
                THREADS.start(),
                THREADS.end()
            ),
        ];
        let search = Algorithm::NAMES.iter().find(|(_, a)| *a == self.algorithm).map_or("alpha-beta", |(n, _)| n);
        let searches: String = Algorithm::NAMES.iter().map(|(name, _)| format!(" var {name}")).collect();
        let moves = self.move_table.as_ref().map_or("<empty>".into(), |t| t.display().to_string());
        lines.push(format!("option name Search type combo default {search}{searches}"));
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
        let number = |name, range: std::ops::RangeInclusive<u64>| {
            value.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| {
                wrong(name, format!("expected a whole number from {} to {}", range.start(), range.end()))
            })
        };
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
            "EvalTable" => {
                self.table = (!matches!(value, "" | "<empty>")).then(|| value.into());
            }
            "Threads" => self.threads = number("Threads", THREADS)? as usize,
            "Search" => {
                let known = Algorithm::NAMES.iter().find(|(name, _)| *name == value);
                let names = || Algorithm::NAMES.map(|(name, _)| name).join(" or ");
                self.algorithm = known.ok_or_else(|| wrong("Search", format!("expected {}", names())))?.1;
            }
            "MoveTable" => self.move_table = (!matches!(value, "" | "<empty>")).then(|| value.into()),
            other => {
                let known = Techniques::NAMES.iter().find(|name| **name == other);
                let name = known.ok_or_else(|| OptionError::Unknown(other.into()))?;
                let on = value.parse().map_err(|_| wrong(name, "expected true or false".into()))?;
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
        o.set("NullMove", Some("false")).unwrap();
        assert!(o.threads == 2 && !o.techniques.null_move && o.techniques.futility);
        for (name, value) in [
            ("NullMove", "maybe"),
            ("Threads", "0"),
            ("USI_Hash", "0"),
            ("USI_Hash", "x"),
            ("Backend", "fpga"),
            ("DeclarationRule", "x"),
            ("Foo", "1"),
        ] {
            assert!(o.set(name, Some(value)).is_err(), "{name} {value}");
        }
        assert!(o.lines().iter().all(|l| l.starts_with("option name ")));
    }
}
