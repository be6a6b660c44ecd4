//! `convert`: positions with scores from one file format to another.

use super::{
    args::Global,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use atomic_write_file::AtomicWriteFile;
use clap::{Args, ValueEnum};
use hayasashi_lab::compare::grouped;
use hayasashi_shogi::scored::{Format, Reader, ScoredError, Writer};
use serde_json::json;
use std::{
    fs::File,
    io::{self, BufReader, BufWriter},
    path::{Path, PathBuf},
};

/// Arguments of `convert`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Formats by the ending of a file: `.bin` or `.psv` is PackedSfenValue (YaneuraOu, elmo; 40 bytes a record), `.hcpe` is Apery's (38 bytes), \
`.tsv` or `.txt` has a line for each position: SFEN, score for the side to move, move or `-`, and `black`, `white` or `draw`, with tabs \
between them. `hcpe` has no move numbers. Each position and move is checked by the rules. Records are read one by one, so files may be \
larger than memory. The file is written when all have been read, and replaces an older one in one step.")]
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
}

/// Bad records that are shown before they are only counted.
const SHOWN: u64 = 20;

/// Converts a file.
pub fn run(global: &Global, arguments: &ConvertArguments) -> anyhow::Result<Exit> {
    let (from, to) = (&arguments.from, &arguments.to);
    let (from_format, to_format) = (format(from, arguments.from_format)?, format(to, arguments.to_format)?);
    let unreadable = || format!("cannot read `{}`; hint: give a file of scored positions", from.display());
    let unwritable = || format!("cannot write `{}`; hint: give a file in a writable folder", to.display());
    let file = File::open(from).with_context(unreadable)?;
    let bytes = file.metadata().with_context(unreadable)?.len();
    let records = from_format.record_bytes().map_or(0, |length| bytes / length as u64);
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file), from_format);
    let out = AtomicWriteFile::open(to).with_context(unwritable)?;
    let mut writer = Writer::new(BufWriter::with_capacity(1 << 20, out), to_format);
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(records, "records", global.quiet);
    let (mut converted, mut bad) = (0u64, 0u64);
    while let Some(record) = reader.next() {
        match record.and_then(|record| writer.write(&record)) {
            Ok(()) => converted += 1,
            Err(error @ ScoredError::Record { .. }) if arguments.skip_bad => {
                bad += 1;
                if bad <= SHOWN {
                    bar.suspend(|| eprintln!("left out: {error}"));
                }
            }
            Err(error) => {
                return Err(error).with_context(|| format!("`{}` is not converted", from.display()));
            }
        }
        bar.inc(1);
        if interrupt.is_set() {
            eprintln!("interrupted after {converted} records; `{}` is unchanged", to.display());
            return Ok(Exit::Interrupted);
        }
    }
    bar.finish_and_clear();
    let out = writer.into_inner().into_inner().map_err(io::IntoInnerError::into_error).with_context(unwritable)?;
    out.commit().with_context(unwritable)?;
    match global.json {
        true => say(json!({ "file": to.display().to_string(), "records": converted, "bad_records": bad }))?,
        false if bad > 0 => {
            say(format!("{}: {} records, {} left out", to.display(), grouped(converted), grouped(bad)))?;
        }
        false => say(format!("{}: {} records", to.display(), grouped(converted)))?,
    }
    Ok(Exit::Done)
}

fn format(file: &Path, choice: Option<FormatChoice>) -> anyhow::Result<Format> {
    match (choice, Format::of(file)) {
        (Some(FormatChoice::Bin), _) => Ok(Format::PackedSfenValue),
        (Some(FormatChoice::Hcpe), _) => Ok(Format::Hcpe),
        (Some(FormatChoice::Text), _) => Ok(Format::Text),
        (None, Some(format)) => Ok(format),
        (None, None) => bail!(
            "`{}` does not tell its format; hint: name it .bin, .hcpe or .tsv, or give `--from-format` and `--to-format`",
            file.display()
        ),
    }
}
