//! `csa`: plays on a server of the CSA protocol.

use super::{
    args::Global,
    session::{counted, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::Args;
use hayasashi_engine::usi::Options;
use hayasashi_lab::csa_client::{Account, Event, FinishedGame, Outcome, Session, SessionPlan};
use hayasashi_shogi::rules::Color;
use serde_json::json;
use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
    time::Duration,
};

/// The variable with the password.
const PASSWORD: &str = "HAYASASHI_CSA_PASSWORD";
/// The port that servers usually listen on.
const PORT: u16 = 4081;
/// Milliseconds held in reserve from each time limit, for the way to the server.
const NETWORK_DELAY_MS: u64 = 1000;

/// Arguments of `csa`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The password is the first line of --password-file, or the environment variable HAYASASHI_CSA_PASSWORD. shogi-server takes the \
game's name from it, as in `floodgate-300-10F,secret`.\n\nEach game has a record in the folder of --records, written move by \
move. The first Ctrl-C ends the session after the game that is being played, the second at once.\n\nExample:\n  hayasashi csa \
--server localhost --user hayasashi --password-file password.txt --games 3 --option BookFile=my.db")]
pub struct CsaArguments {
    /// The server; the port is 4081 if none is given.
    #[arg(long, value_name = "HOST[:PORT]")]
    pub server: String,
    /// The user's name.
    #[arg(long, value_name = "NAME")]
    pub user: String,
    /// A file with the password.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Number of games to play, one after the other.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Folder of the records; created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "csa-games")]
    pub records: PathBuf,
    /// An option of the engine, as `usi` lists them. May be repeated. `NetworkDelay` is 1000 by default.
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Attempts to connect, one after the other, before the session gives up.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub attempts: u32,
    /// Wait before connecting again, in milliseconds; it doubles with each attempt, up to a minute.
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    pub retry_ms: u64,
}

/// Plays the games and prints their results.
pub fn run(global: &Global, arguments: &CsaArguments) -> anyhow::Result<Exit> {
    let plan = SessionPlan {
        account: Account {
            server: server(&arguments.server),
            user: arguments.user.clone(),
            password: password(arguments)?,
        },
        games: arguments.games,
        records: arguments.records.clone(),
        attempts: arguments.attempts,
        delay: Duration::from_millis(arguments.retry_ms),
        options: options(global, arguments)?,
    };
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let interrupt = Interrupt::install(move || stopped.store(true, Ordering::Relaxed))?;
    let mut failure = None;
    let mut on_event = |event: Event<'_>| failure = failure.take().or(show(global, &event).err());
    let games = Session::run(&plan, stop, &mut on_event)?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if !global.json {
        let count = |outcome| games.iter().filter(|game| game.outcome == outcome).count();
        let [won, lost, drawn] = [Outcome::Won, Outcome::Lost, Outcome::Drawn].map(count);
        say(format!("{}: +{won} -{lost} ={drawn}", counted(games.len(), "game")))?;
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// `host:port`, with the usual port where none is given.
fn server(given: &str) -> String {
    let has_port = given
        .rsplit_once(':')
        .is_some_and(|(host, port)| port.parse::<u16>().is_ok() && (!host.contains(':') || host.ends_with(']')));
    if has_port {
        given.into()
    } else {
        format!("{given}:{PORT}")
    }
}

fn password(arguments: &CsaArguments) -> anyhow::Result<String> {
    let Some(file) = &arguments.password_file else {
        return std::env::var(PASSWORD)
            .ok()
            .with_context(|| format!("there is no password; hint: give `--password-file FILE` or set `{PASSWORD}`"));
    };
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("cannot read the password `{}`; hint: give a file whose first line is the password", file.display())
    })?;
    Ok(text.lines().next().unwrap_or("").trim().into())
}

fn options(global: &Global, arguments: &CsaArguments) -> anyhow::Result<Options> {
    let mut options = Options::new(&global.backend, global.table.as_deref())?;
    options.set("NetworkDelay", Some(&NETWORK_DELAY_MS.to_string()))?;
    for option in &arguments.option {
        let Some((name, value)) = option.split_once('=') else {
            bail!("`--option {option}` has no value; hint: write `Name=value`");
        };
        options.set(name.trim(), Some(value))?;
    }
    Ok(options)
}

/// Prints what happens: results on standard output, the rest on standard error.
fn show(global: &Global, event: &Event<'_>) -> anyhow::Result<()> {
    match event {
        Event::Waiting if !global.quiet => eprintln!("logged in; waiting for a game"),
        Event::Started(summary) if !global.quiet => {
            let name = |name: &Option<String>| name.clone().unwrap_or_default();
            let id = summary.game_id.clone().unwrap_or_default();
            eprintln!("{id}: {} (black) against {} (white)", name(&summary.name_black), name(&summary.name_white));
        }
        Event::Retry(error, delay) => eprintln!("{error}; connecting again in {} ms", delay.as_millis()),
        Event::Engine(line) if line.starts_with("info string") && !global.quiet => {
            eprintln!("{}", line.trim_start_matches("info string "));
        }
        Event::Finished(game) => result(global, game)?,
        _ => {}
    }
    Ok(())
}

fn result(global: &Global, game: &FinishedGame) -> anyhow::Result<()> {
    let outcome = match game.outcome {
        Outcome::Won => "won",
        Outcome::Lost => "lost",
        Outcome::Drawn => "drawn",
        Outcome::Unfinished => "unfinished",
    };
    let color = if game.color == Color::Black { "black" } else { "white" };
    let FinishedGame { id, opponent, moves, reason, record, .. } = game;
    match global.json {
        true => say(json!({
            "game": id, "opponent": opponent, "color": color, "moves": moves, "outcome": outcome, "reason": reason,
            "record": record.display().to_string(),
        })),
        false => say(format!(
            "{id}: {outcome} as {color} against {opponent} after {} ({reason}); {}",
            counted(*moves, "move"),
            record.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::server;

    #[test]
    fn the_port_may_be_left_out() {
        for (given, expected) in [
            ("localhost", "localhost:4081"),
            ("10.0.0.1:4082", "10.0.0.1:4082"),
            ("[::1]:99", "[::1]:99"),
            ("[::1]", "[::1]:4081"),
        ] {
            assert_eq!(server(given), expected);
        }
    }
}
