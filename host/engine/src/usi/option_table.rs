//! The table of the engine's options: name, type, range, meaning, and the value of [`Options`] that each one sets.

use super::options::{OptionError, Options};
use crate::search::{settings, Algorithm};
use hayasashi_shogi::{rules::DeclarationRule, text::excerpt};
use hayasashi_spec::search::{ALL_TECHNIQUES, MAX_TABLE_BITS, MIN_TABLE_BITS};
use std::{path::PathBuf, time::Duration};

/// The value of an option without a file, as USI writes it.
pub const EMPTY: &str = "<empty>";
/// The value of `ResignValue` that never resigns: no score is that low.
pub(super) const NEVER_RESIGN: i32 = 99_999;

const RULES: [(&str, Option<DeclarationRule>); 3] = [
    ("CSARule27", Some(DeclarationRule::Points27)),
    ("CSARule24", Some(DeclarationRule::Points24)),
    ("NoEnteringKing", None),
];

/// An option of the engine.
pub struct UsiOption {
    /// Its name in USI.
    pub name: &'static str,
    /// Another name that `setoption` accepts.
    pub alias: Option<&'static str>,
    /// What it does.
    pub meaning: &'static str,
    /// Its type, and the value that it sets.
    pub kind: OptionKind,
}

/// The type of an option with its range, and how to read and write its value.
#[allow(missing_docs, reason = "every variant reads a value by `get` and writes it by `set`")]
pub enum OptionKind {
    /// A whole number from `least` to `most`.
    Spin { least: i64, most: i64, get: fn(&Options) -> i64, set: fn(&mut Options, i64) },
    /// `true` or `false`.
    Check { get: fn(&Options) -> bool, set: fn(&mut Options, bool) },
    /// One of the named values, by its index.
    Combo { values: &'static [&'static str], get: fn(&Options) -> usize, set: fn(&mut Options, usize) },
    /// A file, or none.
    File { get: fn(&Options) -> &Option<PathBuf>, set: fn(&mut Options, Option<PathBuf>) },
    /// The name of a back end.
    Backend,
}

/// The names of a list of named values.
const fn names<T: Copy, const N: usize>(values: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = values[at].0;
        at += 1;
    }
    names
}

/// The index of a value in a list of named values.
fn index_of<T: PartialEq>(values: &[(&str, T)], value: &T) -> usize {
    values.iter().position(|(_, v)| v == value).unwrap_or_default()
}

const fn option(name: &'static str, meaning: &'static str, kind: OptionKind) -> UsiOption {
    UsiOption { name, alias: None, meaning, kind }
}

