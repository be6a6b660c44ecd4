//! `convert`: positions with scores from one file format to another, or out of records of games.

use super::{
    args::Global,
    session::{counted, progress, say, Exit, Interrupt},
};
use anyhow::{anyhow, bail, Context};
use atomic_write_file::AtomicWriteFile;
use clap::{Args, ValueEnum};
use hayasashi_lab::compare::grouped;
use hayasashi_shogi::{
    records::{self, RecordedGame},
    scored::{Format, Reader, ScoredError, ScoredPosition, Writer},
};
use serde_json::json;
use std::{
    fs::File,
    io::{self, BufReader, BufWriter},
    ops::ControlFlow,
    path::PathBuf,
};

/// Arguments of `convert`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Formats by the ending of a file: `.bin` or `.psv` is PackedSfenValue (YaneuraOu, elmo; 40 bytes a record), `.hcpe` is Apery's (38 bytes), \
`.tsv` or `.txt` has a line for each position: SFEN, score for the side to move, move or `-`, and `black`, `white` or `draw`, with tabs \
between them. `hcpe` has no move numbers. Any other file is a record of games (CSA, KIF, KI2, JKF, USI), such as `selfplay.usi` of \
`learn eval --method selfplay`: of each game with a result the positions that have a score.\n\n Each position and move is checked by the rules. Positions are read one by one, so files of positions may be larger than memory. The file is written when all have been read, and replaces an older one in one step.")]
pub struct ConvertArguments {
    /// The file to read.
    #[arg(value_name = "FROM")]
    pub from: PathBuf,
    /// The file to write.
    #[arg(value_name = "TO")]
    pub to: PathBuf,
    /// The format of the first file, if its name does not tell.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from_format: Option<FormatChoice>,
    /// The format of the second file, if its name does not tell.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to_format: Option<FormatChoice>,
    /// Leave bad records out and count them, instead of stopping at the first.
    #[arg(long)]
    pub skip_bad: bool,
}

/// The formats.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatChoice {
    /// YaneuraOu's PackedSfenValue.
    Bin,
    /// Apery's HuffmanCodedPosAndEval.
    Hcpe,
    /// Lines of SFEN, score, move, result.
    Text,
    /// Records of games with scores; only to read.
    Games,
}

/// Bad records that are shown before they are only counted.
const SHOWN: u64 = 20;

/// Converts a file.
pub fn run(global: &Global, arguments: &ConvertArguments) -> anyhow::Result<Exit> {
    let (from, to) = (&arguments.from, &arguments.to);
    let from_format = match arguments.from_format {
        Some(choice) => choice.format(),
        None => Format::of(from),
    };
    let to_format = arguments.to_format.map_or_else(|| Format::of(to), FormatChoice::format).with_context(|| {
        let hint = "hint: name it .bin, .hcpe or .tsv, or give `--to-format bin`, `hcpe` or `text`";
        format!("`{}` does not tell its format; {hint}", to.display())
    })?;
    let unwritable = || format!("cannot write `{}`; hint: give a file in a writable folder", to.display());
    let out = AtomicWriteFile::open(to).with_context(unwritable)?;
    let mut writer = Writer::new(BufWriter::with_capacity(1 << 20, out), to_format);
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "positions", global.quiet);
    let (mut converted, mut bad) = (0u64, 0u64);
    let mut take = |record: anyhow::Result<ScoredPosition>| -> anyhow::Result<ControlFlow<()>> {
        let written = record.and_then(|record| Ok(writer.write(&record)?));
        match written {
            Ok(()) => converted += 1,
            Err(error) if arguments.skip_bad && !matches!(error.downcast_ref(), Some(ScoredError::Stream { .. })) => {
                bad += 1;
                if bad <= SHOWN {
                    bar.suspend(|| eprintln!("left out: {error}"));
                }
            }
            Err(error) => return Err(error.context(format!("`{}` is not converted", from.display()))),
        }
        bar.inc(1);
        Ok(if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    match from_format {
        Some(format) => {
            let unreadable = || format!("cannot read `{}`; hint: give a file of scored positions", from.display());
            let file = File::open(from).with_context(unreadable)?;
            let bytes = file.metadata().with_context(unreadable)?.len();
            bar.set_length(format.record_bytes().map_or(0, |length| bytes / length as u64));
            let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file), format);
            while let Some(record) = reader.next() {
                if take(record.map_err(Into::into))?.is_break() {
                    break;
                }
            }
        }
        None => {
            let mut failure = None;
            records::for_each(std::slice::from_ref(from), &mut |_| {}, &mut |game| {
                let taken = match game {
                    Ok(game) => positions(&game, &mut take),
                    Err(fault) => take(Err(anyhow!("{fault}"))),
                };
                taken.unwrap_or_else(|error| {
                    failure = Some(error);
                    ControlFlow::Break(())
                })
            })?;
            failure.map_or(Ok(()), Err)?;
        }
    }
    if interrupt.is_set() {
        eprintln!("interrupted after {}; `{}` is unchanged", counted(converted as usize, "position"), to.display());
        return Ok(Exit::Interrupted);
    }
    if converted == 0 {
        bail!("`{}` has no position with score and result; hint: `{}` is unchanged", from.display(), to.display());
    }
    bar.finish_and_clear();
    let out = writer.into_inner().into_inner().map_err(io::IntoInnerError::into_error).with_context(unwritable)?;
    out.commit().with_context(unwritable)?;
    match global.json {
        true => say(json!({ "file": to.display().to_string(), "records": converted, "bad_records": bad }))?,
        false => {
            let left_out = if bad > 0 { format!(", {} left out", grouped(bad)) } else { String::new() };
            let plural = if converted == 1 { "" } else { "s" };
            say(format!("{}: {} record{plural}{left_out}", to.display(), grouped(converted)))?;
        }
    }
    Ok(Exit::Done)
}

impl FormatChoice {
    /// The format of scored positions; `None` for records of games.
    fn format(self) -> Option<Format> {
        match self {
            FormatChoice::Bin => Some(Format::PackedSfenValue),
            FormatChoice::Hcpe => Some(Format::Hcpe),
            FormatChoice::Text => Some(Format::Text),
            FormatChoice::Games => None,
        }
    }
}

/// Takes the positions of a game that have a score, if the game has a result.
fn positions(
    game: &RecordedGame,
    take: &mut dyn FnMut(anyhow::Result<ScoredPosition>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<()>> {
    let Some(result) = game.result else { return Ok(ControlFlow::Continue(())) };
    let mut positions = game.positions();
    while let Some((position, mv, ply)) = positions.next() {
        let Some(score) = game.scores.get(ply).copied().flatten() else { continue };
        let record = ScoredPosition { position: position.clone(), score, best: Some(mv), result };
        if take(Ok(record))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
