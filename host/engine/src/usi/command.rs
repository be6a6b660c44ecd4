//! Reading USI commands.
//!
//! A line is read into a [`Command`] without looking at the rules of shogi: positions and moves stay text here.

use std::time::Duration;
use thiserror::Error;

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `usi`: name the engine and its options.
    Usi,
    /// `isready`: connect to the back end, allocate memory, answer `readyok`.
    IsReady,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The option's name.
        name: String,
        /// Its value; `None` where there is none (buttons).
        value: Option<String>,
    },
    /// `usinewgame`.
    NewGame,
    /// `position (startpos | sfen <sfen>) [moves <move> …]`.
    Position {
        /// The SFEN; `None` for the start position.
        sfen: Option<String>,
        /// Moves in USI notation.
        moves: Vec<String>,
    },
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

/// The parameters of `go`. Times are as the GUI gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search the position after the expected answer; the clock starts with `ponderhit`.
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

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is unknown.
    #[error("unknown command `{0}`; ignored")]
    Unknown(String),
    /// A word that must follow is missing.
    #[error("`{command}` without {what}; ignored")]
    Missing {
        /// The command.
        command: &'static str,
        /// What should follow.
        what: &'static str,
    },
    /// A value is no number.
    #[error("`{word}` of `go` has the value `{value}`: expected a whole number")]
    Number {
        /// The parameter.
        word: String,
        /// Its value.
        value: String,
    },
    /// A word of `position` or `go` that does not belong there.
    #[error("unexpected word `{word}` in `{command}`; the command is ignored")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
    },
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
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Ok(None) };
        Ok(Some(match first {
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "setoption" => set_option(rest)?,
            "usinewgame" => Command::NewGame,
            "position" => position(rest)?,
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

fn position(rest: &[&str]) -> Result<Command, CommandError> {
    let moves_at = rest.iter().position(|w| *w == "moves");
    let moves = moves_at.map_or(Vec::new(), |m| rest[m + 1..].iter().map(|w| w.to_string()).collect());
    match &rest[..moves_at.unwrap_or(rest.len())] {
        ["startpos"] => Ok(Command::Position { sfen: None, moves }),
        ["sfen", fields @ ..] if !fields.is_empty() => Ok(Command::Position { sfen: Some(fields.join(" ")), moves }),
        [] | ["sfen"] => Err(CommandError::Missing { command: "position", what: "`startpos` or `sfen <sfen>`" }),
        ["startpos", word, ..] | [word, ..] => {
            Err(CommandError::Unexpected { command: "position", word: word.to_string() })
        }
    }
}

/// The whole number that follows `word`; GUIs send a negative time when the clock has been overrun.
fn number(word: &str, value: &str) -> Result<u64, CommandError> {
    let bad = CommandError::Number { word: word.into(), value: value.into() };
    value.parse::<i64>().map(|n| n.max(0) as u64).map_err(|_| bad)
}

fn go(rest: &[&str]) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        let mut number = || self::number(word, words.next().unwrap_or(""));
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
                    Some(value) => Some(Duration::from_millis(self::number(word, value)?)),
                });
            }
            "searchmoves" => {
                while let Some(m) = words.next_if(|w| !GO_WORDS.contains(w)) {
                    go.searchmoves.push(m.into());
                }
            }
            other => return Err(CommandError::Unexpected { command: "go", word: other.into() }),
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
        assert_eq!(ok("position startpos"), Command::Position { sfen: None, moves: vec![] });
        assert_eq!(
            ok("position sfen 9/9/9 b - 1 moves 7g7f 3c3d"),
            Command::Position { sfen: Some("9/9/9 b - 1".into()), moves: vec!["7g7f".into(), "3c3d".into()] }
        );
        for bad in ["position", "position sfen", "position startpos 7g7f", "position foo"] {
            assert!(Command::parse(bad).is_err(), "{bad}");
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
