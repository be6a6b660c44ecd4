//! A session: login, games one after the other, a new connection when one is lost.

use super::{
    connection::{Connection, Happening},
    game::{FinishedGame, Game, Outcome},
    player::{Player, Reply},
    record::Record,
    CsaError,
};
use hayasashi_engine::usi::Options;
use rsshogi_csa::{parse_line, CsaCommand, GameSummary, GameSummaryReader};
use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{channel, Receiver, Sender},
        Arc,
    },
    time::{Duration, Instant},
};

/// How often a waiting session looks at the clock and for an interrupt.
const POLL: Duration = Duration::from_millis(100);
/// Longest wait for the reply to the login.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest wait between two attempts to connect.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// A user of a server.
#[derive(Clone)]
pub struct Account {
    /// `host:port`.
    pub server: String,
    /// The user's name.
    pub user: String,
    /// The password; some servers take the name of the game from it.
    pub password: String,
}

/// What to play.
pub struct SessionPlan {
    /// Where, and as whom.
    pub account: Account,
    /// Number of games.
    pub games: u64,
    /// Folder of the records.
    pub records: PathBuf,
    /// Attempts to connect before the session gives up.
    pub attempts: u32,
    /// Wait before the second attempt; it doubles with each further one.
    pub delay: Duration,
    /// Options of the engine.
    pub options: Options,
}

