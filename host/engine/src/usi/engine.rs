//! The engine between commands, and the thread that searches.

use super::{
    command::{Command, Go},
    options::Options,
};
use crate::{
    mate::{self, MateOutcome, Solver},
    search::{Decision, GameClock, Path, SearchLimits, SearchReport, Searcher, Source, TimeControl},
    statistics, Control,
};
use hayasashi_accel::{open, open_with_failover, BackendSpec, FailoverEvent, OpenedBackend};
use hayasashi_model::evaluate::{default_table, EvalTable};
use hayasashi_shogi::{
    book::{Book, BookMove},
    rules::{Color, Move, PositionCommand},
};
use std::{
    hash::{BuildHasher, RandomState},
    io::{self, BufRead, Write},
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc, Mutex,
    },
    thread::JoinHandle,
};

/// Where protocol lines go; each is written at once.
#[derive(Clone)]
struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Writes a line. A GUI that has gone is noticed at the end of its input.
    fn line(&self, line: impl std::fmt::Display) {
        let mut out = self.0.lock().unwrap();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }

    /// Tells the user something that is not part of an answer.
    fn tell(&self, message: impl std::fmt::Display) {
        let message = message.to_string().replace('\n', " ");
        tracing::warn!("{message}");
        eprintln!("{message}");
        self.line(format_args!("info string {message}"));
    }
}

/// A search in its thread.
struct Running {
    control: Arc<Control>,
    thread: JoinHandle<Searcher>,
    /// The answer is out, or about to be.
    done: Arc<AtomicBool>,
    /// Ends only by `stop` or `ponderhit`.
    waits: bool,
}

struct Engine {
    options: Options,
    /// What the searcher was made with.
    made_with: Option<Options>,
    searcher: Option<Searcher>,
    /// The book, and the file that it was to be read from.
    book: Option<(PathBuf, Book)>,
    running: Option<Running>,
    game: Path,
    output: Output,
}

/// Speaks USI until `quit` or the end of the input. At the end of the input a search with limits is waited for.
pub fn run(options: Options, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Output(Arc::new(Mutex::new(output)));
    let game = Path::new(hayasashi_shogi::rules::Position::startpos());
    let mut engine = Engine { options, made_with: None, searcher: None, book: None, running: None, game, output };
    for line in input.split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        match Command::parse(&line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                engine.end_search(true);
                return Ok(());
            }
            Ok(Some(command)) => engine.obey(command),
            Err(error) => engine.output.tell(error),
        }
    }
    let waits = engine.running.as_ref().is_some_and(|r| r.waits);
    engine.end_search(waits);
    Ok(())
}

impl Engine {
    fn obey(&mut self, command: Command) {
        match command {
            Command::Usi => {
                self.output.line(format_args!("id name Hayasashi {}", env!("CARGO_PKG_VERSION")));
                self.output.line("id author the Hayasashi authors");
                self.options.lines().into_iter().for_each(|l| self.output.line(l));
                self.output.line("usiok");
            }
            Command::IsReady => {
                if self.may_change("isready") {
                    self.make_ready();
                    self.read_book();
                }
                self.output.line("readyok");
            }
            Command::SetOption { name, value } => {
                if let Err(error) = self.options.set(&name, value.as_deref()) {
                    self.output.tell(error);
                }
            }
            Command::NewGame => {
                if self.may_change("usinewgame") {
                    if let Some(searcher) = &mut self.searcher {
                        searcher.clear();
                    }
                }
            }
            Command::Position { sfen, moves } => self.set_position(sfen, &moves),
            Command::Go(go) => self.go(go),
            Command::Stop => {
                if let Some(running) = &self.running {
                    running.control.stop();
                }
            }
            Command::PonderHit => match &mut self.running {
                Some(running) => {
                    running.control.ponder_hit();
                    running.waits = false;
                }
                None => self.output.tell("`ponderhit` without a search; ignored"),
            },
            Command::GameOver => self.end_search(true),
            Command::Quit => {}
        }
    }

    /// Whether no search is running; collects one that has answered.
    fn may_change(&mut self, command: &str) -> bool {
        if self.running.as_ref().is_some_and(|r| !r.done.load(Ordering::Acquire)) {
            self.output.tell(format_args!("`{command}` during a search; it is not acted on"));
            return false;
        }
        self.end_search(false);
        true
    }

    /// Waits for the search to answer, after stopping it if asked to.
    fn end_search(&mut self, stop: bool) {
        let Some(running) = self.running.take() else { return };
        if stop {
            running.control.stop();
        }
        match running.thread.join() {
            Ok(searcher) => self.searcher = Some(searcher),
            // The panic has been reported by the thread; the next search opens the back end anew.
            Err(_) => self.made_with = None,
        }
    }

