//! A build report as text.

use super::{
    netlist::depth,
    nextpnr_report::{CriticalPath, PathStep},
    report::{BuildReport, Check},
};
use std::fmt::Write;

/// Depth of the blocks that are shown, if they use at least a hundredth of the chip's look-up tables.
const BLOCK_DEPTH: usize = 4;
/// Steps of the critical path that are shown.
const MAX_STEPS: usize = 24;

/// The whole report, one fact on each line.
pub fn text(report: &BuildReport) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:11} {value}");
    };
    let device = &report.device;
    line("Board", format!("{} ({})", report.name, report.board));
    line("Device", format!("{} {} speed {}", device.part, device.package, device.speed_grade));
    line("Gateware", format!("build {}{}", report.build_id, revision(report)));
    line("Seed", report.seed.to_string());
    for (name, version) in &report.tools {
        line("Tool", format!("{name}: {version} ({})", report.tools_from));
    }
    for time in &report.stages {
        let reused = if time.reused { ", unchanged" } else { "" };
        line("Stage", format!("{:10} {:8.1} s{reused}", time.stage, time.seconds));
    }
    for (name, used) in &report.resources {
        line(
            "Uses",
            match used.available {
                0 => format!("{name:12} {:7} as synthesised", used.used),
                all => format!("{name:12} {:7} of {all:7} {:3} %", used.used, used.used * 100 / all),
            },
        );
    }
    for (path, area) in report.blocks.iter().filter(|(path, area)| shown(report, path, area.luts)) {
        line(
            "Block",
            format!(
                "{:44} {:6} LUTs {:6} FFs {:4} RAMs {:3} mult.",
                path, area.luts, area.flip_flops, area.block_rams, area.multipliers
            ),
        );
    }
    if let Some(path) = &report.critical_path {
        let wires = path.routing_ns;
        line(
            "Longest",
            format!(
                "{:.2} ns: {:.2} in cells, {wires:.2} on wires; clock {}",
                path.delay_ns, path.logic_ns, path.clock
            ),
        );
        steps(path).into_iter().for_each(|step| line("", step));
    }
    for check in &report.checks {
        line(if check.passed { "Met" } else { "MISSED" }, relation(check));
    }
    match (&report.bitstream, &report.failure) {
        (Some(file), _) => line("Bitstream", file.display().to_string()),
        (None, Some(why)) => line("Bitstream", format!("none: {why}")),
        (None, None) => line("Folder", report.folder.display().to_string()),
    }
    text.truncate(text.trim_end().len());
    text
}

/// One line for each missed limit: figure, value, limit.
pub fn missed_limits(report: &BuildReport) -> Vec<String> {
    report.checks.iter().filter(|check| !check.passed).map(relation).collect()
}

/// A figure, its value, and how it compares with the limit.
fn relation(check: &Check) -> String {
    let relation = match (check.at_least, check.passed) {
        (false, true) => "within the budget of",
        (false, false) => "over the budget of",
        (true, true) => "not below",
        (true, false) => "below",
    };
    let number = |value: u64| match check.unit {
        "Hz" => format!("{:.2} MHz", value as f64 / 1e6),
        _ => value.to_string(),
    };
    format!("{}: {} is {relation} {}", check.figure, number(check.value), number(check.limit))
}

fn revision(report: &BuildReport) -> String {
    match &report.git {
        Some(git) => {
            let short: String = git.commit.chars().take(12).collect();
            format!(", revision {short}{}", if git.modified { " with changes" } else { "" })
        }
        None => String::new(),
    }
}

fn shown(report: &BuildReport, path: &str, luts: u64) -> bool {
    let whole = report.blocks.get("").map_or(0, |area| area.luts);
    !path.is_empty() && depth(path) <= BLOCK_DEPTH && luts * 100 >= whole.max(1)
}

/// The first steps of a path. A wire is shown with its net and the declaration of the net. Steps without delay, as between
/// the cells of a carry chain, are left out.
fn steps(path: &CriticalPath) -> Vec<String> {
    let mut total = 0.0;
    let mut lines = Vec::new();
    for step in &path.steps {
        total += step.delay_ns;
        if step.delay_ns >= 0.005 {
            lines.push(format!("{:8} {:5.2} {total:6.2} {}", step.kind, step.delay_ns, location(step)));
        }
    }
    if lines.len() > MAX_STEPS {
        let more = lines.len() - MAX_STEPS;
        lines.truncate(MAX_STEPS);
        lines.push(format!("and {more} more, see report.json"));
    }
    lines
}

fn location(step: &PathStep) -> String {
    match &step.net {
        // Of several declarations the last is the innermost.
        Some(net) => match step.sources.iter().rev().find(|s| s.starts_with("top.v")) {
            Some(source) => format!("net {net} ({source})"),
            None => format!("net {net}"),
        },
        None => step.to.clone(),
    }
}