/// All options but the switches of the search heuristics, in the order of the `option` lines.
pub static OPTIONS: [UsiOption; 29] = [
    option("Backend", "where the chip is, as `--backend`", OptionKind::Backend),
    UsiOption {
        alias: Some("Hash"),
        ..option(
            "USI_Hash",
            "size of the transposition table, MiB",
            OptionKind::Spin {
                least: 1,
                most: settings::MAX_HASH_MIB as i64,
                get: |o| o.hash_mib as i64,
                set: |o, mebibytes| o.hash_mib = mebibytes as usize,
            },
        )
    },
    UsiOption {
        alias: Some("Ponder"),
        ..option(
            "USI_Ponder",
            "the GUI ponders: a move gets a quarter more of the time, since some of it passes on the opponent's clock",
            OptionKind::Check { get: |o| o.search.ponder, set: |o, on| o.search.ponder = on },
        )
    },
    option(
        "Threads",
        "search threads",
        OptionKind::Spin {
            least: 1,
            most: settings::MAX_THREADS as i64,
            get: |o| o.search.threads as i64,
            set: |o, threads| o.search.threads = threads as usize,
        },
    ),
    option(
        "MultiPV",
        "lines to report",
        OptionKind::Spin {
            least: 1,
            most: settings::MAX_LINES as i64,
            get: |o| o.search.lines as i64,
            set: |o, lines| o.search.lines = lines as usize,
        },
    ),
    option(
        "NetworkDelay",
        "milliseconds held in reserve from each time limit",
        OptionKind::Spin {
            least: 0,
            most: 10_000,
            get: |o| o.search.network_delay.as_millis() as i64,
            set: |o, ms| o.search.network_delay = Duration::from_millis(ms as u64),
        },
    ),
    option(
        "SlowMover",
        "percent of the usual time for each move on a game clock",
        OptionKind::Spin {
            least: 1,
            most: 1_000,
            get: |o| o.search.time_percent as i64,
            set: |o, percent| o.search.time_percent = percent as u32,
        },
    ),
    option(
        "DepthLimit",
        "most plies of every search; 0 for no limit",
        OptionKind::Spin {
            least: 0,
            most: i32::MAX as i64,
            get: |o| o.depth_limit as i64,
            set: |o, plies| o.depth_limit = plies as u32,
        },
    ),
    option(
        "NodesLimit",
        "most nodes of every search; 0 for no limit",
        OptionKind::Spin {
            least: 0,
            most: i64::MAX,
            get: |o| o.nodes_limit as i64,
            set: |o, nodes| o.nodes_limit = nodes as u64,
        },
    ),
    option(
        "ResignValue",
        "resign below minus this score, in centipawns; 99999 never resigns",
        OptionKind::Spin {
            least: 0,
            most: NEVER_RESIGN as i64,
            get: |o| o.resign as i64,
            set: |o, score| o.resign = score as i32,
        },
    ),
    option(
        "MaxMovesToDraw",
        "moves after which a game is drawn; 0 for no limit",
        OptionKind::Spin {
            least: 0,
            most: u16::MAX as i64 - 1,
            get: |o| if o.search.draw.after == u16::MAX { 0 } else { o.search.draw.after as i64 },
            set: |o, moves| o.search.draw.after = if moves == 0 { u16::MAX } else { moves as u16 },
        },
    ),
    option(
        "DrawValue",
        "value of a draw to the engine, in centipawns",
        OptionKind::Spin {
            least: -10_000,
            most: 10_000,
            get: |o| o.search.draw.value as i64,
            set: |o, score| o.search.draw.value = score as i32,
        },
    ),
    option(
        "EnteringKingRule",
        "rule of the entering-king declaration: 27 points, 24 points, or none",
        OptionKind::Combo {
            values: &names(&RULES),
            get: |o| index_of(&RULES, &o.search.declaration),
            set: |o, at| o.search.declaration = RULES[at].1,
        },
    ),
    option(
        "EvalTable",
        "evaluation table, or a network with its table; without a file the built-in network",
        OptionKind::File { get: |o| &o.table, set: |o, file| o.table = file },
    ),
    UsiOption {
        alias: Some("OwnBook"),
        ..option(
            "USI_OwnBook",
            "play from the book",
            OptionKind::Check { get: |o| o.own_book, set: |o, on| o.own_book = on },
        )
    },
    option(
        "BookFile",
        "opening book: YANEURAOU-DB2016 text, YBB, or SBK; without a file no book is used",
        OptionKind::File { get: |o| &o.book, set: |o, file| o.book = file },
    ),
    option(
        "BookMoves",
        "moves of a game, both sides counted, that may come from the book",
        OptionKind::Spin {
            least: 0,
            most: 10_000,
            get: |o| o.book_moves as i64,
            set: |o, moves| o.book_moves = moves as u16,
        },
    ),
    option(
        "BookRandom",
        "play any book move as often as it was played, instead of the best",
        OptionKind::Check { get: |o| o.book_random, set: |o, on| o.book_random = on },
    ),
    option(
        "Search",
        "search algorithm",
        OptionKind::Combo {
            values: &names(&Algorithm::NAMES),
            get: |o| index_of(&Algorithm::NAMES, &o.search.algorithm),
            set: |o, at| o.search.algorithm = Algorithm::NAMES[at].1,
        },
    ),
    option(
        "ChipTable",
        "entries of the table of `Search=chip`, as a power of two; a board that has fewer uses those",
        OptionKind::Spin {
            least: MIN_TABLE_BITS as i64,
            most: MAX_TABLE_BITS as i64,
            get: |o| o.search.chip_table_bits as i64,
            set: |o, bits| o.search.chip_table_bits = bits as u8,
        },
    ),
    option(
        "ChipKeepsTable",
        "`Search=chip` begins with the table of the search before, unless a new game has begun",
        OptionKind::Check { get: |o| o.search.chip_keeps_table, set: |o, on| o.search.chip_keeps_table = on },
    ),
    option(
        "ChipSteps",
        "most steps of a search by `Search=chip`; 0: no limit",
        OptionKind::Spin {
            least: 0,
            most: i64::MAX,
            get: |o| o.search.chip_steps.min(i64::MAX as u64) as i64,
            set: |o, steps| o.search.chip_steps = steps as u64,
        },
    ),
    option(
        "ChipTechniques",
        "techniques of `Search=chip`: the sum of the bits of those that are on, as PROTOCOL.md numbers them",
        OptionKind::Spin {
            least: 0,
            most: ALL_TECHNIQUES as i64,
            get: |o| o.search.chip_techniques as i64,
            set: |o, bits| o.search.chip_techniques = bits as u32,
        },
    ),
    option(
        "Temperature",
        "temperature of `softmax`, in centipawns",
        OptionKind::Spin {
            least: 1,
            most: 10_000,
            get: |o| o.search.temperature as i64,
            set: |o, temperature| o.search.temperature = temperature as u32,
        },
    ),
    option(
        "EvalNoise",
        "standard deviation of a random number in the evaluation of each position, in centipawns, for votes among engines; 0 for none",
        OptionKind::Spin {
            least: 0,
            most: 10_000,
            get: |o| o.search.noise.deviation as i64,
            set: |o, deviation| o.search.noise.deviation = deviation as u32,
        },
    ),
    option(
        "EvalNoiseSeed",
        "engines with different seeds get different numbers",
        OptionKind::Spin {
            least: 0,
            most: i64::MAX,
            get: |o| o.search.noise.seed as i64,
            set: |o, seed| o.search.noise.seed = seed as u64,
        },
    ),
    option(
        "MoveTable",
        "table of move categories, made by `learn moves`; without a file the built-in one",
        OptionKind::File { get: |o| &o.move_table, set: |o, file| o.move_table = file },
    ),
    option(
        "MonitorFile",
        "where to write what the back end does, for `hayasashi monitor`; without a file nothing is written",
        OptionKind::File { get: |o| &o.monitor.journal, set: |o, file| o.monitor.journal = file },
    ),
    option(
        "CheckEvery",
        "every n-th batch is also asked of the software model, and a different answer is counted; 0 asks for none",
        OptionKind::Spin {
            least: 0,
            most: i64::MAX,
            get: |o| o.monitor.check_every as i64,
            set: |o, every| o.monitor.check_every = every as u64,
        },
    ),
];

