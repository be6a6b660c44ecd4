//! `endgame`: solves animal shogi by retrograde analysis and looks positions up.

use super::{
    args::Global,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::bail;
use clap::{Args, ValueEnum};
use hayasashi_lab::{
    endgame::{Counts, Database, Index, Material, Progress, Solver, Value},
    textbook::{Animal, Game},
};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `endgame`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Positions: four ranks from the second player's side, the side to move (b or w), pieces in hand: `gle/.c./.C./ELG b -`. L is the \
lion, G the giraffe, E the elephant, C the chick, H the hen; lower case is the second player. Values count plies; the capture of a \
lion is the last ply, and after a successful try the loser has 0 plies left.")]
pub struct EndgameArguments {
    /// The game.
    #[arg(value_enum)]
    pub game: EndgameChoice,
    /// The database: it is made, or an interrupted analysis continues.
    #[arg(long, value_name = "FILE")]
    pub file: PathBuf,
    /// Leave both pieces of a kind out. May be repeated.
    #[arg(long, value_enum, value_name = "KIND")]
    pub without: Vec<KindChoice>,
    /// Show the value of this position and of each move.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
}

/// The games.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameChoice {
    /// Animal shogi on 3 × 4 squares: a database of 0.86 GB, and as much memory to make it.
    Animal,
}

/// The kinds that can be left out.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindChoice {
    /// Both giraffes.
    Giraffe,
    /// Both elephants.
    Elephant,
    /// Both chicks.
    Chick,
}

/// Solves what is not solved, then shows the numbers of positions, or one position.
pub fn run(global: &Global, arguments: &EndgameArguments) -> anyhow::Result<Exit> {
    let EndgameChoice::Animal = arguments.game;
    let position = arguments.position.as_deref().map(str::parse::<Animal>).transpose()?;
    let kinds = [KindChoice::Giraffe, KindChoice::Elephant, KindChoice::Chick];
    let material = Material { kinds: kinds.map(|kind| !arguments.without.contains(&kind)) };
    let file = &arguments.file;
    let solver = if file.exists() {
        let database = Database::open(file)?;
        if database.material() != material {
            bail!("`{}` has other pieces; hint: use the same `--without`, or another file", file.display());
        }
        match database.counts() {
            Some(_) => None,
            None => Some(database.solver()?),
        }
    } else {
        Some(Solver::new(material))
    };
    if let Some(mut solver) = solver {
        solve(global, &mut solver, material)?;
        Database::write(&solver, file)?;
        if solver.progress() != Progress::Done {
            eprintln!("stopped; the same command continues");
            return Ok(Exit::Interrupted);
        }
    }
    let mut database = Database::open(file)?;
    match position {
        Some(position) => show(global, &mut database, position)?,
        None => {
            let start = database.value(&material.start())?;
            report(global, &database.counts().unwrap_or_default(), start)?;
        }
    }
    Ok(Exit::Done)
}

/// Works until the end or Ctrl-C.
fn solve(global: &Global, solver: &mut Solver, material: Material) -> anyhow::Result<()> {
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(Index::new(material).len() as u64, "", global.quiet);
    solver.run(|progress| {
        match progress {
            Progress::Reaching { at, .. } => {
                bar.set_message("reaching positions");
                bar.set_position(at as u64);
            }
            Progress::Deciding { distance, at, .. } => {
                if at == 0 {
                    bar.set_message(format!("deciding before distance {distance}"));
                }
                bar.set_position(at as u64);
            }
            Progress::Done => {}
        }
        !interrupt.is_set()
    });
    bar.finish_and_clear();
    Ok(())
}

fn report(global: &Global, counts: &Counts, start: Value) -> anyhow::Result<()> {
    let Counts { positions, wins, losses, draws, catches, tries, longest } = counts;
    if global.json {
        let (value, plies) = named(start);
        return say(json!({
            "positions": positions, "wins": wins, "losses": losses, "draws": draws, "catches": catches, "tries": tries,
            "longest": longest, "start": value, "plies": plies,
        }));
    }
    say(format!("{positions} positions, up to mirroring and the side to move"))?;
    say(format!(
        "{wins} won for the side to move ({catches} with the lion to capture), {losses} lost ({tries} by a try)"
    ))?;
    say(format!("{draws} drawn; the longest win or loss takes {longest} plies"))?;
    say(format!("start: {}", described(start)))
}

fn show(global: &Global, database: &mut Database, position: Animal) -> anyhow::Result<()> {
    let value = database.value(position.position())?;
    let mut moves = Vec::new();
    for mv in position.moves() {
        let after = position.after(&mv);
        // Without its lion a position has no number.
        let captures = position.position().can_catch() && Material::of(after.position()).is_none();
        let value = match captures {
            true => Value::Win(1),
            false => match database.value(after.position())? {
                Value::Win(plies) => Value::Loss(plies + 1),
                Value::Loss(plies) => Value::Win(plies + 1),
                other => other,
            },
        };
        moves.push((mv.to_string(), value));
    }
    if global.json {
        let moves: Vec<_> = moves
            .iter()
            .map(|(mv, value)| json!({ "move": mv, "value": named(*value).0, "plies": named(*value).1 }))
            .collect();
        let (value, plies) = named(value);
        let position = position.to_string();
        return say(json!({ "position": position, "value": value, "plies": plies, "moves": moves }));
    }
    say(format!("{position}: {}", described(value)))?;
    moves.iter().try_for_each(|(mv, value)| say(format!("{mv}  {}", described(*value))))
}

/// The value's name for JSON, and its plies.
fn named(value: Value) -> (&'static str, Option<u32>) {
    match value {
        Value::Win(plies) => ("win", Some(plies)),
        Value::Loss(plies) => ("loss", Some(plies)),
        Value::Draw => ("draw", None),
        Value::Unreached => ("unreached", None),
    }
}

fn described(value: Value) -> String {
    match named(value) {
        ("unreached", _) => "cannot be reached from the start".into(),
        (name, Some(plies)) => format!("{name} in {plies} {}", if plies == 1 { "ply" } else { "plies" }),
        (name, None) => name.into(),
    }
}
