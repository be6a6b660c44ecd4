//! Reads USI commands.
//!
//! A line becomes a [`Command`] without regard to the rules of shogi: positions and moves stay text.
//! [`hayasashi_shogi::rules::PositionCommand`] reads the argument of `position`.

use crate::search::{
    sharing::{ShareSettings, SharedEntry},
    GameClock, GamePath, SearchLimits, TimeControl,
};
use hayasashi_shogi::{
    rules::{Color, Move},
    text::excerpt,
};
use std::time::Duration;
use thiserror::Error;

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `usi`: write the engine's name and its options.
    Usi,
    /// `isready`: connect to the back end, allocate memory, reply `readyok`.
    IsReady,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The option's name.
        name: String,
        /// Its value; `None` if the line has none (buttons).
        value: Option<String>,
    },
    /// `usinewgame`.
    NewGame,
    /// `position (startpos | sfen <sfen>) [moves <move> …]`, without its first word.
    Position(String),
    /// `go …`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `gameover (win | lose | draw)`.
    GameOver,
    /// `share (off | <member> <depth> <every> [instep])`, not of USI: whether the next searches share their tables with other engines.
    Share(Option<ShareSettings>),
    /// `entries [<entry> …]`, not of USI: what others have stored in their tables.
    Entries(Vec<SharedEntry>),
    /// `quit`.
    Quit,
}

/// The parameters of `go`. Times are those of the GUI, without any reserve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Ponder: the position is that after the expected reply; the clock starts with `ponderhit`.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search for a mate; the inner value is the time limit, `None` for `infinite`.
    pub mate: Option<Option<Duration>>,
    /// Time left on Black's clock.
    pub btime: Option<Duration>,
    /// Time left on White's clock.
    pub wtime: Option<Duration>,
    /// Black's increment per move.
    pub binc: Option<Duration>,
    /// White's increment per move.
    pub winc: Option<Duration>,
    /// Time per move once the clock has run out.
    pub byoyomi: Option<Duration>,
    /// Exact time for this move.
    pub movetime: Option<Duration>,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Search only these moves (USI notation); empty for all.
    pub searchmoves: Vec<String>,
    /// The first parameters that could not be read. `go` is obeyed in spite of them, because the GUI waits for its move.
    pub faults: Vec<CommandError>,
}

impl Go {
    /// Whether nothing but `stop` or `ponderhit` ends the search.
    pub fn is_unlimited(&self) -> bool {
        let times = [self.btime, self.wtime, self.binc, self.winc, self.byoyomi, self.movetime];
        let timed = times.iter().any(Option::is_some) || matches!(self.mate, Some(Some(_)));
        self.infinite || !timed && self.depth.is_none() && self.nodes.is_none()
    }

    /// The limits for the side to move, with the most plies and nodes of the options (0: no limit).
    pub fn limits(&self, side: Color, (plies, nodes): (u32, u64)) -> SearchLimits {
        let (left, increment) = match side {
            Color::Black => (self.btime, self.binc),
            Color::White => (self.wtime, self.winc),
        };
        let timed = [left, increment, self.byoyomi].iter().any(Option::is_some);
        let clock = timed.then(|| GameClock {
            left: left.unwrap_or_default(),
            increment: increment.unwrap_or_default(),
            byoyomi: self.byoyomi.unwrap_or_default(),
        });
        let time = match self.infinite {
            true => None,
            false => self.movetime.map(TimeControl::Exact).or(clock.map(TimeControl::Clock)),
        };
        SearchLimits {
            nodes: self.nodes.into_iter().chain((nodes > 0).then_some(nodes)).min(),
            depth: self.depth.into_iter().chain((plies > 0).then_some(plies)).min(),
            time,
            infinite: self.infinite,
        }
    }

    /// The legal moves among `searchmoves` (empty: all), and the first text that is none.
    pub fn root_moves(&self, game: &GamePath) -> (Vec<Move>, Option<&str>) {
        let legal = |text: &&String| Move::from_usi(text).filter(|&mv| game.is_legal(mv));
        let illegal = self.searchmoves.iter().find(|text| legal(text).is_none());
        (self.searchmoves.iter().filter_map(|text| legal(&text)).collect(), illegal.map(String::as_str))
    }

    fn fault(&mut self, fault: CommandError) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// Why a line was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is unknown.
    #[error("unknown command `{0}`; the line is ignored")]
    Unknown(String),
    /// A required word is missing.
    #[error("`{command}` without {what}; the line is ignored")]
    Missing {
        /// The command.
        command: &'static str,
        /// The missing word.
        what: &'static str,
    },
    /// `share` or `entries` with other words than it has.
    #[error("`{command}` cannot have `{value}`; the line is ignored; hint: the leader and the members must be the same version")]
    Share {
        /// The command.
        command: &'static str,
        /// The first wrong word.
        value: String,
    },
    /// A value is not a whole number.
    #[error("`{word}` of `go` cannot be `{value}`, and counts as 0; hint: use a whole number")]
    Number {
        /// The parameter.
        word: &'static str,
        /// Its value.
        value: String,
    },
    /// An unknown parameter of `go`.
    #[error("unknown parameter `{0}` of `go`, which is ignored; hint: limits are `btime`, `byoyomi`, `nodes` …")]
    Parameter(String),
}

