//! A comparison as text for a terminal.

use super::{
    digits, duration, grouped,
    link::{BreakEven, RequestSize},
    machine::cores,
    report::{Comparison, Workload},
    short, Figure,
};

/// Width of the first column.
const NAME_WIDTH: usize = 46;

/// The whole report.
pub fn text(report: &Comparison) -> String {
    let mut lines: Vec<String> = report.warning().into_iter().collect();
    lines.extend([
        format!("{} ({}), {}", report.device.name, report.device.part, clock(report)),
        format!("clocks: {}", simulation(report)),
        format!("software: {}", report.machine.line()),
        format!("positions: {}", sample(report)),
    ]);
    lines.extend(report.attached.as_ref().map(|a| format!("attached: {}{}", a.note, simulated(a.simulated))));
    for work in &report.works {
        lines.push(String::new());
        lines.extend(rows(work, report).into_iter().map(|row| row.line(work.leaves_each.is_some())));
        lines.extend(work.no_chip.iter().map(|reason| format!("  no chip: {reason}")));
        lines.extend(sizes(work));
    }
    if let Some(search) = &report.search {
        lines.push(String::new());
        lines.push(format!("{:NAME_WIDTH$} {:>8} {:>6}  {:>8}", search.title(), "rate", "spread", "ratio"));
        let row = |(name, rate, ratio): (String, Figure, Figure)| Row {
            name,
            rate: Some(rate),
            leaves: None,
            ratio: Some(ratio),
            break_even: String::new(),
        };
        lines.extend(search.rows().into_iter().map(|figures| row(figures).line(false)));
        lines.extend(search.lines().into_iter().map(|line| format!("    {line}")));
    }
    lines.push(String::new());
    lines.push(
        "ratio: to the fastest software on one core; of searches to the engine's. Sizes: time of one request alone; `*` where the chip is faster."
            .into(),
    );
    lines.extend(report.links.iter().map(|link| format!("{}: {}", link.name, link.assumptions)));
    lines.push(format!("{}, {}", report.machine.date, report.machine.versions()));
    if report.interrupted {
        lines.push("interrupted: some figures are missing".into());
    }
    lines.join("\n")
}

/// The chip's clock rate and its source.
pub fn clock(report: &Comparison) -> String {
    format!("{} MHz: {}", digits(report.device.clock_hz() / 1e6), report.device.clock_from)
}

/// The simulation that counted the clocks.
pub fn simulation(report: &Comparison) -> String {
    let note = report.simulation.note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    let words =
        report.word_port.as_ref().map_or(String::new(), |words| format!(", for the word port by `{}`", words.backend));
    format!("counted in simulation by `{}`{note}{words}; not on a board", report.simulation.backend)
}

/// Description of the positions.
pub fn sample(report: &Comparison) -> String {
    let sample = &report.sample;
    format!("{} with {:.0} moves on average, from {}", sample.positions, sample.moves_each.value, sample.source)
}

/// Note behind the name of a virtual board.
pub fn simulated(simulated: bool) -> &'static str {
    match simulated {
        true => " (a virtual board: the times are those of a simulation)",
        false => "",
    }
}

/// A row of the table.
pub struct Row {
    /// First column.
    pub name: String,
    /// Units of work per second; `None` in a heading.
    pub rate: Option<Figure>,
    /// For perft: leaves per second.
    pub leaves: Option<f64>,
    /// Ratio to the fastest software on one core.
    pub ratio: Option<Figure>,
    /// Break-even size.
    pub break_even: String,
}

impl Row {
    fn line(&self, walks: bool) -> String {
        let leaves = |text: String| if walks { format!("  {text:>8}") } else { String::new() };
        let Some(rate) = self.rate else {
            let leaves = leaves("leaves".into());
            return format!(
                "{:NAME_WIDTH$} {:>8} {:>6}{leaves}  {:>8}  {:8}  break-even",
                self.name, "rate", "spread", "ratio", ""
            );
        };
        let ratio = self.ratio.map_or(String::new(), |ratio| digits(ratio.value));
        let (value, spread, basis) = (short(rate.value), spread(&rate), rate.basis.word());
        let leaves = leaves(self.leaves.map(short).unwrap_or_default());
        let text =
            format!("  {:44} {value:>8} {spread:>6}{leaves}  {ratio:>8}  {basis:8}  {}", self.name, self.break_even);
        text.trim_end().into()
    }
}

/// Half the range of several measurements, in per cent of their median.
fn spread(figure: &Figure) -> String {
    match (figure.low, figure.high) {
        (Some(low), Some(high)) => format!("±{:.0} %", 50.0 * (high - low) / figure.value),
        _ => String::new(),
    }
}

