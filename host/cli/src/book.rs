//! `book`: an opening book from game records.

use super::{
    args::Global,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use atomic_write_file::AtomicWriteFile;
use clap::Args;
use hayasashi_lab::compare::grouped;
use hayasashi_shogi::{
    book::{BookSize, Builder},
    records,
};
use serde_json::json;
use std::{
    io::{self, BufWriter},
    ops::ControlFlow,
    path::PathBuf,
};

/// Arguments of `book`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The format of a file is detected from its content. A list in USI notation has `startpos moves …` or `sfen … moves …` on \
each line, with or without a result and a tab before it. Games with an illegal move are reported and left out; the exit \
code is then 2. The book is written when all games have been read, and replaces an older one in one step.\n\nThe engine plays from it with `setoption name BookFile \
value FILE`.")]
pub struct BookArguments {
    /// Game records (CSA, KIF, KI2, JKF, lists in USI notation), or folders of them.
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
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
    let (mut read, mut faults) = (0u64, 0u64);
    records::for_each(&arguments.games, &mut |_| {}, &mut |game| {
        match game {
            Ok(game) => {
                builder.add(&game);
                read += 1;
            }
            Err(fault) => {
                faults += 1;
                bar.suspend(|| eprintln!("left out: {fault}"));
            }
        }
        bar.inc(1);
        match interrupt.is_set() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    bar.finish_and_clear();
    if interrupt.is_set() {
        eprintln!("interrupted after {read} games; `{}` is unchanged", arguments.out.display());
        return Ok(Exit::Interrupted);
    }
    if read == 0 {
        bail!(
            "no game to make a book from; `{}` is not written; hint: --games takes CSA, KIF, KI2, JKF and USI lists",
            arguments.out.display()
        );
    }
    let BookSize { positions, moves } = write(&builder, arguments).with_context(|| {
        format!("cannot write `{}`; hint: name a file in a folder that you may write to", arguments.out.display())
    })?;
    let file = arguments.out.display();
    match global.json {
        true => say(json!({
            "file": file.to_string(), "games": read, "bad_games": faults, "positions": positions, "moves": moves,
        }))?,
        false => say(format!(
            "{file}: {} positions with {} moves, from {} games",
            grouped(positions as u64),
            grouped(moves as u64),
            grouped(read)
        ))?,
    }
    if faults > 0 {
        let games = if faults == 1 { "1 game was".into() } else { format!("{} games were", grouped(faults)) };
        bail!("{games} left out; hint: the messages above name file, game and ply");
    }
    Ok(Exit::Done)
}

/// Writes the book whole or not at all.
fn write(builder: &Builder, arguments: &BookArguments) -> io::Result<BookSize> {
    let mut file = BufWriter::new(AtomicWriteFile::open(&arguments.out)?);
    let size = builder.write(arguments.min_count, &mut file)?;
    file.into_inner()?.commit()?;
    Ok(size)
}
