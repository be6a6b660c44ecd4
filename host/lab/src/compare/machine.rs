//! Where and when the comparison was made.

use hayasashi_boards::flow::Revision;
use hayasashi_hdl::top::config::BUILD_ID;
use serde::Serialize;
use std::{
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

/// The host, the program and the tools.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// `2026-11-21 14:05 UTC`.
    pub date: String,
    /// What the processor calls itself.
    pub processor: String,
    /// Cores that this program may use.
    pub cores: usize,
    /// Processes that wanted a core in the minute before, this one not yet among them; absent where nobody tells.
    pub load: Option<f64>,
    /// Version of this program.
    pub program: &'static str,
    /// The clone's revision, where it is known.
    pub git: Option<Revision>,
    /// Hash of the gateware's sources.
    pub build_id: String,
    /// What Verilator says of its version, where it is installed.
    pub verilator: Option<String>,
}

impl Machine {
    /// This one, now.
    pub fn here() -> Machine {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        Machine {
            date: date(now),
            processor: model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into()),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            load: load.and_then(|text| text.split(' ').next()?.parse().ok()),
            program: env!("CARGO_PKG_VERSION"),
            git: Revision::of_the_clone(),
            build_id: format!("{BUILD_ID:08x}"),
            verilator: verilator(),
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let load = self.load.map_or("load unknown".into(), |load| format!("load {load:.1} before this began"));
        format!("{}, {} cores, {load}", self.processor, self.cores)
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

fn verilator() -> Option<String> {
    let output = Command::new("verilator").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_string())
}

/// A time since 1970 as a date, by the rule of civil days (Hinnant, "chrono-compatible low-level date algorithms", 2013).
fn date(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400 + 719_468, seconds % 86_400 / 60);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // Years begin in March here.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02} {:02}:{:02} UTC", era * 400 + year + next, minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
