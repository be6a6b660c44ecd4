//! `table`: writes an evaluation table to a file, as bytes or as text, and reads one from text.

use super::{
    args::Global,
    backend,
    session::{say, Exit},
};
use anyhow::Context;
use atomic_write_file::AtomicWriteFile;
use clap::Args;
use hayasashi_model::evaluate::{default_table, first_table, EvalTable};
use serde_json::json;
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Arguments of `table`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
A text has the header's values, then a line for each square or kind in hand and each square of the king: 32 weights by piece code, or \
by the number in hand. Import takes all lines in their order, and gives the same file again if no number has changed.")]
pub struct TableArguments {
    /// The file to write.
    #[arg(long, value_name = "FILE", required_unless_present = "export")]
    pub out: Option<PathBuf>,
    /// Write the hand-made table from which learning started.
    #[arg(long, conflicts_with_all = ["table", "import"])]
    pub hand_made: bool,
    /// Write the table as text, to be edited, to this file.
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Read the table from this text.
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub import: Option<PathBuf>,
}

/// Writes the built-in evaluation table, or checks and copies that of `--table` or `--import`.
pub fn run(global: &Global, arguments: &TableArguments) -> anyhow::Result<Exit> {
    let table = match (&arguments.import, &global.table) {
        (Some(file), _) => Arc::new(imported(file)?),
        (None, Some(file)) => backend::table(Some(file))?,
        (None, None) if arguments.hand_made => Arc::new(first_table()),
        (None, None) => Arc::new(default_table()),
    };
    let bytes = arguments.out.iter().map(|out| (out, table.to_bytes()));
    let text = arguments.export.iter().map(|out| (out, table.to_text().into_bytes()));
    for (out, bytes) in bytes.chain(text) {
        write(global, &table, out, &bytes)?;
    }
    Ok(Exit::Done)
}

fn imported(file: &Path) -> anyhow::Result<EvalTable> {
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("cannot read `{}`; hint: `hayasashi table --export FILE` writes a text", file.display())
    })?;
    EvalTable::from_text(&text).with_context(|| format!("`{}`", file.display()))
}

fn write(global: &Global, table: &EvalTable, out: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = AtomicWriteFile::open(out).and_then(|mut file| {
        file.write_all(bytes)?;
        file.commit()
    });
    written.with_context(|| format!("cannot write `{}`; hint: give a file in a writable folder", out.display()))?;
    let header = table.header();
    match global.json {
        true => say(json!({
            "file": out.display().to_string(), "bytes": bytes.len(), "version": header.version,
            "checksum": header.checksum,
        })),
        false => say(format!(
            "{}: {} bytes, version {}, checksum 0x{:08X}",
            out.display(),
            bytes.len(),
            header.version,
            header.checksum
        )),
    }
}
