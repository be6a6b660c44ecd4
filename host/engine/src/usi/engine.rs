//! The state of the engine between commands, and the search thread.

use super::{
    command::{Command, Go},
    info::Output,
    options::Options,
    thinking::Thinking,
};
use crate::{
    search::{GamePath, MoveSource, Searcher},
    statistics::MoveTable,
    Control,
};
use hayasashi_accel::{open_with_failover, FailoverEvent, ModelBackend, OpenedBackend};
use hayasashi_model::evaluate::{default_table, EvalTable};
use hayasashi_shogi::{
    book::{Book, BookMove},
    rules::{Move, Position, PositionCommand},
};
use std::{
    hash::{BuildHasher, RandomState},
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc, Mutex,
    },
    thread::JoinHandle,
};

/// A search in its thread.
struct RunningSearch {
    control: Arc<Control>,
    thread: JoinHandle<Option<Searcher>>,
    /// The reply has been written, or is about to be.
    done: Arc<AtomicBool>,
    /// Ends only by `stop` or `ponderhit`.
    until_stopped: bool,
}

struct Engine {
    options: Options,
    /// The options that the searcher was made with.
    searcher_options: Option<Options>,
    searcher: Option<Searcher>,
    /// The book with its file; empty if the file cannot be read.
    book: Option<(PathBuf, Book)>,
    running: Option<RunningSearch>,
    game: GamePath,
    output: Output,
}

/// Obeys USI commands until `quit` or the end of the input. At the end of the input, a search with limits is completed.
///
/// # Errors
/// The input cannot be read.
pub fn run(options: Options, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Output(Arc::new(Mutex::new(output)));
    let game = GamePath::new(Position::startpos());
    let mut engine =
        Engine { options, searcher_options: None, searcher: None, book: None, running: None, game, output };
    for line in input.split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        match Command::parse(&line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                engine.end_search(true);
                return Ok(());
            }
            Ok(Some(command)) => engine.execute(command),
            Err(error) => engine.output.warn(error),
        }
    }
    let until_stopped = engine.running.as_ref().is_some_and(|r| r.until_stopped);
    engine.end_search(until_stopped);
    Ok(())
}

impl Engine {
    fn execute(&mut self, command: Command) {
        match command {
            Command::Usi => {
                self.output.line(format_args!("id name Hayasashi {}", env!("CARGO_PKG_VERSION")));
                self.output.line("id author the Hayasashi authors");
                self.options.lines().into_iter().for_each(|l| self.output.line(l));
                self.output.line("usiok");
            }
            Command::IsReady => {
                if self.is_idle("isready") {
                    self.make_ready();
                    self.read_book();
                }
                self.output.line("readyok");
            }
            Command::SetOption { name, value } => {
                if let Err(error) = self.options.set(&name, value.as_deref()) {
                    self.output.warn(error);
                }
            }
            Command::NewGame => {
                if self.is_idle("usinewgame") {
                    if let Some(searcher) = &mut self.searcher {
                        searcher.clear();
                    }
                }
            }
            Command::Position(text) => self.set_position(&text),
            Command::Go(go) => self.go(go),
            Command::Stop => {
                if let Some(running) = &self.running {
                    running.control.stop();
                }
            }
            Command::PonderHit => match &mut self.running {
                Some(running) => {
                    running.control.ponder_hit();
                    running.until_stopped = false;
                }
                None => self.output.warn("no search is running; `ponderhit` is ignored"),
            },
            Command::GameOver => self.end_search(true),
            Command::Quit => {}
        }
    }

    /// Whether no search is running; takes the searcher back from one that has replied.
    fn is_idle(&mut self, command: &str) -> bool {
        if self.running.as_ref().is_some_and(|r| !r.done.load(Ordering::Acquire)) {
            self.output.warn(format_args!("a search is running; `{command}` is ignored; hint: send `stop` first"));
            return false;
        }
        self.end_search(false);
        true
    }

    /// Waits for the search to reply, and stops it first if `stop` is set.
    fn end_search(&mut self, stop: bool) {
        let Some(running) = self.running.take() else { return };
        if stop {
            running.control.stop();
        }
        match running.thread.join() {
            Ok(Some(searcher)) => self.searcher = Some(searcher),
            // The search has panicked and closed the back end; the next one opens it again.
            Ok(None) | Err(_) => self.searcher_options = None,
        }
    }

    /// Opens the back end and allocates memory, unless the searcher was made with the same options.
    fn make_ready(&mut self) {
        let same = |made: &Options| {
            (&made.backend, made.hash_mib, &made.table, &made.move_table)
                == (&self.options.backend, self.options.hash_mib, &self.options.table, &self.options.move_table)
        };
        if self.searcher.is_some() && self.searcher_options.as_ref().is_some_and(same) {
            return;
        }
        // A port must be closed before it is opened again.
        self.searcher = None;
        self.searcher = Some(self.new_searcher());
        self.searcher_options = Some(self.options.clone());
    }

