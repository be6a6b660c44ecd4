//! `selftest`: tests a chip; each test is one line of output.

use super::{
    args::Global,
    backend,
    session::{progress, say, Exit, Interrupt},
    show,
};
use hayasashi_accel::selftest::{gateware_note, Selftest};
use serde_json::json;

/// Runs the tests that suit the chip.
pub fn run(global: &Global) -> anyhow::Result<Exit> {
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let opened = backend::open_itself(&global.backend)?;
    let chip = &*opened.chip;
    let selftest = Selftest::new(chip, &evaluation)?;
    let interrupt = Interrupt::install(|| {})?;
    let tests = selftest.tests();
    let bar = progress(tests.len() as u64, "tests", global.quiet);
    let mut failed = 0;
    for &test in &tests {
        let name = test.name();
        if interrupt.is_set() {
            bar.finish_and_clear();
            say(format!("interrupted before `{name}`, failed: {failed}"))?;
            return Ok(Exit::Interrupted);
        }
        let faults = selftest.run(test);
        let passed = faults.is_empty();
        failed += !passed as u32;
        bar.inc(1);
        bar.suspend(|| match global.json {
            true => say(json!({ "test": name, "passed": passed, "faults": faults })),
            false => {
                say(format!("{name:14} {}", if passed { "ok" } else { "FAILED" }))?;
                faults.iter().try_for_each(say)
            }
        })?;
    }
    bar.finish_and_clear();
    // A chip that has failed may not answer any more.
    let note = chip.info().ok().and_then(|info| gateware_note(&info));
    match global.json {
        true => say(json!({
            "backend": chip.name(), "tests": tests.len(), "failed": failed, "simulated": show::simulated_json(&[chip]),
            "gateware": note,
        }))?,
        false => {
            note.iter().try_for_each(|note| say(format!("note: {note}")))?;
            show::simulated(&[chip]).iter().try_for_each(say)?;
            say(format!("{}: tests: {}, failed: {failed}", opened.note, tests.len()))?;
        }
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Differs })
}
