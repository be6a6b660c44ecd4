//! The leader: one USI engine for the GUI, and the commander of the members.

use super::{
    entries::{share_command, ENTRIES},
    job::Found,
    running::{Known, Running, Seat},
    strategy::{self, Best, Method, Question, Sizes},
    team::{Event, Member, State, Team},
};
use hayasashi_engine::{
    search::{
        score::MATE,
        time::{Budget, SearchStability},
        GamePath,
    },
    usi::{
        command::{Command, Go},
        Options,
    },
};
use hayasashi_shogi::{
    rules::{Declaration, MoveList, Position, PositionCommand},
    text::{excerpt, one_line},
};
use std::{
    io::Write,
    time::{Duration, Instant},
};

/// Time for a member to start and to allocate its memory.
const READY_TIME: Duration = Duration::from_secs(60);
/// Time from `stop` to the move of a member; it is taken from the time for the move. A member that needs longer is silent.
pub(super) const STOP_TIME: Duration = Duration::from_millis(100);
/// A member that has nothing to say for this long, and for three times the longest search so far, while others have nothing to do, is
/// silent.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// How a cluster works.
#[derive(Clone, Debug)]
pub struct LeaderSettings {
    /// How members share a search.
    pub method: Method,
    /// The sizes of their searches.
    pub sizes: Sizes,
    /// Options of single members, by number from 0, or of all: name and value.
    pub options: Vec<(Option<usize>, String, String)>,
    /// Simulate members that search at the same speed and at the same time: a search takes as many units of time as it has nodes, and these
    /// many more for its messages. `go nodes N` then is the time of a move.
    pub simulated: Option<u64>,
}

/// The engine that the GUI sees.
pub struct Leader<W> {
    pub(super) team: Team,
    pub(super) settings: LeaderSettings,
    pub(super) output: W,
    pub(super) options: Options,
    /// `None` if the last `position` was refused.
    pub(super) game: Option<GamePath>,
    /// The arguments of the last `position` that was not refused.
    position: String,
    pub(super) search: Option<Running>,
}

impl<W: Write> Leader<W> {
    /// A leader of these members, with the values of the engine's options.
    pub fn new(team: Team, settings: LeaderSettings, options: Options, output: W) -> Leader<W> {
        let game = Some(GamePath::new(Position::startpos()));
        Leader { team, settings, output, options, game, position: "startpos".into(), search: None }
    }

    /// Obeys the GUI until `quit` or the end of its input, and then ends the members. At the end of the input a search with limits
    /// is completed. Returns whether all members were there to the end.
    pub fn run(mut self) -> bool {
        self.obey();
        !self.team.members.iter().any(Member::is_absent)
    }