    /// A searcher with these options, on the software model if the back end cannot be used.
    fn new_searcher(&self) -> Searcher {
        let table = match self.options.table.as_deref().map(read_table).transpose() {
            Ok(table) => Arc::new(table.unwrap_or_else(default_table)),
            Err(error) => {
                self.output.warn(format_args!("{error}; the engine uses the built-in table"));
                Arc::new(default_table())
            }
        };
        let out = self.output.clone();
        let notify: hayasashi_accel::FailoverListener = Arc::new(move |notice: &FailoverEvent| out.warn(notice));
        let opened = open_with_failover(&self.options.backend, notify)
            .and_then(|OpenedBackend { chip, note }| Ok((MoveSource::open(chip, &table)?, note)));
        let (source, note) = opened.unwrap_or_else(|error| {
            self.output.warn(format_args!("{error}; the engine uses the software model"));
            let source = MoveSource::direct(Arc::new(ModelBackend::new()), table.clone());
            (source, "model: the software model".into())
        });
        self.output.info(format_args!("back end {note}"));
        let mut searcher = Searcher::new(source, self.options.hash_mib);
        match self.options.move_table.as_deref().map(MoveTable::read).transpose() {
            Ok(table) => searcher.moves = table.map_or_else(MoveTable::built_in, Arc::new),
            Err(error) => self.output.warn(format_args!("{error}; the engine uses the built-in move table")),
        }
        searcher
    }

    /// Reads the book, unless that was done before. A book that cannot be read is reported once and counts as empty.
    fn read_book(&mut self) {
        if self.book.as_ref().map(|(file, _)| file) == self.options.book.as_ref() {
            return;
        }
        self.book = self.options.book.as_ref().map(|file| {
            let book = Book::open(file).unwrap_or_else(|error| {
                self.output.warn(format_args!("{error}; the engine plays without a book"));
                Book::default()
            });
            (file.clone(), book)
        });
        if let Some((_, book)) = self.book.as_ref().filter(|(_, book)| !book.is_empty()) {
            let positions = if book.len() == 1 { "position" } else { "positions" };
            self.output.info(format_args!("book of {} {positions}", book.len()));
        }
    }

    /// The move of the book in this position, with the expected reply.
    fn book_move(&mut self, go: &Go, root_moves: &[Move]) -> Option<(BookMove, Option<Move>)> {
        let use_book = self.options.own_book && !go.infinite && go.mate.is_none();
        if !use_book || self.game.ply() > self.options.book_moves {
            return None;
        }
        self.read_book();
        let (_, book) = self.book.as_ref()?;
        let random = self.options.book_random.then(|| RandomState::new().hash_one(self.game.key()));
        let chosen = book.choose(self.game.position(), root_moves, random)?;
        Some((chosen, book.reply(self.game.position(), &chosen)))
    }

    fn set_position(&mut self, text: &str) {
        match PositionCommand::parse(text) {
            Ok(command) => self.game = command.into(),
            Err(error) => self.output.warn(format_args!("{error}; the position is unchanged")),
        }
    }

    fn go(&mut self, go: Go) {
        if !self.is_idle("go") {
            return;
        }
        // Time that the back end takes to open is the mover's.
        let control = Arc::new(Control::new(go.ponder));
        let root_moves = match self.legal_moves(&go.searchmoves) {
            Ok(moves) => moves,
            Err(illegal) => {
                let sfen = self.game.to_sfen();
                return self
                    .output
                    .warn(format_args!("`searchmoves`: `{illegal}` is not a legal move in {sfen}; `go` is ignored"));
            }
        };
        let book_move = self.book_move(&go, &root_moves);
        self.make_ready();
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.new_searcher());
        searcher.settings = self.options.search.clone();
        let done = Arc::new(AtomicBool::new(false));
        let until_stopped = go.infinite || go.ponder;
        let thinking = Thinking {
            go,
            game: self.game.clone(),
            root_moves,
            book_move,
            hash_mib: self.options.hash_mib,
            resign: self.options.resign,
            control: control.clone(),
            output: self.output.clone(),
        };
        let thread_done = done.clone();
        let think = move || {
            let (line, searcher) = thinking.run(searcher);
            thread_done.store(true, Ordering::Release);
            thinking.output.line(line);
            searcher
        };
        match std::thread::Builder::new().name("search".into()).stack_size(64 << 20).spawn(think) {
            Ok(thread) => self.running = Some(RunningSearch { control, thread, done, until_stopped }),
            Err(error) => {
                self.searcher_options = None;
                self.output.warn(format_args!("cannot start a search thread: {error}"));
                self.output.line("bestmove resign");
            }
        }
    }

    /// The moves of these texts, or the first text that is not a legal move.
    fn legal_moves<'a>(&self, texts: &'a [String]) -> Result<Vec<Move>, &'a str> {
        let legal = |text: &'a String| Move::from_usi(text).filter(|&m| self.game.is_legal(m)).ok_or(text.as_str());
        texts.iter().map(legal).collect()
    }
}

fn read_table(file: &Path) -> Result<EvalTable, String> {
    let bytes =
        std::fs::read(file).map_err(|e| format!("cannot read the evaluation table `{}`: {e}", file.display()))?;
    EvalTable::from_bytes(&bytes).map_err(|e| format!("`{}`: {e}", file.display()))
}