impl UsiOption {
    /// The value of the option as USI writes it.
    pub fn value(&self, options: &Options) -> String {
        match &self.kind {
            OptionKind::Spin { get, .. } => get(options).to_string(),
            OptionKind::Check { get, .. } => get(options).to_string(),
            OptionKind::Combo { values, get, .. } => values[get(options)].to_string(),
            OptionKind::File { get, .. } => {
                get(options).as_ref().map_or_else(|| EMPTY.to_string(), |file| file.display().to_string())
            }
            OptionKind::Backend => options.backend.to_string(),
        }
    }

    /// The values that the option accepts, for people.
    pub fn accepted(&self) -> String {
        match &self.kind {
            OptionKind::Spin { least, most, .. } => format!("a whole number from {least} to {most}"),
            OptionKind::Check { .. } => "`true` or `false`".into(),
            OptionKind::Combo { values, .. } => {
                let (last, others) = values.split_last().expect("a combo has values");
                let others: Vec<String> = others.iter().map(|value| format!("`{value}`")).collect();
                format!("{} or `{last}`", others.join(", "))
            }
            OptionKind::File { .. } => "a file".into(),
            OptionKind::Backend => "a back end".into(),
        }
    }

    /// The `option` line, with the present value as the default.
    pub(super) fn line(&self, options: &Options) -> String {
        let (kind, range) = match &self.kind {
            OptionKind::Spin { least, most, .. } => ("spin", format!(" min {least} max {most}")),
            OptionKind::Check { .. } => ("check", String::new()),
            OptionKind::Combo { values, .. } => ("combo", values.iter().map(|v| format!(" var {v}")).collect()),
            OptionKind::File { .. } => ("filename", String::new()),
            OptionKind::Backend => ("string", String::new()),
        };
        format!("option name {} type {kind} default {}{range}", self.name, self.value(options))
    }

    /// Sets the option to a value of `setoption`.
    pub(super) fn set(&self, options: &mut Options, value: &str) -> Result<(), OptionError> {
        let refused = || OptionError::Value { name: self.name, value: excerpt(value), expected: self.accepted() };
        match &self.kind {
            OptionKind::Spin { least, most, set, .. } => {
                let number = value.parse().ok().filter(|number| (least..=most).contains(&number));
                set(options, number.ok_or_else(refused)?);
            }
            OptionKind::Check { set, .. } => set(options, UsiOption::parse_check(self.name, value)?),
            OptionKind::Combo { values, set, .. } => {
                set(options, values.iter().position(|name| *name == value).ok_or_else(refused)?);
            }
            OptionKind::File { set, .. } => set(options, (!matches!(value, "" | EMPTY)).then(|| value.into())),
            OptionKind::Backend => {
                options.backend = value.parse().map_err(|reason| OptionError::Backend { name: self.name, reason })?;
            }
        }
        Ok(())
    }

    /// Reads the value of a `check` option.
    pub(super) fn parse_check(name: &'static str, value: &str) -> Result<bool, OptionError> {
        let refused = |_| OptionError::Value { name, value: excerpt(value), expected: "`true` or `false`".into() };
        value.parse().map_err(refused)
    }
}