/// What a session reports.
#[derive(Debug)]
pub enum Event<'a> {
    /// Logged in, waiting for a game.
    Waiting,
    /// A game begins.
    Started(&'a GameSummary),
    /// A game has ended.
    Finished(&'a FinishedGame),
    /// The connection failed; the next attempt is after this time.
    Retry(&'a CsaError, Duration),
    /// A line of the engine that is not a move.
    Engine(&'a str),
}

/// A session.
pub struct Session<'a> {
    plan: &'a SessionPlan,
    stop: Arc<AtomicBool>,
    on_event: &'a mut dyn FnMut(Event<'_>),
    queue: Receiver<Happening>,
    sender: Sender<Happening>,
    player: Player,
    connections: u64,
    /// Searches whose reply belongs to a game that has ended.
    stale_searches: u32,
    searching: bool,
}

/// What a session hears.
enum Incoming {
    /// A line of the server.
    Line(String),
    /// The engine's reply.
    Reply(Reply),
}

impl Session<'_> {
    /// Plays the games of the plan, and returns those that the server ended. `stop` ends the session after the game that is
    /// being played.
    ///
    /// # Errors
    /// A refused login, a server that cannot be reached in the plan's number of attempts, an engine that ends, or a record
    /// that cannot be written.
    pub fn run(
        plan: &SessionPlan,
        stop: Arc<AtomicBool>,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<FinishedGame>, CsaError> {
        for (what, word) in [("user's name", &plan.account.user), ("password", &plan.account.password)] {
            if word.is_empty() || word.chars().any(|c| c.is_whitespace() || c.is_control()) {
                return Err(CsaError::Word { what });
            }
        }
        let (sender, queue) = channel();
        let mut player = Player::start(plan.options.clone(), sender.clone())?;
        player.send("usi")?;
        player.send("isready")?;
        let mut session = Session {
            plan,
            stop,
            on_event,
            queue,
            sender,
            player,
            connections: 0,
            stale_searches: 0,
            searching: false,
        };
        let mut games = Vec::new();
        let mut failures = 0;
        while (games.len() as u64) < plan.games && !session.is_stopped() {
            let before = games.len();
            let error = match session.connection(&mut games) {
                Ok(()) => continue,
                Err(error @ (CsaError::Lost { .. } | CsaError::Connect { .. })) => error,
                Err(error) => return Err(error),
            };
            // A server that closes the connection after each game is as it should be.
            failures = if games.len() > before { 1 } else { failures + 1 };
            if games.len() as u64 >= plan.games {
                break;
            }
            if failures >= plan.attempts {
                return Err(error);
            }
            let delay = plan.delay.saturating_mul(1 << (failures - 1).min(16)).min(LONGEST_DELAY);
            (session.on_event)(Event::Retry(&error, delay));
            session.sleep(delay);
        }
        Ok(games)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn sleep(&self, time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time && !self.is_stopped() {
            std::thread::sleep(POLL.min(time));
        }
    }

    /// Logs in and plays until the games are played or the connection ends.
    fn connection(&mut self, games: &mut Vec<FinishedGame>) -> Result<(), CsaError> {
        let Account { server, user, password } = &self.plan.account;
        self.connections += 1;
        let mut link = Connection::open(server, self.connections, self.sender.clone())?;
        link.send(&CsaCommand::Login { name: user.clone(), password: password.clone(), x1: false })?;
        if !self.login(&mut link)? {
            return Ok(());
        }
        while (games.len() as u64) < self.plan.games {
            (self.on_event)(Event::Waiting);
            let Some(summary) = self.summary(&mut link)? else { break };
            if let Some(game) = self.game(&mut link, &summary)? {
                (self.on_event)(Event::Finished(&game));
                games.push(game);
            }
        }
        link.send(&CsaCommand::Logout)
    }

    /// Waits for the reply to the login; false if the session is to end.
    fn login(&mut self, link: &mut Connection) -> Result<bool, CsaError> {
        let begun = Instant::now();
        while !self.is_stopped() {
            match self.command(link)? {
                Some(CsaCommand::LoginOk { .. }) => return Ok(true),
                Some(CsaCommand::LoginIncorrect) => {
                    let Account { server, user, .. } = self.plan.account.clone();
                    return Err(CsaError::Login { server, user });
                }
                _ if begun.elapsed() > LOGIN_TIMEOUT => return Err(link.lost("no reply to the login".into())),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Waits for the proposal of a game; `None` if the session is to end.
    fn summary(&mut self, link: &mut Connection) -> Result<Option<GameSummary>, CsaError> {
        let mut reader: Option<GameSummaryReader> = None;
        while !self.is_stopped() {
            let Some(Incoming::Line(line)) = self.incoming(link)? else { continue };
            if reader.is_none() && line.trim() == "BEGIN Game_Summary" {
                reader = Some(GameSummaryReader::new());
            }
            let Some(reader) = &mut reader else { continue };
            if let Some(summary) = reader.feed(&line).map_err(|error| link.protocol(&line, error))? {
                return Ok(Some(summary));
            }
        }
        Ok(None)
    }

    /// Agrees to a game and plays it to its end; `None` if it did not begin.
    fn game(&mut self, link: &mut Connection, summary: &GameSummary) -> Result<Option<FinishedGame>, CsaError> {
        let mut game = match Game::of(summary) {
            Ok(game) => game,
            Err(reason) => {
                link.send(&CsaCommand::Reject { game_id: summary.game_id.clone() })?;
                return Err(link.protocol(&summary.position_lines.join(" "), reason));
            }
        };
        link.send(&CsaCommand::Agree { game_id: summary.game_id.clone() })?;
        loop {
            match self.command(link)? {
                Some(CsaCommand::Start { .. }) => break,
                Some(CsaCommand::RejectNotice { .. }) => return Ok(None),
                _ => {}
            }
        }
        let mut record = Record::begin(&self.plan.records, summary)?;
        (self.on_event)(Event::Started(summary));
        self.prepare(summary)?;
        let played = self.play(link, &mut game, &mut record);
        self.abandon_search()?;
        match played {
            Ok(outcome) => Ok(Some(game.finish(record, outcome, None)?)),
            Err(error) => {
                let finished = game.finish(record, Outcome::Unfinished, Some(&error.to_string()))?;
                (self.on_event)(Event::Finished(&finished));
                Err(error)
            }
        }
    }

    /// Tells the engine of the new game and of its rules.
    fn prepare(&mut self, summary: &GameSummary) -> Result<(), CsaError> {
        let declares = summary.declaration.as_deref().is_none_or(|rule| rule.starts_with("Jishogi"));
        let rule = if declares { "CSARule27" } else { "NoEnteringKing" };
        let most = summary.max_moves.unwrap_or(0).min(65_534);
        self.player.send(&format!("setoption name EnteringKingRule value {rule}"))?;
        self.player.send(&format!("setoption name MaxMovesToDraw value {most}"))?;
        self.player.send("isready")?;
        self.player.send("usinewgame")
    }

    /// Plays until the server says how the game ended.
    fn play(&mut self, link: &mut Connection, game: &mut Game, record: &mut Record) -> Result<Outcome, CsaError> {
        self.ask(game)?;
        loop {
            let line = match self.incoming(link)? {
                Some(Incoming::Line(line)) => line,
                Some(Incoming::Reply(reply)) => {
                    link.send(&game.command(&reply))?;
                    continue;
                }
                None => continue,
            };
            match parse_line(&line) {
                Ok(CsaCommand::Move(made)) => {
                    game.play(&made).map_err(|reason| link.protocol(&line, reason))?;
                    record.timed(&line)?;
                    self.ask(game)?;
                }
                Ok(CsaCommand::Special { .. }) => record.timed(&line)?,
                Ok(CsaCommand::End(marker)) => {
                    if let Some(outcome) = game.marker(&marker) {
                        return Ok(outcome);
                    }
                }
                // Lines of other versions of the protocol.
                _ => {}
            }
        }
    }

    /// Asks the engine for a move if this program is to move.
    fn ask(&mut self, game: &Game) -> Result<(), CsaError> {
        if game.is_our_turn() {
            let (sfen, moves, clocks) = game.question();
            self.player.go(sfen, moves, clocks)?;
            self.searching = true;
        }
        Ok(())
    }

    /// Stops a search whose move is not needed any more.
    fn abandon_search(&mut self) -> Result<(), CsaError> {
        if std::mem::take(&mut self.searching) {
            self.stale_searches += 1;
            self.player.send("stop")?;
        }
        Ok(())
    }

    /// The next command of the server; `None` after a short time without one.
    fn command(&mut self, link: &mut Connection) -> Result<Option<CsaCommand>, CsaError> {
        let Some(Incoming::Line(line)) = self.incoming(link)? else { return Ok(None) };
        Ok(parse_line(&line).ok())
    }

    /// What comes next from the server or the engine; `None` after a short time without anything.
    fn incoming(&mut self, link: &mut Connection) -> Result<Option<Incoming>, CsaError> {
        link.keep_alive()?;
        match self.queue.recv_timeout(POLL) {
            Ok(Happening::Server(number, line)) if number == link.number => Ok(Some(Incoming::Line(line))),
            Ok(Happening::Closed(number, reason)) if number == link.number => Err(link.lost(reason)),
            Ok(Happening::Engine(line)) => Ok(self.reply(&line).map(Incoming::Reply)),
            Ok(Happening::EngineClosed) => Err(CsaError::Engine { reason: "it closed its output".into() }),
            // Nothing, or what an earlier connection said.
            _ => Ok(None),
        }
    }

    /// The engine's reply in a line, unless it belongs to a game that has ended.
    fn reply(&mut self, line: &str) -> Option<Reply> {
        let Some(reply) = Reply::of(line) else {
            (self.on_event)(Event::Engine(line));
            return None;
        };
        if self.stale_searches > 0 {
            self.stale_searches -= 1;
            return None;
        }
        self.searching = false;
        Some(reply)
    }
}
