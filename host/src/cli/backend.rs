//! Back ends for the commands that compare or inspect: no fail-over, so that an answer is the named back end's own.

use super::rules_backend::RulesBackend;
use crate::accel::{self, BackendSpec, CoProcessor};
use crate::model::evaluate::{first_table, Table};
use anyhow::Context;
use hayasashi_spec::registers::CAP_EVALUATE;
use std::{path::Path, sync::Arc};

/// The name of the engine's own rules of shogi as a back end.
pub const RULES: &str = "rules";

/// The evaluation table to use: that of a file, or the built-in one.
pub fn table(file: Option<&Path>) -> anyhow::Result<Table> {
    let Some(path) = file else { return Ok(first_table()) };
    let bytes = std::fs::read(path).with_context(|| format!("cannot read the table {}", path.display()))?;
    Table::from_bytes(&bytes).with_context(|| format!("{} is not an evaluation table", path.display()))
}

/// A back end by name, `rules` included, and one line that says what was taken.
pub fn open(name: &str, table: &Table) -> anyhow::Result<(Arc<dyn CoProcessor>, String)> {
    if name == RULES {
        let note = "rules: the engine's own rules of shogi".to_string();
        return Ok((Arc::new(RulesBackend::new(table.clone())), note));
    }
    let spec: BackendSpec = name.parse()?;
    let opened = accel::open(&spec)?;
    Ok((opened.chip, opened.note))
}

/// Loads the table where the chip has an evaluator and another table, or none. The engine's own rules have it already.
pub fn load(chip: &dyn CoProcessor, table: &Table) -> anyhow::Result<()> {
    if chip.name() == RULES {
        return Ok(());
    }
    let info = chip.info()?;
    if info.capabilities & CAP_EVALUATE != 0 && info.table_checksum != table.header().checksum {
        chip.load_table(&table.to_bytes())?;
    }
    Ok(())
}