    /// Opens the back end and allocates memory, unless that was done with the same options.
    fn make_ready(&mut self) {
        let same = |made: &Options| {
            (&made.backend, made.hash_mib, &made.table, &made.move_table)
                == (&self.options.backend, self.options.hash_mib, &self.options.table, &self.options.move_table)
        };
        if self.searcher.is_some() && self.made_with.as_ref().is_some_and(same) {
            return;
        }
        // A port must be closed before it is opened again.
        self.searcher = None;
        let table = match self.options.table.as_deref().map(read_table).transpose() {
            Ok(table) => Arc::new(table.unwrap_or_else(default_table)),
            Err(error) => {
                self.output.tell(format_args!("{error}; the built-in table is used"));
                Arc::new(default_table())
            }
        };
        let out = self.output.clone();
        let notify: hayasashi_accel::FailoverListener = Arc::new(move |notice: &FailoverEvent| out.tell(notice));
        let opened = open_with_failover(&self.options.backend, notify)
            .and_then(|OpenedBackend { chip, note }| Ok((Source::open(chip, &table)?, note)));
        let (source, note) = match opened {
            Ok(ready) => ready,
            Err(error) => {
                self.output.tell(format_args!("{error}; the software model plays instead"));
                match open(&BackendSpec::Model).and_then(|o| Ok((Source::open(o.chip, &table)?, o.note))) {
                    Ok(ready) => ready,
                    Err(error) => return self.output.tell(error),
                }
            }
        };
        self.output.line(format_args!("info string back end {note}"));
        let mut searcher = Searcher::new(source, self.options.hash_mib);
        match self.options.move_table.as_deref().map(statistics::MoveTable::read).transpose() {
            Ok(table) => searcher.moves = table.map_or_else(statistics::MoveTable::built_in, Arc::new),
            Err(error) => self.output.tell(format_args!("{error}; the built-in table of moves is used")),
        }
        self.searcher = Some(searcher);
        self.made_with = Some(self.options.clone());
    }

    /// Reads the book, unless that was done before. One that cannot be read is told of once, and then like an empty one.
    fn read_book(&mut self) {
        if self.book.as_ref().map(|(file, _)| file) == self.options.book.as_ref() {
            return;
        }
        self.book = self.options.book.as_ref().map(|file| {
            let book = Book::open(file).unwrap_or_else(|error| {
                self.output.tell(format_args!("{error}; the engine plays without a book"));
                Book::default()
            });
            (file.clone(), book)
        });
        if let Some((_, book)) = self.book.as_ref().filter(|(_, book)| !book.is_empty()) {
            self.output.line(format_args!("info string book of {} positions", book.len()));
        }
    }

    /// The book's move here, and the answer to expect.
    fn book_move(&mut self, go: &Go, only: &[Move]) -> Option<(BookMove, Option<Move>)> {
        let asked = self.options.own_book && !go.infinite && go.mate.is_none();
        if !asked || self.game.ply() > self.options.book_moves {
            return None;
        }
        self.read_book();
        let (_, book) = self.book.as_ref()?;
        let random = self.options.book_random.then(|| RandomState::new().hash_one(self.game.key()));
        let chosen = book.choose(self.game.position(), only, random)?;
        Some((chosen, book.reply(self.game.position(), &chosen)))
    }

    fn set_position(&mut self, sfen: Option<String>, moves: &[String]) {
        let start = sfen.map_or("startpos".into(), |s| format!("sfen {s}"));
        let text = if moves.is_empty() { start } else { format!("{start} moves {}", moves.join(" ")) };
        match PositionCommand::parse(&text) {
            Ok(command) => {
                self.game = Path::new(command.start);
                command.moves.into_iter().for_each(|mv| self.game.do_move(mv));
            }
            Err(error) => self.output.tell(format_args!("{error}; the position before is kept")),
        }
    }

    fn go(&mut self, go: Go) {
        if !self.may_change("go") {
            return;
        }
        let only = match self.moves(&go.searchmoves) {
            Ok(only) => only,
            Err(bad) => {
                return self.output.tell(format_args!("searchmoves: `{bad}` is not legal here; `go` is ignored"))
            }
        };
        let booked = self.book_move(&go, &only);
        self.make_ready();
        let Some(mut searcher) = self.searcher.take() else {
            self.output.line("bestmove resign");
            return;
        };
        self.options.configure(&mut searcher);
        let resign = self.options.resign;
        let control = Arc::new(Control::new(go.ponder));
        let done = Arc::new(AtomicBool::new(false));
        let waits = go.infinite || go.ponder;
        let (game, output) = (self.game.clone(), self.output.clone());
        let hash_mib = self.options.hash_mib;
        let (for_thread, done_there) = (control.clone(), done.clone());
        let job = move || {
            let line = match (go.mate, booked) {
                (Some(time), _) => {
                    let limits = mate::MateLimits { time, ..mate::MateLimits::default() };
                    find_mate(&game, &limits, hash_mib, &for_thread, &output)
                }
                (None, booked) => {
                    let limits = limits(&go, game.side_to_move());
                    let answer = match booked {
                        Some((chosen, reply)) => play_from_book(&chosen, reply, &output),
                        None => think(&mut searcher, &game, &limits, &only, resign, &for_thread, &output),
                    };
                    // An answer before `stop` or `ponderhit` would be taken for the one to another question.
                    for_thread.hold(go.infinite);
                    answer
                }
            };
            done_there.store(true, Ordering::Release);
            output.line(line);
            searcher
        };
        match std::thread::Builder::new().name("search".into()).stack_size(64 << 20).spawn(job) {
            Ok(thread) => self.running = Some(Running { control, thread, done, waits }),
            Err(error) => {
                self.made_with = None;
                self.output.tell(format_args!("no thread to search in: {error}"));
                self.output.line("bestmove resign");
            }
        }
    }

