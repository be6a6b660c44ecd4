//! Opening the back end that the arguments name.

use super::{args::Global, rules_chip::RulesChip};
use crate::{
    accel::{open, BackendSpec, CoProcessor, Opened},
    model::evaluate::{default_table, Table},
    search::source::load_table,
};
use anyhow::Context;
use hayasashi_spec::registers::CAP_EVALUATE;
use std::{path::Path, sync::Arc};

/// The evaluation table that the arguments name: a file, or the built-in one.
pub fn table(file: Option<&Path>) -> anyhow::Result<Arc<Table>> {
    let Some(file) = file else { return Ok(Arc::new(default_table())) };
    let bytes = std::fs::read(file).with_context(|| {
        format!("cannot read the table `{}`; hint: `hayasashi table --out FILE` writes one", file.display())
    })?;
    let table = Table::from_bytes(&bytes).with_context(|| format!("`{}`", file.display()))?;
    Ok(Arc::new(table))
}

/// Opens a back end by name, `rules` included.
pub fn open_named(name: &str) -> anyhow::Result<Opened> {
    if name == "rules" {
        return Ok(Opened { chip: Arc::new(RulesChip::default()), note: "rules: the engine's own rules".into() });
    }
    let spec: BackendSpec = name.parse()?;
    Ok(open(&spec)?)
}

/// Opens the back end that the arguments name.
pub fn opened(global: &Global) -> anyhow::Result<Opened> {
    open_named(&global.backend)
}

/// Opens a back end and gives it the evaluation table that the arguments name.
pub fn with_table(name: &str, global: &Global) -> anyhow::Result<Opened> {
    let table = table(global.table.as_deref())?;
    let opened = open_named(name)?;
    load_table(&*opened.chip, &table)?;
    Ok(opened)
}

/// Gives a chip a table, unless it has no evaluator.
pub fn load_table_if_any(chip: &dyn CoProcessor, table: &Table) -> anyhow::Result<()> {
    if chip.has(CAP_EVALUATE)? {
        load_table(chip, table)?;
    }
    Ok(())
}

/// Short name of a chip for answers.
pub fn name(chip: &dyn CoProcessor) -> String {
    chip.name()
}
