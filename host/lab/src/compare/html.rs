//! A comparison as one self-contained HTML file. The templates are in `maud`, which escapes all text.

use super::{
    digits, duration, grouped,
    link::UART_BITS,
    plot,
    report::{Comparison, Workload},
    search::SearchComparison,
    short, text,
};
use maud::{html, Markup, PreEscaped, DOCTYPE};

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8886; }
th.n, td.n { text-align: right; }
td.computed { font-style: italic; }
svg { display: block; width: 100%; height: auto; margin: 1rem 0; }
svg text { fill: currentColor; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.note { opacity: .8; }";

/// The whole page.
pub fn page(report: &Comparison) -> String {
    let title = format!("Hayasashi: chip and software on {}", report.device.name);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p.note { (report.machine.date) }
                @if let Some(warning) = report.warning() { p { strong { (warning) } } }
                @if report.interrupted { p { strong { "Interrupted: some figures are missing." } } }
                (summary(report))
                (overview(report))
                @for work in &report.works { (section(work, report)) }
                @if let Some(search) = &report.search { (searches(search)) }
                (method(report))
            }
        }
    };
    page.into_string()
}

fn summary(report: &Comparison) -> Markup {
    let mut rows = vec![
        ("Device", format!("{} ({})", report.device.name, report.device.part)),
        ("Its clock", text::clock(report)),
        ("Clocks", text::simulation(report)),
        ("Software on", report.machine.line()),
        ("Positions", text::sample(report)),
        ("Versions", report.machine.versions()),
    ];
    if let Some(placed) = &report.device.placed {
        let tools: Vec<&str> = placed.tools.values().map(String::as_str).collect();
        rows.push(("Place and route", format!("seed {}, {}", placed.seed, tools.join("; "))));
    }
    if let Some(attached) = &report.attached {
        rows.push(("Attached", format!("{}{}", attached.note, text::simulated(attached.simulated))));
    }
    html! { dl { @for (term, text) in &rows { dt { (term) } dd { (text) } } } }
}

/// One row for each workload: the chip's rate as a multiple of the fastest software on one core.
fn overview(report: &Comparison) -> Markup {
    let cell = |ratio: Option<f64>| html! { td.n.computed { (ratio.map_or("-".into(), digits)) } };
    html! {
        p {
            "The chip's rate as a multiple of the fastest software on one core: the chip alone, and over two links. All \
             ratios are computed from measured clocks and times."
        }
        table {
            tr {
                th {} th.n { "chip alone" }
                @if report.word_port.is_some() { th.n { "behind its word port" } }
                @for link in &report.links { th.n { (link.name) } }
            }
            @for work in &report.works {
                tr {
                    td { (work.work) }
                    (cell(work.chip.as_ref().map(|chip| chip.ratio.value)))
                    @if report.word_port.is_some() { (cell(work.word_port.as_ref().map(|chip| chip.ratio.value))) }
                    @for link in &report.links {
                        (cell(work.linked.iter().find(|linked| linked.link == link.name).map(|l| l.ratio.value)))
                    }
                }
            }
        }
    }
}

fn section(work: &Workload, report: &Comparison) -> Markup {
    html! {
        h2 { (capitalised(&work.title())) }
        (rates(work, report))
        @if let Some(reason) = &work.no_chip { p { "No chip: " (reason) "." } }
        @if let Some(plot) = plot::rates(work, report) { (PreEscaped(plot)) }
        (sizes(work))
        @if let Some(plot) = plot::times(work, report) { (PreEscaped(plot)) }
    }
}

