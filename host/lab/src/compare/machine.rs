//! The machine, the date and the versions of a comparison.

use hayasashi_boards::flow::Revision;
use hayasashi_hdl::config::BUILD_ID;
use jiff::Timestamp;
use serde::Serialize;
use std::{num::NonZero, process::Command};

/// The host, the program and the tools.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// `2026-11-21 14:05 UTC`.
    pub date: String,
    /// Name of the processor, or the architecture if the name is unknown.
    pub processor: String,
    /// Cores that this program may use.
    pub cores: usize,
    /// Load average over the last minute, before the comparison began; `None` where the system does not report it.
    pub load: Option<f64>,
    /// Version of this program.
    pub program: &'static str,
    /// Revision of the source tree, if it is known.
    pub git: Option<Revision>,
    /// Hash of the gateware's sources.
    pub build_id: String,
    /// Version of Verilator, if it is installed.
    pub verilator: Option<String>,
}

impl Machine {
    /// This machine and the current time.
    pub fn here() -> Machine {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        Machine {
            date: date(Timestamp::now()),
            processor: model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into()),
            cores: std::thread::available_parallelism().map_or(1, NonZero::get),
            load: load.and_then(|text| text.split(' ').next()?.parse().ok()),
            program: env!("CARGO_PKG_VERSION"),
            git: Revision::of_the_clone(),
            build_id: format!("{BUILD_ID:08x}"),
            verilator: verilator(),
        }
    }

    /// Processor, cores and load in one line.
    pub fn line(&self) -> String {
        let load = self.load.map_or("load unknown".into(), |load| format!("load {load:.1} before the start"));
        format!("{}, {}, {load}", self.processor, cores(self.cores))
    }

    /// The versions in one line.
    pub fn versions(&self) -> String {
        let git = self.git.as_ref().map_or(String::new(), |git| {
            let short = &git.commit[..git.commit.len().min(12)];
            format!(", revision {short}{}", if git.modified { " with changes" } else { "" })
        });
        let verilator = self.verilator.as_deref().unwrap_or("no Verilator");
        format!("hayasashi {}{git}, gateware {}, {verilator}", self.program, self.build_id)
    }
}

/// `1 core`, `2 cores`, …
pub fn cores(count: usize) -> String {
    format!("{count} core{}", if count == 1 { "" } else { "s" })
}

fn verilator() -> Option<String> {
    let output = Command::new("verilator").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_string())
}

fn date(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(Timestamp::from_second(seconds).unwrap()), text);
        }
    }
}
