//! Opens the back end that the arguments name.

use super::args::Global;
use anyhow::{bail, Context};
use hayasashi_accel::{
    monitor::{open_monitored, MonitorSettings},
    open, AccelError, BackendSpec, Capability, OpenedBackend,
};
use hayasashi_model::evaluate::{EvalTable, Evaluation};
use std::{path::Path, sync::Arc};

/// What searches evaluate by: the table or network of the file, or the built-in network.
pub fn evaluation(file: Option<&Path>) -> anyhow::Result<Evaluation> {
    let Some(file) = file else { return Ok(Evaluation::default()) };
    let bytes = std::fs::read(file).with_context(|| {
        format!("cannot read the table `{}`; hint: `hayasashi table --out FILE` writes one", file.display())
    })?;
    Evaluation::from_bytes(&bytes).with_context(|| format!("`{}`", file.display()))
}

/// The evaluation table of the file, or the built-in one.
pub fn table(file: Option<&Path>) -> anyhow::Result<Arc<EvalTable>> {
    let Evaluation { table, network } = evaluation(file)?;
    if let (Some(file), Some(_)) = (file, network) {
        bail!(
            "`{}` is a network, which only searches use; hint: give a table (`hayasashi table --out FILE` writes one)",
            file.display()
        );
    }
    Ok(table)
}

/// The back end of this name, for a command that examines one.
pub fn one(name: &str) -> anyhow::Result<BackendSpec> {
    match name.parse()? {
        BackendSpec::Team(members) => {
            bail!("`{name}` is {} back ends, and this command examines one; hint: run it for each", members.len())
        }
        spec => Ok(spec),
    }
}

/// Opens a back end whose own answers are wanted, to examine it: if it is lost, the command fails.
pub fn open_itself(name: &str) -> anyhow::Result<OpenedBackend> {
    Ok(open(&one(name)?)?)
}

/// Opens the back end that the arguments name. If it is a chip, the software model replaces it while it is lost, and stderr
/// says so.
pub fn opened(global: &Global) -> anyhow::Result<OpenedBackend> {
    let spec: BackendSpec = global.backend.parse()?;
    let settings = MonitorSettings { journal: global.monitor.clone(), check_every: global.check_every };
    Ok(open_monitored(&spec, Arc::new(|event| eprintln!("{event}")), &settings)?)
}

/// [`opened`] with this evaluation. A chip that takes no networks has the table alone; stderr says so if the arguments name a network.
pub fn with_evaluation(global: &Global, evaluation: &Evaluation) -> anyhow::Result<OpenedBackend> {
    let opened = opened(global)?;
    if !opened.chip.has(Capability::Evaluate.bit())? {
        let missing = AccelError::MissingCapability { target: opened.chip.name(), capability: Capability::Evaluate };
        return Err(missing.into());
    }
    opened.chip.set_evaluation(evaluation)?;
    let network = Capability::Network;
    if global.table.is_some() && evaluation.network.is_some() && !opened.chip.has(network.bit())? {
        eprintln!("note: `{}`: {}; hint: {}", opened.chip.name(), network.missing(), network.hint());
    }
    Ok(opened)
}
