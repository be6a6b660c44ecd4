//! `table`: writes the built-in evaluation table.

use super::{
    args::{Global, TableArguments},
    backend,
    session::{say, Exit},
};
use anyhow::Context;
use serde_json::json;

/// Runs the command. The file is written beside its place and then renamed, so that an older one is never half
/// overwritten.
pub fn run(global: &Global, arguments: &TableArguments) -> anyhow::Result<Exit> {
    let table = backend::table(global.table.as_deref())?;
    let path = &arguments.out;
    let mut part = path.clone().into_os_string();
    part.push(".part");
    let bytes = table.to_bytes();
    std::fs::write(&part, &bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("cannot write the table {}; is its folder there and writable?", path.display()))?;
    let header = table.header();
    if global.json {
        say(json!({"file": path, "bytes": bytes.len(), "version": header.version, "checksum": header.checksum}))?;
    } else {
        say(format!(
            "{}: {} bytes, version {}, checksum {:#010x}",
            path.display(),
            bytes.len(),
            header.version,
            header.checksum
        ))?;
    }
    Ok(Exit::Done)
}
