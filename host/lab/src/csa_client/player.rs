//! The engine that plays: the USI engine of this program in a thread, over a pipe.

use super::{connection::Happening, CsaError};
use hayasashi_engine::usi::{self, Options};
use hayasashi_shogi::rules::Color;
use std::{
    io::{self, BufRead, BufReader, PipeWriter, Write},
    sync::mpsc::Sender,
    thread::JoinHandle,
    time::Duration,
};

/// The engine. It ends when this is dropped.
pub(super) struct Player {
    /// `None` when it is told to end.
    to_engine: Option<PipeWriter>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// The clocks of a game as the engine is told them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clocks {
    /// Time left, Black's and White's.
    pub left: [Duration; 2],
    /// Time for each move after that.
    pub byoyomi: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// The engine's reply to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Move(String),
    Resign,
    Declare,
}

impl Reply {
    /// The reply in a line of the engine, if it has one.
    pub fn of(line: &str) -> Option<Reply> {
        let best = line.strip_prefix("bestmove ")?;
        Some(match best.split(' ').next().unwrap_or("") {
            "resign" => Reply::Resign,
            "win" => Reply::Declare,
            mv => Reply::Move(mv.into()),
        })
    }
}

impl Player {
    /// Starts the engine; its lines go to the queue.
    pub fn start(options: Options, queue: Sender<Happening>) -> Result<Player, CsaError> {
        let failed = |error: io::Error| CsaError::Engine { reason: error.to_string() };
        let (engine_input, to_engine) = io::pipe().map_err(failed)?;
        let (from_engine, engine_output) = io::pipe().map_err(failed)?;
        let thread = std::thread::spawn(move || usi::run(options, BufReader::new(engine_input), engine_output));
        std::thread::spawn(move || {
            for line in BufReader::new(from_engine).lines().map_while(Result::ok) {
                if queue.send(Happening::Engine(line)).is_err() {
                    return;
                }
            }
            let _ = queue.send(Happening::EngineClosed);
        });
        Ok(Player { to_engine: Some(to_engine), thread: Some(thread) })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), CsaError> {
        let to_engine = self.to_engine.as_mut().expect("it is open until the end");
        writeln!(to_engine, "{line}").map_err(|error| CsaError::Engine { reason: error.to_string() })
    }

    /// Asks for a move after these moves from the position of an SFEN.
    pub fn go(&mut self, sfen: &str, moves: &[String], clocks: &Clocks) -> Result<(), CsaError> {
        let ms = |time: Duration| time.as_millis();
        let [black, white] = [Color::Black, Color::White].map(|color| ms(clocks.left[color.index()]));
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position sfen {sfen}{moves}"))?;
        let per_move = match clocks.increment.is_zero() {
            true => format!("byoyomi {}", ms(clocks.byoyomi)),
            false => format!("binc {0} winc {0}", ms(clocks.increment)),
        };
        self.send(&format!("go btime {black} wtime {white} {per_move}"))
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.to_engine = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
