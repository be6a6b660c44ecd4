//! `book`: an opening book from game records.

use super::{
    args::Global,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::Args;
use hayasashi_lab::compare::grouped;
use hayasashi_shogi::{
    book::{build::Written, games, Builder},
    files::replace,
};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `book`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
A list of games has `startpos moves …` or `sfen … moves …` on each line, with or without a result and a tab before it. \
Games with an illegal move are reported and left out; the exit code is then 2. The book is written when all games have \
been read, and takes the place of an older one in one step.\n\nThe engine plays from it with `setoption name BookFile \
value FILE`.")]
pub struct BookArguments {
    /// Lists of games in USI notation.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub games: Vec<PathBuf>,
    /// The book to write (YANEURAOU-DB2016).
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Moves of each game that are counted.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub plies: u64,
    /// Leave out moves that were played less often.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub min_count: u64,
}

/// Reads the games and writes the book.
pub fn run(global: &Global, arguments: &BookArguments) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "games", global.quiet);
    let mut builder = Builder::new(arguments.plies as usize);
    let (mut read, mut bad) = (0u64, 0u64);
    for file in &arguments.games {
        let named =
            || format!("cannot read the games of `{}`; hint: name a list of games in USI notation", file.display());
        for game in games::open(file).with_context(named)? {
            if interrupt.is_set() {
                bar.finish_and_clear();
                eprintln!("interrupted after {read} games; `{}` is as it was", arguments.out.display());
                return Ok(Exit::Interrupted);
            }
            let game = game.with_context(named)?;
            match game.record {
                Ok(record) => {
                    builder.add(&record);
                    read += 1;
                }
                Err(error) => {
                    bad += 1;
                    bar.suspend(|| eprintln!("{}:{}: {error}", file.display(), game.line));
                }
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if read == 0 {
        bail!("no game to make a book from; `{}` is not written", arguments.out.display());
    }
    let Written { positions, moves } = replace(&arguments.out, |file| builder.write(arguments.min_count, file))
        .with_context(|| {
            format!("cannot write `{}`; hint: name a file in a folder that you may write to", arguments.out.display())
        })?;
    let file = arguments.out.display();
    match global.json {
        true => say(json!({
            "file": file.to_string(), "games": read, "bad_games": bad, "positions": positions, "moves": moves,
        }))?,
        false => say(format!(
            "{file}: {} positions with {} moves, from {} games",
            grouped(positions as u64),
            grouped(moves as u64),
            grouped(read)
        ))?,
    }
    if bad > 0 {
        bail!("{bad} lines are no games and were left out; hint: the messages above tell file, line and move");
    }
    Ok(Exit::Done)
}