/// The table of a workload; the first row is its heading.
pub fn rows(work: &Workload, report: &Comparison) -> Vec<Row> {
    let best = super::software::fastest(&work.software).map(|s| s.rate);
    let row = |name: String, rate: Figure| Row {
        name,
        rate: Some(rate),
        leaves: work.leaves_each().map(|leaves| leaves * rate.value),
        ratio: best.map(|best| rate.over(&best)),
        break_even: String::new(),
    };
    let mut rows = vec![Row { name: work.title(), rate: None, leaves: None, ratio: None, break_even: String::new() }];
    for software in &work.software {
        rows.push(row(format!("{}, {}", software.name, cores(software.cores)), software.rate));
    }
    if let Some(chip) = &work.chip {
        let each = work.unit.trim_end_matches('s');
        let article = if each.starts_with('e') { "an" } else { "a" };
        rows.push(row(format!("chip: {} clocks {article} {each}", digits(chip.clocks_each.value)), chip.rate));
        // Walks take the same clocks behind either port.
        if let Some(words) = work.word_port.as_ref().filter(|_| work.walks.is_empty()) {
            let clocks = digits(words.clocks_each.value);
            rows.push(row(format!("chip, word port: {clocks} clocks {article} {each}"), words.rate));
        }
        for linked in &work.linked {
            let Some(chip) = work.behind(linked.port) else { continue };
            let bytes = format!("{:.0} + {:.0} bytes", chip.bytes_there.value, chip.bytes_back.value);
            let break_even = break_even(&linked.break_even, &linked.more_cores, work.unit);
            rows.push(Row { break_even, ..row(format!("chip, {}: {bytes}", linked.link), linked.rate) });
        }
    }
    if let (Some(rate), Some(attached)) = (work.attached, &report.attached) {
        let name = if attached.simulated { "virtual board (simulation)" } else { "board" };
        let timed = row(format!("{name}: {}", attached.backend), rate);
        // A simulation has no ratio: its speed is not that of a chip.
        rows.push(Row { ratio: timed.ratio.filter(|_| !attached.simulated), ..timed });
    }
    rows
}

/// The break-even sizes in words.
pub fn break_even(one: &BreakEven, more: &[BreakEven], unit: &str) -> String {
    let Some(units) = one.value else { return "never".into() };
    let more = more.iter().map(|more| {
        let units = more.value.map_or("never".into(), grouped);
        format!(", {} cores: {units}", more.cores)
    });
    format!("{} {unit}{}", grouped(units), more.collect::<String>())
}

/// The times of requests of several sizes.
fn sizes(work: &Workload) -> Vec<String> {
    let Some(first) = work.linked.first().filter(|l| !l.sizes.is_empty()) else { return Vec::new() };
    let line = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>9}")).collect();
        format!("    {name:20}{cells}").trim_end().to_string()
    };
    let mut lines = vec![
        line(&format!("{} in a request", work.unit), first.sizes.iter().map(|s| grouped(s.units)).collect()),
        line("fastest, 1 core", first.sizes.iter().map(|s| duration(s.software.value)).collect()),
    ];
    for linked in &work.linked {
        let cell = |size: &RequestSize| {
            let faster = if size.linked.value <= size.software.value { "*" } else { "" };
            format!("{}{faster}", duration(size.linked.value))
        };
        lines.push(line(&format!("chip, {}", linked.link), linked.sizes.iter().map(cell).collect()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::report::tests::by_hand;

    #[test]
    fn the_table_shows_every_figure_with_its_basis() {
        let text = text(&by_hand());
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in [
            "Test <board> (P), 0.00100 MHz: by hand",
            "counts: positions a second rate spread ratio break-even",
            "rules, 1 core 20.0 1.00 measured",
            "rules, 2 cores 40.0 2.00 measured",
            "chip: 10.0 clocks a position 100 5.00 computed",
            "chip, UART 0.01 Mbaud: 16 + 10 bytes 60.8 3.04 computed 9 positions, 2 cores: 87, 8 cores: never",
            "positions in a request 1 32",
            "fastest, 1 core 50.0 ms 1.60 s",
            // 0.1 s, 14 + 16 bytes, 10 clocks, 10 bytes: 150 ms; each of 31 more takes 36 ms.
            "chip, UART 0.01 Mbaud 150 ms 1.27 s*",
            "search: nodes a second, 8 positions of 20,000 nodes rate spread ratio",
            "engine's alpha-beta, 1 core 1.00 k 1.00 measured",
            "model's SEARCH, 1 core 3.00 k 3.00 measured",
            "model's SEARCH, 8 requests in flight 6.00 k 6.00 measured",
            "chip: 20.0 clocks a node 50.0 0.0500 computed",
            "steps a node: 1.75 measured",
            "time to depth 6: engine 500 ms, model 250 ms measured",
            // 0.1 s, 14 + 96 bytes, 14 + 64 bytes: 288 ms. A node takes the chip 20 ms, the engine 100.
            "chip, UART 0.01 Mbaud: 100 nodes 2.29 s (engine 10.0 s), 1,000 nodes 20.3 s (engine 100 s), 10,000 nodes 200 s \
             (engine 1000 s); sooner from: 4 nodes, 2 cores: 10, 8 cores: never",
        ] {
            assert!(text.lines().any(|l| words(l) == line), "{line}\n{text}");
        }
    }
}
