//! Opening the back end that the arguments name.

use super::args::Global;
use anyhow::Context;
use hayasashi_accel::{load_table, open, BackendSpec, OpenedBackend};
use hayasashi_model::evaluate::{default_table, EvalTable};
use std::{path::Path, sync::Arc};

/// The evaluation table that the arguments name: a file, or the built-in one.
pub fn table(file: Option<&Path>) -> anyhow::Result<Arc<EvalTable>> {
    let Some(file) = file else { return Ok(Arc::new(default_table())) };
    let bytes = std::fs::read(file).with_context(|| {
        format!("cannot read the table `{}`; hint: `hayasashi table --out FILE` writes one", file.display())
    })?;
    let table = EvalTable::from_bytes(&bytes).with_context(|| format!("`{}`", file.display()))?;
    Ok(Arc::new(table))
}

/// Opens a back end by name.
pub fn open_named(name: &str) -> anyhow::Result<OpenedBackend> {
    let spec: BackendSpec = name.parse()?;
    Ok(open(&spec)?)
}

/// Opens the back end that the arguments name.
pub fn opened(global: &Global) -> anyhow::Result<OpenedBackend> {
    open_named(&global.backend)
}

/// Opens a back end and gives it the evaluation table that the arguments name.
pub fn with_table(name: &str, global: &Global) -> anyhow::Result<OpenedBackend> {
    let table = table(global.table.as_deref())?;
    let opened = open_named(name)?;
    load_table(&*opened.chip, &table)?;
    Ok(opened)
}
