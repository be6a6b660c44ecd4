//! The state of the engine between commands, and the search thread.

use super::{
    command::{Command, Go},
    info::Output,
    options::Options,
    thinking::Thinking,
};
use crate::{
    search::{
        sharing::{ShareSettings, SharedEntry, Sharing},
        GamePath, MoveSource, Searcher,
    },
    statistics::MoveTable,
    Control,
};
use hayasashi_accel::{monitor::open_monitored, FailoverEvent, ModelBackend, OpenedBackend};
use hayasashi_model::evaluate::Evaluation;
use hayasashi_shogi::{
    book::{Book, BookMove},
    rules::{Move, Position, PositionCommand},
    text::excerpt,
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
    /// Returns the searcher, unless it had none or has panicked; the next search then opens the back end again.
    thread: JoinHandle<Option<Searcher>>,
    /// The reply has been written, or is about to be.
    done: Arc<AtomicBool>,
    /// Whether it waits for `ponderhit`.
    pondering: bool,
    /// Whether only `stop` ends it.
    unlimited: bool,
}

struct Engine {
    options: Options,
    /// The options that the searcher was made with.
    searcher_options: Option<Options>,
    searcher: Option<Searcher>,
    /// The book with its file; empty if the file cannot be read.
    book: Option<(PathBuf, Book)>,
    running: Option<RunningSearch>,
    /// How the next searches are shared with other engines.
    share: Option<ShareSettings>,
    /// The game so far; `None` if the last `position` was refused, because the position of the GUI is then unknown.
    game: Option<GamePath>,
    output: Output,
}