/// The rates of a workload as a table.
fn rates(work: &Workload, report: &Comparison) -> Markup {
    html! {
        div.scroll { table {
            tr {
                th {} th.n { "rate" } th.n { "range" }
                @if work.leaves_each.is_some() { th.n { "leaves a second" } }
                th.n { "ratio" } th {} th { "break-even" }
            }
            @for row in text::rows(work, report) {
                @if let Some(rate) = row.rate {
                    tr {
                        td { (row.name) }
                        td.n { (short(rate.value)) }
                        td.n { @if let (Some(low), Some(high)) = (rate.low, rate.high) { (short(low)) " to " (short(high)) } }
                        @if let Some(leaves) = row.leaves { td.n { (short(leaves)) } }
                        td.n { @if let Some(ratio) = row.ratio { (digits(ratio.value)) } }
                        td class=(rate.basis.word()) { (rate.basis.word()) }
                        td { (row.break_even) }
                    }
                }
            }
        } }
    }
}

/// The figures of searches.
fn searches(search: &SearchComparison) -> Markup {
    html! {
        h2 { (capitalised(&search.title())) }
        div.scroll { table {
            tr { th {} th.n { "rate" } th.n { "range" } th.n { "ratio" } th {} }
            @for (name, rate, ratio) in search.rows() {
                tr {
                    td { (name) }
                    td.n { (short(rate.value)) }
                    td.n { @if let (Some(low), Some(high)) = (rate.low, rate.high) { (short(low)) " to " (short(high)) } }
                    td.n { (digits(ratio.value)) }
                    td class=(rate.basis.word()) { (rate.basis.word()) }
                }
            }
        } }
        p { "Ratios are to the engine's alpha-beta on one core. A node is a move made." }
        @for line in search.lines() { p { (capitalised(&line)) "." } }
    }
}

/// The times of requests of several sizes as a table.
fn sizes(work: &Workload) -> Markup {
    let time = |seconds: f64| html! { td.n.computed { (duration(seconds)) } };
    html! {
        @if let Some(first) = work.linked.first() {
            div.scroll { table {
                tr {
                    th { (work.unit) " in one request" }
                    @for size in &first.sizes { th.n { (grouped(size.units)) } }
                }
                tr { td { "fastest software, 1 core" } @for size in &first.sizes { (time(size.software.value)) } }
                @for linked in &work.linked {
                    tr { td { "chip, " (linked.link) } @for size in &linked.sizes { (time(size.linked.value)) } }
                }
            } }
        }
    }
}

fn method(report: &Comparison) -> Markup {
    html! {
        h2 { "Method" }
        ul {
            li {
                "Software (measured): this project's rules and its model of the chip. Each gets the positions in its own \
                 form. The rate is the median of five runs, with the range beside it. On several cores each core does the \
                 whole work. Ratios are to the faster of the two on one core."
            }
            li {
                "Chip (computed): the clocks of the board's chip, counted in simulation on the same positions behind its \
                 byte port (one byte per clock in each direction) and behind its word port (eight), times the clock rate \
                 above. Every answer was compared with the software's. For perft the chip counts its clocks itself."
            }
            li {
                "Link (computed): the bytes of the actual frames of the port, with headers, checksums and any byte stuffing; " (UART_BITS)
                " bits per byte on a serial line. One request alone takes the sum of round trip, request bytes, clocks and \
                 answer bytes. Each further frame takes the time of the slowest of the last three. Rates of positions are \
                 for many full requests in flight; rates of expansions are for the deepest walk."
            }
            @for link in &report.links { li { (link.name) " (computed): " (link.assumptions) "." } }
            li {
                "Break-even: the smallest request that finishes no later than on the fastest software on one core; \
                 \"never\" if there is none. The plots mark it with a dot."
            }
            li { "An expansion is a position one ply above the leaves, whose legal moves are counted." }
            li { "Filled bars are measured, outlined bars are computed. All number axes are logarithmic." }
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::report::tests::by_hand;

    #[test]
    fn names_are_escaped_and_nothing_is_loaded() {
        let page = page(&by_hand());
        assert!(page.contains("Test &lt;board&gt;") && !page.contains("<board>"));
        assert!(!page.contains("http") && !page.contains("src=") && !page.contains("<script"));
        assert_eq!(page.matches("<svg").count(), 2);
    }
}