/// Most engines that share a search.
const MOST_MEMBERS: usize = 1 << 16;
/// Most faults of one line that are reported.
const MOST_FAULTS: usize = 4;
/// Longest time of a clock: a year. Longer ones could overflow where times are added.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

const GO_WORDS: [&str; 13] = [
    "ponder",
    "infinite",
    "mate",
    "btime",
    "wtime",
    "binc",
    "winc",
    "byoyomi",
    "movetime",
    "depth",
    "nodes",
    "searchmoves",
    "movestogo",
];

impl Command {
    /// Reads a line; `Ok(None)` for an empty one.
    ///
    /// # Errors
    /// The line is not a command, or a parameter is missing or wrong.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(None) };
        Ok(Some(match first {
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "setoption" => set_option(rest)?,
            "usinewgame" => Command::NewGame,
            "position" => Command::Position(rest.join(" ")),
            "go" => Command::Go(go(rest)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "gameover" => Command::GameOver,
            "share" => Command::Share(share(rest)?),
            "entries" => {
                let entry = |word: &&str| {
                    word.parse().map_err(|_| CommandError::Share { command: "entries", value: excerpt(word) })
                };
                Command::Entries(rest.iter().map(entry).collect::<Result<_, _>>()?)
            }
            "quit" => Command::Quit,
            other => return Err(CommandError::Unknown(excerpt(other))),
        }))
    }
}

fn share(rest: &[&str]) -> Result<Option<ShareSettings>, CommandError> {
    let wrong = |word: &str| CommandError::Share { command: "share", value: excerpt(word) };
    let (member, depth, every, in_step) = match rest {
        ["off"] => return Ok(None),
        [member, depth, every] => (member, depth, every, false),
        [member, depth, every, "instep"] => (member, depth, every, true),
        _ => return Err(wrong(rest.first().unwrap_or(&""))),
    };
    Ok(Some(ShareSettings {
        member: member.parse().ok().filter(|&member| member < MOST_MEMBERS).ok_or_else(|| wrong(member))?,
        depth: depth.parse().ok().filter(|&depth| depth >= 0).ok_or_else(|| wrong(depth))?,
        every: every.parse().ok().filter(|&every| every > 0).ok_or_else(|| wrong(every))?,
        in_step,
    }))
}

fn set_option(rest: &[&str]) -> Result<Command, CommandError> {
    let missing = CommandError::Missing { command: "setoption", what: "`name <name>`" };
    if rest.first() != Some(&"name") {
        return Err(missing);
    }
    let value = rest.iter().position(|w| *w == "value");
    let name = rest[1..value.unwrap_or(rest.len())].join(" ");
    if name.is_empty() {
        return Err(missing);
    }
    Ok(Command::SetOption { name, value: value.map(|v| rest[v + 1..].join(" ")) })
}

/// A whole number. A negative number is 0: GUIs send a negative time after the clock has run out. One that is too long is
/// the greatest.
fn whole_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// Reads the parameters of `go`. A number that cannot be read counts as 0, so that the answer comes soon.
fn go(rest: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        let Some(&word) = GO_WORDS.iter().find(|known| **known == word) else {
            go.fault(CommandError::Parameter(excerpt(word)));
            continue;
        };
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(m) = words.next_if(|w| !GO_WORDS.contains(w)) {
                    go.searchmoves.push(m.into());
                }
            }
            "mate" if words.next_if_eq(&"infinite").is_some() => go.mate = Some(None),
            "mate" if words.peek().is_none_or(|w| GO_WORDS.contains(w)) => go.mate = Some(None),
            _ => {
                let text = words.next_if(|w| !GO_WORDS.contains(w)).unwrap_or("");
                let number = whole_number(text).unwrap_or_else(|| {
                    go.fault(CommandError::Number { word, value: excerpt(text) });
                    0
                });
                set_limit(&mut go, word, number);
            }
        }
    }
    go
}

