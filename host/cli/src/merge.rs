//! `merge`: joins the files of results of a run that was done in parts.

use super::{
    args::Global,
    session::{counted, say, Exit},
};
use clap::Args;
use hayasashi_lab::parts::{self, Merged};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `merge`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Parts are files of results of `match`, `perft`, `mate` and `analyze --search chip`, files `selfplay.usi` of `learn eval`, or folders \
of `experiment`. Files of different runs are refused. A record that is in several parts counts once. The command of the run, with \
the joined file and without --part, does what is still missing and prints the result.\n\nExample: a match in two parts
  hayasashi match --openings FILE --nodes 20000 --games 1000 --part 1/2 --results 1.jsonl
  hayasashi match --openings FILE --nodes 20000 --games 1000 --part 2/2 --results 2.jsonl
  hayasashi merge 1.jsonl 2.jsonl --out all.jsonl
  hayasashi match --openings FILE --nodes 20000 --games 1000 --results all.jsonl")]
pub struct MergeArguments {
    /// The files, or the folders, of the parts.
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// The joined file or folder. What it has already is joined too.
    #[arg(long, value_name = "PATH")]
    pub out: PathBuf,
}

/// Joins the parts, and prints how many records there are.
pub fn run(global: &Global, arguments: &MergeArguments) -> anyhow::Result<Exit> {
    let Merged { files, records, repeated } = parts::merge(&arguments.parts, &arguments.out)?;
    match global.json {
        true => say(json!({ "out": arguments.out, "files": files, "records": records, "repeated": repeated }))?,
        false => say(format!(
            "`{}`: {} from {}, {repeated} repeated",
            arguments.out.display(),
            counted(records, "record"),
            counted(arguments.parts.len(), "part")
        ))?,
    }
    Ok(Exit::Done)
}