/// Obeys USI commands until `quit` or the end of the input. At the end of the input, a search with limits is completed.
///
/// # Errors
/// The input cannot be read.
pub fn run(options: Options, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Output(Arc::new(Mutex::new(output)));
    let game = Some(GamePath::new(Position::startpos()));
    let mut engine = Engine {
        options,
        searcher_options: None,
        searcher: None,
        book: None,
        running: None,
        share: None,
        game,
        output,
    };
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
    let endless = engine.running.as_ref().is_some_and(|r| r.pondering || r.unlimited);
    engine.end_search(endless);
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
            Command::PonderHit => {
                if let Some(running) = &mut self.running {
                    running.control.ponder_hit();
                    running.pondering = false;
                }
            }
            Command::GameOver => self.end_search(true),
            Command::Share(share) => self.share = share,
            Command::Entries(entries) => {
                let sharing = self.running.as_ref().and_then(|running| running.control.sharing());
                sharing.into_iter().for_each(|sharing| sharing.receive(&entries));
            }
            Command::Quit => {}
        }
    }

    /// Whether no search is running; takes the searcher back from one that has replied or was stopped.
    fn is_idle(&mut self, command: &str) -> bool {
        let ends = |r: &RunningSearch| r.done.load(Ordering::Acquire) || r.control.is_stopped();
        if self.running.as_ref().is_some_and(|r| !ends(r)) {
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
        if let Ok(Some(searcher)) = running.thread.join() {
            self.searcher = Some(searcher);
        }
    }

    /// Opens the back end and allocates memory, unless the searcher was made with the same options.
    fn make_ready(&mut self) {
        let same = |made: &Options| {
            let of =
                |o: &Options| (o.backend.clone(), o.hash_mib, o.table.clone(), o.move_table.clone(), o.monitor.clone());
            of(made) == of(&self.options)
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
        let read = self.options.table.as_deref().map(read_evaluation).transpose();
        let refused = |error: String| {
            self.output.warn(format_args!("{error}; the engine uses the built-in network"));
            Evaluation::default()
        };
        let evaluation = read.map_or_else(refused, Option::unwrap_or_default);
        let out = self.output.clone();
        let notify: hayasashi_accel::FailoverListener = Arc::new(move |notice: &FailoverEvent| out.warn(notice));
        let mut monitor = self.options.monitor.clone();
        if let Err(error) = monitor.create_journal() {
            self.output.warn(format_args!("{error}; the engine writes no journal"));
            monitor.journal = None;
        }
        let opened = open_monitored(&self.options.backend, notify, &monitor)
            .and_then(|OpenedBackend { chip, note }| Ok((MoveSource::open(chip, evaluation.clone())?, note)));
        let (source, note) = opened.unwrap_or_else(|error| {
            self.output.warn(format_args!("{error}; the engine uses the software model"));
            let source = MoveSource::direct(Arc::new(ModelBackend::new()), evaluation.clone());
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
    fn book_move(&mut self, go: &Go, game: &GamePath, root_moves: &[Move]) -> Option<(BookMove, Option<Move>)> {
        let use_book = self.options.own_book && !go.infinite && go.mate.is_none();
        if !use_book || game.ply() > self.options.book_moves {
            return None;
        }
        self.read_book();
        let (_, book) = self.book.as_ref()?;
        let random = self.options.book_random.then(|| RandomState::new().hash_one(game.key()));
        let chosen = book.choose(game.position(), root_moves, random)?;
        Some((chosen, book.reply(game.position(), &chosen)))
    }

    fn set_position(&mut self, text: &str) {
        match PositionCommand::parse(text) {
            Ok(command) => self.game = Some(command.into()),
            Err(error) => {
                self.game = None;
                self.output.warn(format_args!("{error}; `position` is refused, and `go` will resign"));
            }
        }
    }

    /// Answers with exactly one `bestmove` or `checkmate`, whatever the line says. A search that is running is stopped, and
    /// answers first.
    fn go(&mut self, go: Go) {
        // Time that the back end takes to open, or a search before to end, is the mover's.
        let control = Arc::new(self.control(&go));
        self.end_search(true);
        go.faults.iter().for_each(|fault| self.output.warn(fault));
        let Some(game) = self.game.clone() else { return self.resign(go, control) };
        let (root_moves, illegal) = go.root_moves(&game);
        if let Some(illegal) = illegal {
            let (illegal, sfen) = (excerpt(illegal), game.to_sfen());
            self.output.warn(format_args!("`searchmoves`: `{illegal}` is not a legal move in {sfen}, and is left out"));
        }
        let book_move = self.book_move(&go, &game, &root_moves);
        self.make_ready();
        let mut searcher = self.searcher.take().unwrap_or_else(|| self.new_searcher());
        searcher.settings = self.options.search.clone();
        let thinking = Thinking {
            go: go.clone(),
            game,
            root_moves,
            book_move,
            hash_mib: self.options.hash_mib,
            most: (self.options.depth_limit, self.options.nodes_limit),
            resign: self.options.resign,
            control: control.clone(),
            output: self.output.clone(),
        };
        self.start(&go, control, move || thinking.run(searcher));
    }

    /// The control of the next search.
    fn control(&self, go: &Go) -> Control {
        let control = Control::new(go.ponder);
        let Some(settings) = self.share.filter(|_| go.mate.is_none()) else { return control };
        let output = self.output.clone();
        let send = move |entries: &[SharedEntry]| {
            let entries: String = entries.iter().map(|shared| format!(" {shared}")).collect();
            output.line(format_args!("entries{entries}"));
        };
        control.shared(Sharing::new(settings, Box::new(send)))
    }

    /// Answers `go` where no move can be known.
    fn resign(&mut self, go: Go, control: Arc<Control>) {
        let waiting = control.clone();
        let (infinite, is_mate) = (go.infinite, go.mate.is_some());
        self.start(&go, control, move || match is_mate {
            true => ("checkmate timeout".into(), None),
            false => {
                waiting.hold(infinite);
                ("bestmove resign".into(), None)
            }
        });
    }

    /// Runs this work in the search thread, then writes the line that it returns.
    fn start(
        &mut self,
        go: &Go,
        control: Arc<Control>,
        work: impl FnOnce() -> (String, Option<Searcher>) + Send + 'static,
    ) {
        let done = Arc::new(AtomicBool::new(false));
        let (thread_done, output) = (done.clone(), self.output.clone());
        let think = move || {
            let (line, searcher) = work();
            thread_done.store(true, Ordering::Release);
            output.line(line);
            searcher
        };
        match std::thread::Builder::new().name("search".into()).stack_size(64 << 20).spawn(think) {
            Ok(thread) => {
                let (pondering, unlimited) = (go.ponder, go.is_unlimited());
                self.running = Some(RunningSearch { control, thread, done, pondering, unlimited });
            }
            Err(error) => {
                self.output.warn(format_args!("cannot start a search thread: {error}"));
                self.output.line(if go.mate.is_some() { "checkmate timeout" } else { "bestmove resign" });
            }
        }
    }
}

fn read_evaluation(file: &Path) -> Result<Evaluation, String> {
    let bytes =
        std::fs::read(file).map_err(|e| format!("cannot read the evaluation table `{}`: {e}", file.display()))?;
    Evaluation::from_bytes(&bytes).map_err(|e| format!("`{}`: {e}", file.display()))
}