/// Sets the limit that this word of `go` names.
fn set_limit(go: &mut Go, word: &str, number: u64) {
    let time = Duration::from_millis(number).min(LONGEST);
    match word {
        "mate" => go.mate = Some(Some(time)),
        "btime" => go.btime = Some(time),
        "wtime" => go.wtime = Some(time),
        "binc" => go.binc = Some(time),
        "winc" => go.winc = Some(time),
        "byoyomi" => go.byoyomi = Some(time),
        "movetime" => go.movetime = Some(time),
        "depth" => go.depth = Some(number.min(u32::MAX as u64) as u32),
        "nodes" => go.nodes = Some(number),
        // `movestogo` is of chess.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn simple_commands() {
        assert_eq!(Command::parse("  \t "), Ok(None));
        assert_eq!(ok("usi"), Command::Usi);
        assert_eq!(ok(" quit "), Command::Quit);
        assert_eq!(ok("gameover lose"), Command::GameOver);
        assert_eq!(Command::parse("xyzzy 1"), Err(CommandError::Unknown("xyzzy".into())));
    }

    #[test]
    fn options() {
        assert_eq!(
            ok("setoption name Backend value serial:/dev/my port"),
            Command::SetOption { name: "Backend".into(), value: Some("serial:/dev/my port".into()) }
        );
        assert_eq!(ok("setoption name Clear Hash"), Command::SetOption { name: "Clear Hash".into(), value: None });
        assert!(Command::parse("setoption").is_err());
        assert!(Command::parse("setoption name").is_err());
    }

    #[test]
    fn shared_tables() {
        let settings = ShareSettings { member: 3, depth: 5, every: 512, in_step: true };
        assert_eq!(ok("share 3 5 512 instep"), Command::Share(Some(settings)));
        assert_eq!(ok("share 3 5 512"), Command::Share(Some(ShareSettings { in_step: false, ..settings })));
        assert_eq!(ok("share off"), Command::Share(None));
        assert_eq!(ok("entries"), Command::Entries(Vec::new()));
        let Command::Entries(entries) = ok(&format!("entries {:032x} {:032x}", 5, 9_u128 << 64)) else { panic!() };
        assert_eq!(entries.iter().map(|shared| shared.key).collect::<Vec<_>>(), [0, 9]);
        for wrong in
            ["share", "share 1 2", "share 1 -1 5", "share 1 2 0", "share 99999 1 1", "share 1 2 3 4", "entries 5"]
        {
            assert!(matches!(Command::parse(wrong), Err(CommandError::Share { .. })), "{wrong}");
        }
    }

    #[test]
    fn positions() {
        for text in ["startpos", "sfen 9/9/9 b - 1 moves 7g7f 3c3d", ""] {
            assert_eq!(ok(&format!("position {text}")), Command::Position(text.into()));
        }
    }

    #[test]
    fn go_parameters() {
        let Command::Go(go) = ok("go ponder btime 1000 wtime -5 byoyomi 100 searchmoves 7g7f 2g2f depth 3") else {
            panic!()
        };
        assert!(go.ponder);
        assert_eq!(go.btime, Some(Duration::from_secs(1)));
        assert_eq!(go.wtime, Some(Duration::ZERO));
        assert_eq!(go.searchmoves, ["7g7f", "2g2f"]);
        assert_eq!(go.depth, Some(3));
        for (line, mate) in [("go mate", None), ("go mate infinite", None), ("go mate 50", Some(50))] {
            let Command::Go(go) = ok(line) else { panic!() };
            assert_eq!(go.mate, Some(mate.map(Duration::from_millis)), "{line}");
        }
    }

    /// A line that was refused left the GUI without a move.
    #[test]
    fn faults_of_go_are_reported_and_the_rest_is_obeyed() {
        let read = |line: &str| {
            let Command::Go(go) = ok(line) else { panic!() };
            go
        };
        let ms = |n| Some(Duration::from_millis(n));
        for (line, expected) in [
            ("go btime x", Go { btime: ms(0), ..Go::default() }),
            ("go btime x wtime y byoyomi 100", Go { btime: ms(0), wtime: ms(0), byoyomi: ms(100), ..Go::default() }),
            ("go byoyomi 100 fast", Go { byoyomi: ms(100), ..Go::default() }),
            ("go btime wtime 5", Go { btime: ms(0), wtime: ms(5), ..Go::default() }),
            ("go depth", Go { depth: Some(0), ..Go::default() }),
            ("go mate x", Go { mate: Some(ms(0)), ..Go::default() }),
        ] {
            let found = read(line);
            assert!(!found.faults.is_empty(), "{line}");
            assert_eq!(Go { faults: vec![], ..found }, expected, "{line}");
        }
        let long = "9".repeat(400);
        let go = read(&format!("go byoyomi {long} nodes {long} depth {long} btime -{long}"));
        assert_eq!((go.byoyomi, go.nodes, go.depth), (Some(LONGEST), Some(u64::MAX), Some(u32::MAX)));
        assert_eq!((go.btime, go.faults), (ms(0), vec![]));
        assert_eq!(read(&"go fast ".repeat(1000)).faults.len(), MOST_FAULTS);
    }

    #[test]
    fn limits_are_recognised() {
        for (line, unlimited) in [
            ("go", true),
            ("go ponder", true),
            ("go infinite nodes 5", true),
            ("go mate infinite", true),
            ("go mate 5", false),
            ("go btime x", false),
            ("go depth 3", false),
        ] {
            let Command::Go(go) = ok(line) else { panic!() };
            assert_eq!(go.is_unlimited(), unlimited, "{line}");
        }
    }
}
