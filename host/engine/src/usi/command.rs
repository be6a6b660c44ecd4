//! Reads USI commands.
//!
//! A line becomes a [`Command`] without regard to the rules of shogi: positions and moves stay text.
//! [`hayasashi_shogi::rules::PositionCommand`] reads the argument of `position`.

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
    /// A value is not a whole number.
    #[error("`{word}` of `go` cannot be `{value}`; hint: use a whole number; the line is ignored")]
    Number {
        /// The parameter.
        word: String,
        /// Its value.
        value: String,
    },
    /// An unknown parameter of `go`.
    #[error("unknown parameter `{0}` of `go`; the line is ignored")]
    Parameter(String),
}

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
            "go" => Command::Go(go(rest)?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "gameover" => Command::GameOver,
            "quit" => Command::Quit,
            other => return Err(CommandError::Unknown(other.into())),
        }))
    }
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

/// The whole number after `word`. A negative number is 0: GUIs send a negative time after the clock has run out.
fn whole_number(word: &str, value: &str) -> Result<u64, CommandError> {
    let bad = CommandError::Number { word: word.into(), value: value.into() };
    value.parse::<i64>().map(|n| n.max(0) as u64).map_err(|_| bad)
}

fn go(rest: &[&str]) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        let mut number = || whole_number(word, words.next().unwrap_or(""));
        let milliseconds = |n: u64| Some(Duration::from_millis(n));
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "btime" => go.btime = milliseconds(number()?),
            "wtime" => go.wtime = milliseconds(number()?),
            "binc" => go.binc = milliseconds(number()?),
            "winc" => go.winc = milliseconds(number()?),
            "byoyomi" => go.byoyomi = milliseconds(number()?),
            "movetime" => go.movetime = milliseconds(number()?),
            "depth" => go.depth = Some(number()?.min(u32::MAX as u64) as u32),
            "nodes" => go.nodes = Some(number()?),
            "movestogo" => {
                number()?;
            }
            "mate" => {
                let limit = words.next_if(|w| *w == "infinite" || !GO_WORDS.contains(w));
                go.mate = Some(match limit {
                    None | Some("infinite") => None,
                    Some(value) => Some(Duration::from_millis(whole_number(word, value)?)),
                });
            }
            "searchmoves" => {
                while let Some(m) = words.next_if(|w| !GO_WORDS.contains(w)) {
                    go.searchmoves.push(m.into());
                }
            }
            other => return Err(CommandError::Parameter(other.into())),
        }
    }
    Ok(go)
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
        for bad in ["go depth", "go depth x", "go fast"] {
            assert!(Command::parse(bad).is_err(), "{bad}");
        }
    }
}
