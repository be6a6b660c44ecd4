//! A report in lines for people.

use super::{
    netlist::depth,
    placed::{CriticalPath, Step},
    report::{BuildReport, Check},
};
use std::fmt::Write;

/// Blocks shown down to this depth, if they have at least a hundredth of the chip.
const BLOCK_DEPTH: usize = 4;
/// Steps of the critical path that are shown.
const STEPS: usize = 24;

/// The text.
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
    for took in &report.stages {
        let reused = if took.reused { ", unchanged since then" } else { "" };
        line("Stage", format!("{:10} {:8.1} s{reused}", took.stage, took.seconds));
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
        line(if check.passed { "Holds" } else { "BROKEN" }, words(check));
    }
    match (&report.bitstream, &report.failure) {
        (Some(file), _) => line("Bitstream", file.display().to_string()),
        (None, Some(why)) => line("Bitstream", format!("none: {why}")),
        (None, None) => line("Folder", report.folder.display().to_string()),
    }
    text.truncate(text.trim_end().len());
    text
}

/// One line for each broken limit: figure, value, limit.
pub fn broken(report: &BuildReport) -> Vec<String> {
    report.checks.iter().filter(|check| !check.passed).map(words).collect()
}

fn words(check: &Check) -> String {
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

/// The first steps of a path; a wire tells its net, and where that is declared. What takes no time, as between the
/// cells of a carry chain, is left out.
fn steps(path: &CriticalPath) -> Vec<String> {
    let mut total = 0.0;
    let mut lines = Vec::new();
    for step in &path.steps {
        total += step.delay_ns;
        if step.delay_ns >= 0.005 {
            lines.push(format!("{:8} {:5.2} {total:6.2} {}", step.kind, step.delay_ns, place(step)));
        }
    }
    if lines.len() > STEPS {
        let more = lines.len() - STEPS;
        lines.truncate(STEPS);
        lines.push(format!("and {more} steps more, see report.json"));
    }
    lines
}

fn place(step: &Step) -> String {
    match &step.net {
        // Of several places the last is the innermost.
        Some(net) => match step.sources.iter().rev().find(|s| s.starts_with("top.v")) {
            Some(source) => format!("net {net} ({source})"),
            None => format!("net {net}"),
        },
        None => step.to.clone(),
    }
}
