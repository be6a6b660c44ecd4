//! `match --tune`: finds better constants of the search by playing.

use super::{
    args::Global,
    matches::{show_note, MatchArguments},
    session::{progress, say, Exit, Interrupt},
};
use hayasashi_lab::matches::{
    tune::{self, TunePair, TunePlan, Tuning},
    MatchPlan,
};
use serde_json::json;
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    sync::Arc,
};

/// Plays the pairs of a tuning, or those that remain. Without a file all parameters are tuned.
pub fn run(global: &Global, arguments: &MatchArguments, plan: MatchPlan, file: Option<&Path>) -> anyhow::Result<Exit> {
    let parameters = file.map_or_else(|| Ok(tune::all_parameters()), tune::read)?;
    let plan = TunePlan { plan, parameters, rate: arguments.tune_rate };
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let interrupt = Interrupt::install(move || stopped.store(true, Ordering::Relaxed))?;
    let mut tuning = Tuning::open(&arguments.results, &plan)?;
    let bar = progress(plan.plan.games / 2, "pairs", global.quiet);
    bar.set_position(tuning.pairs());
    let mut failure = None;
    let on_note = |engine: usize, text: &str| show_note(global, &bar, engine, text);
    let mut on_pair = |tuning: &Tuning, pair: &TunePair| {
        if global.json {
            let shown = bar.suspend(|| say(serde_json::to_string(pair)?));
            failure = failure.take().or(shown.err());
        }
        bar.set_message(format!("moved by {:.2} steps", distance(&plan, tuning.values())));
        bar.set_position(tuning.pairs());
    };
    tune::tune(&plan, &mut tuning, &stop, &on_note, &mut on_pair)?;
    bar.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    summary(global, &plan, &tuning, interrupt.is_set())?;
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// How far the values are from their start: the root mean square, in steps.
fn distance(plan: &TunePlan, values: &[f64]) -> f64 {
    let squares = plan.parameters.iter().zip(values).map(|(p, value)| ((value - p.start) / p.step).powi(2));
    (squares.sum::<f64>() / values.len() as f64).sqrt()
}

fn summary(global: &Global, plan: &TunePlan, tuning: &Tuning, interrupted: bool) -> anyhow::Result<()> {
    let parameters = || plan.parameters.iter().zip(tuning.values());
    if global.json {
        let values: serde_json::Map<_, _> = parameters().map(|(p, v)| (p.name.into(), json!(v.round()))).collect();
        return say(json!({"pairs": tuning.pairs(), "values": values, "interrupted": interrupted}));
    }
    say(format!(
        "# after {} of {} pairs; the first engine of each pair has the values moved one way, the second the other",
        tuning.pairs(),
        plan.plan.games / 2
    ))?;
    say("# name value least most step; changed by, in steps")?;
    for (p, value) in parameters() {
        let change = (value - p.start) / p.step;
        say(format!("{} {} {} {} {} # {change:+.2}", p.name, value.round(), p.least, p.most, p.step))?;
    }
    let options: Vec<String> =
        parameters().map(|(p, value)| format!("--option {}={}", p.name, value.round())).collect();
    say(format!("# hayasashi match {}", options.join(" ")))
}