    /// Moves given as text, or the first that is not legal.
    fn moves<'a>(&self, texts: &'a [String]) -> Result<Vec<Move>, &'a str> {
        let legal = |text: &'a String| Move::from_usi(text).filter(|&m| self.game.is_legal(m)).ok_or(text.as_str());
        texts.iter().map(legal).collect()
    }
}

fn read_table(file: &std::path::Path) -> Result<EvalTable, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("cannot read the table `{}`: {e}", file.display()))?;
    EvalTable::from_bytes(&bytes).map_err(|e| format!("`{}`: {e}", file.display()))
}

/// The limits that `go` sets for the side to move.
fn limits(go: &Go, side: Color) -> SearchLimits {
    let (left, increment) = match side {
        Color::Black => (go.btime, go.binc),
        Color::White => (go.wtime, go.winc),
    };
    let timed = [left, increment, go.byoyomi].iter().any(|t| t.is_some());
    let clock = timed.then(|| GameClock {
        left: left.unwrap_or_default(),
        increment: increment.unwrap_or_default(),
        byoyomi: go.byoyomi.unwrap_or_default(),
    });
    let time = match go.infinite {
        true => None,
        false => go.movetime.map(TimeControl::Exact).or(clock.map(TimeControl::Clock)),
    };
    SearchLimits { nodes: go.nodes, depth: go.depth, time, infinite: go.infinite }
}

/// Tells of the book's move and gives the `bestmove` line.
fn play_from_book(chosen: &BookMove, reply: Option<Move>, output: &Output) -> String {
    let BookMove { mv, score, depth, count, .. } = chosen;
    output.line(format_args!("info string book move {mv}, played {count} times"));
    let line: String = std::iter::once(*mv).chain(reply).map(|m| format!(" {m}")).collect();
    output.line(format_args!("info depth {depth} multipv 1 score cp {score} nodes 0 time 0 pv{line}"));
    best_move(*mv, reply)
}

fn best_move(best: Move, reply: Option<Move>) -> String {
    match reply {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

/// Searches and gives the `bestmove` line. A score of minus `resign` resigns, but not an analysis.
fn think(
    searcher: &mut Searcher,
    game: &Path,
    limits: &SearchLimits,
    only: &[Move],
    resign: i32,
    control: &Control,
    output: &Output,
) -> String {
    let mut told = None;
    let mut tell = |report: &SearchReport| {
        told = Some((report.nodes, report.line));
        output.line(info_line(report));
    };
    let outcome = searcher.search(game, limits, only, control, &mut tell);
    if outcome.decision != Decision::Declare && told != Some((outcome.report.nodes, 1)) {
        output.line(info_line(&outcome.report));
    }
    if let Some(failure) = outcome.failure {
        output.tell(failure);
    }
    match outcome.decision {
        Decision::Move(..) if !limits.infinite && outcome.report.depth > 0 && outcome.report.score <= -resign => {
            output.line(format_args!("info string resigns at {}", outcome.report.told()));
            "bestmove resign".into()
        }
        Decision::Move(best, reply) => best_move(best, reply),
        Decision::Declare => "bestmove win".into(),
        Decision::Resign => "bestmove resign".into(),
    }
}

fn info_line(report: &SearchReport) -> String {
    let pv: String = report.pv.iter().map(|m| format!(" {m}")).collect();
    format!(
        "info depth {} seldepth {} multipv {} score {} nodes {} nps {} time {} hashfull {}{}{pv}",
        report.depth,
        report.selective_depth,
        report.line,
        report.told(),
        report.nodes,
        report.nodes_per_second(),
        report.elapsed.as_millis(),
        report.hash_permille,
        if pv.is_empty() { "" } else { " pv" },
    )
}

/// Looks for a mate and gives the `checkmate` line.
fn find_mate(game: &Path, limits: &mate::MateLimits, hash_mib: usize, control: &Control, output: &Output) -> String {
    let answer = Solver::new(hash_mib).solve(game.position(), limits, control);
    output.line(format_args!(
        "info nodes {} nps {} time {} hashfull {}",
        answer.nodes,
        (answer.nodes as f64 / control.elapsed().as_secs_f64().max(1e-6)) as u64,
        control.elapsed().as_millis(),
        answer.hash_permille
    ));
    match answer.outcome {
        MateOutcome::Mate(mate) => {
            let moves: String = mate.line.iter().map(|m| format!(" {m}")).collect();
            format!("checkmate{moves}")
        }
        MateOutcome::NoMate => "checkmate nomate".into(),
        MateOutcome::Unknown => "checkmate timeout".into(),
        MateOutcome::Flawed(flaw) => {
            output.tell(flaw);
            "checkmate timeout".into()
        }
    }
}