    fn obey(&mut self) {
        self.greet();
        let mut ending = false;
        loop {
            if ending && self.search.as_ref().is_none_or(|search| search.infinite || search.pondering) {
                return;
            }
            match self.team.next(self.patience()) {
                Some(Event::Gui(None)) => ending = true,
                Some(Event::Gui(Some(line))) => match Command::parse(&line) {
                    Ok(None) => {}
                    Ok(Some(Command::Quit)) => return,
                    Ok(Some(command)) => self.execute(command, &line),
                    Err(error) => self.warn(&error.to_string()),
                },
                Some(Event::Line(member, line)) => self.hear(member, &line),
                Some(Event::Ended(member)) => self.lose(member, State::Lost),
                None => {}
            }
            self.advance();
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        // A GUI that has ended also ends the input.
        let _ = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
    }

    pub(super) fn warn(&mut self, message: &str) {
        let message = one_line(message);
        eprintln!("{message}");
        self.line(&format!("info string {message}"));
    }

    /// Starts the members.
    fn greet(&mut self) {
        let own = format!("id name Hayasashi {}", env!("CARGO_PKG_VERSION"));
        self.team.ask("usi", "usiok", READY_TIME, |member, _, line| member.is_own |= line == own);
        let method = strategy::options(self.settings.method, &self.settings.sizes);
        let method = method.into_iter().map(|(name, value)| (None, name.to_string(), value));
        let own = (0..self.team.members.len()).filter(|&at| self.team.members[at].is_own);
        let seeds: Vec<_> = own.map(|at| (Some(at), "EvalNoiseSeed".to_string(), at.to_string())).collect();
        for (member, name, value) in method.chain(seeds).chain(self.settings.options.clone()) {
            let line = format!("setoption name {name} value {value}");
            match member {
                None => self.team.tell(&line),
                Some(member) => self.team.members[member].send(&line),
            }
        }
        if self.settings.method == Method::Shared {
            for (at, member) in self.team.members.iter_mut().enumerate().filter(|(_, member)| member.is_own) {
                member.send(&share_command(at, self.settings.simulated.is_some()));
            }
        }
        self.report_absent();
    }

    fn report_absent(&mut self) {
        for at in 0..self.team.members.len() {
            let member = &self.team.members[at];
            if member.is_absent() {
                self.warn(&format!("member {} {}", at + 1, member.state));
            }
        }
    }

    fn execute(&mut self, command: Command, line: &str) {
        match command {
            Command::Usi => {
                self.line(&format!("id name Hayasashi {} cluster", env!("CARGO_PKG_VERSION")));
                self.line("id author the Hayasashi authors");
                self.options.lines().into_iter().for_each(|option| self.line(&option));
                self.line("usiok");
            }
            Command::IsReady => {
                self.end_now();
                let mut notes = Vec::new();
                self.team.ask("isready", "readyok", READY_TIME, |_, at, line| notes.extend(note(at, line)));
                notes.iter().for_each(|note| self.line(note));
                self.report_absent();
                self.line("readyok");
            }
            Command::SetOption { name, value } => {
                let reads_all = self.team.members.iter().all(|member| member.is_own);
                match self.options.set(&name, value.as_deref()) {
                    Err(error) if reads_all => self.warn(&error.to_string()),
                    // The lines of a search are the strategy's.
                    _ if name == "MultiPV" => {}
                    _ => self.team.tell(line.trim()),
                }
            }
            Command::NewGame | Command::GameOver => {
                self.end_now();
                self.team.tell(line.trim());
            }
            Command::Position(text) => match PositionCommand::parse(&text) {
                Ok(command) => (self.game, self.position) = (Some(command.into()), text),
                Err(error) => {
                    self.game = None;
                    self.warn(&format!("{error}; `position` is refused, and `go` will resign"));
                }
            },
            Command::Go(go) => self.go(&go),
            Command::Stop => {
                if let Some(search) = &mut self.search {
                    search.released = true;
                    self.stop();
                }
            }
            Command::PonderHit => {
                if let Some(search) = &mut self.search {
                    search.pondering = false;
                    search.clock = Some(Instant::now());
                }
            }
            Command::Share(_) | Command::Entries(_) => {
                self.warn("`share` and `entries` are for members; the line is ignored");
            }
            Command::Quit => {}
        }
    }

    /// Answers with exactly one `bestmove` or `checkmate`. A search that is running is stopped, and answers first.
    fn go(&mut self, go: &Go) {
        self.end_now();
        go.faults.iter().for_each(|fault| self.warn(&fault.to_string()));
        let begun = Instant::now();
        if self.team.members.iter().all(Member::is_absent) {
            self.warn("no member answers; the leader searches by itself");
            if let Err(error) = self.team.add_thread(self.options.clone()) {
                self.warn(&format!("it cannot: {error}"));
            }
        }
        let game = self.game.clone().unwrap_or_else(|| GamePath::new(Position::startpos()));
        let limits = go.limits(game.side_to_move(), (self.options.depth_limit, self.options.nodes_limit));
        let mut settings = self.options.search.clone();
        settings.network_delay += STOP_TIME;
        let budget = limits.time.map(|time| settings.budget(time));
        // Members that vote have no iterations in common.
        let votes = matches!(self.settings.method, Method::Majority | Method::Optimistic);
        let budget = budget.map(|budget| if votes { Budget { hard: budget.soft, ..budget } } else { budget });
        let members = self.team.members.len();
        let (only, illegal) = go.root_moves(&game);
        if let Some(illegal) = illegal {
            self.warn(&format!("`searchmoves`: `{}` is not a legal move here, and is left out", excerpt(illegal)));
        }
        let question = Question { game: game.clone(), only, depth: limits.depth, members, draw: settings.draw.value };
        let strategy = strategy::begin(self.settings.method, &self.settings.sizes, question);
        let mut search = Running {
            strategy,
            position: self.position.clone(),
            mate: None,
            infinite: limits.infinite,
            pondering: go.ponder,
            nodes: limits.nodes,
            budget,
            stability: SearchStability::default(),
            begun,
            clock: (!go.ponder).then_some(begun),
            stopped: None,
            released: false,
            seats: vec![Seat::default(); members],
            now: 0,
            all_nodes: 0,
            iterations: 0,
            reported: None,
            longest: Duration::ZERO,
            game,
        };
        let mut moves = MoveList::new();
        search.game.legal_moves(&mut moves);
        let declares = go.searchmoves.is_empty()
            && self.options.search.declaration.is_some_and(|rule| search.game.declaration(rule) == Declaration::Win);
        let known = if self.game.is_none() || moves.is_empty() {
            Some(Best { score: -MATE, ..Best::default() })
        } else if declares {
            Some(Best { score: MATE, declares, ..Best::default() })
        } else if let ([only], true) = (&moves[..], limits.time.is_some() && !go.ponder) {
            Some(Best { pv: vec![*only], ..Best::default() })
        } else {
            None
        };
        if let Some(time) = go.mate {
            let idle = self.team.members.iter().position(|member| member.state == State::Idle);
            let Some(member) = idle.filter(|_| self.game.is_some()) else { return self.line("checkmate timeout") };
            let time = time.map_or("infinite".into(), |time| time.as_millis().to_string());
            search.mate = Some(member);
            let chosen = &mut self.team.members[member];
            chosen.send(&format!("position {}", search.position));
            chosen.send(&format!("go mate {time}"));
            (chosen.state, chosen.found) = (State::Searching(begun), Found::default());
        } else if let Some(known) = known {
            search.strategy = Box::new(Known(known));
        } else if self.settings.simulated.is_some() && search.nodes.is_none() && limits.depth.is_none() {
            self.warn(
                "simulated members have no clock, and search until `stop`; hint: use `go nodes N` or `go depth D`",
            );
        }
        self.search = Some(search);
    }

    /// Whether every member has the same question.
    pub(super) fn all_search_alike(&self) -> bool {
        matches!(self.settings.method, Method::Majority | Method::Optimistic | Method::Shared)
    }

    /// How long to wait for an event.
    fn patience(&self) -> Duration {
        let Some(search) = &self.search else { return Duration::from_secs(3600) };
        let until = |from: Option<Instant>, time: Duration| {
            from.map(|from| (from + time).saturating_duration_since(Instant::now()))
        };
        let over = search.budget.and_then(|budget| until(search.clock, budget.hard));
        let silent = until(search.stopped, STOP_TIME);
        [over.filter(|_| search.stopped.is_none()), silent]
            .into_iter()
            .flatten()
            .min()
            .map_or(PATIENCE, |time| time.min(PATIENCE))
    }

    fn hear(&mut self, at: usize, line: &str) {
        let first = line.split_ascii_whitespace().next();
        if first == Some(ENTRIES) {
            return self.pass_on(at, line);
        }
        if let Some(note) = note(at, line) {
            return self.line(&note);
        }
        let ends = matches!(first, Some("bestmove" | "checkmate"));
        let member = &mut self.team.members[at];
        if member.state == State::Silent && ends {
            member.state = State::Idle;
            return self.warn(&format!("member {} answers again", at + 1));
        }
        if !member.is_searching() {
            return;
        }
        member.found.read(line);
        let state = member.state;
        if ends {
            member.state = State::Idle;
        }
        let found = member.found.clone();
        let Some(search) = &mut self.search else { return };
        search.seats[at].heard = Some(Instant::now());
        search.seats[at].entries.unheard = 0;
        if let (State::Searching(since), true) = (state, ends) {
            search.longest = search.longest.max(since.elapsed());
        }
        if search.mate == Some(at) {
            if ends {
                self.search = None;
                self.line(line);
            }
            return;
        }
        if let Some(messages) = self.settings.simulated {
            let time = search.now + messages + found.nodes;
            search.seats[at].reports.push_back((time, found.clone(), ends));
        } else if !ends {
            search.strategy.progress(at, &found);
            search.heed();
        }
        if ends {
            search.all_nodes += found.nodes;
            search.seats[at].used += found.nodes;
            if self.settings.simulated.is_none() {
                search.finish(at, &found);
            }
        }
    }

    /// A member will not finish its work.
    pub(super) fn lose(&mut self, at: usize, state: State) {
        if self.team.members[at].state == State::Lost {
            return;
        }
        let searched = self.team.members[at].is_searching();
        self.team.members[at].state = state;
        self.warn(&format!("member {} {state}; the others do its work", at + 1));
        if let Some(search) = self.search.as_mut().filter(|_| searched) {
            if search.mate == Some(at) {
                self.search = None;
                return self.line("checkmate timeout");
            }
            search.strategy.lost(at);
        }
    }

    /// Tells the members to stop.
    pub(super) fn stop(&mut self) {
        let Some(search) = &mut self.search else { return };
        if search.stopped.is_some() {
            return;
        }
        search.stopped = Some(Instant::now());
        search.pondering = false;
        for (member, seat) in
            self.team.members.iter_mut().zip(&mut search.seats).filter(|(member, _)| member.is_searching())
        {
            seat.stopped = true;
            member.send("stop");
        }
    }

    /// Ends a search that is running; it answers.
    fn end_now(&mut self) {
        if let Some(search) = &mut self.search {
            search.released = true;
        }
        self.stop();
        while self.search.is_some() {
            match self.team.next_of_members(self.patience()) {
                Some(Event::Line(member, line)) => self.hear(member, &line),
                Some(Event::Ended(member)) => self.lose(member, State::Lost),
                Some(Event::Gui(_)) | None => {}
            }
            self.advance();
        }
    }
}

/// What a member says to people, for the GUI.
fn note(at: usize, line: &str) -> Option<String> {
    line.strip_prefix("info string ").map(|text| format!("info string member {}: {text}", at + 1))
}
