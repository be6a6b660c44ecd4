//! A comparison as one HTML file that loads nothing.

use super::{
    digits, duration, grouped,
    link::UART_BITS,
    plot,
    report::{Comparison, Work},
    short, text,
};
use std::fmt::Write;

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
pub fn html(report: &Comparison) -> String {
    let title = format!("Hayasashi: chip and software on {}", report.device.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class=\"note\">{}</p>\n",
        escaped(&report.machine.date),
        title = escaped(&title)
    );
    if report.interrupted {
        page.push_str("<p><strong>Interrupted: not all was measured.</strong></p>\n");
    }
    page.push_str(&summary(report));
    for work in &report.works {
        page.push_str(&section(work, report));
    }
    page.push_str(&method(report));
    page.push_str("</body>\n</html>\n");
    page
}

fn summary(report: &Comparison) -> String {
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
    let rows: String = rows.iter().map(|(term, text)| format!("<dt>{term}</dt><dd>{}</dd>\n", escaped(text))).collect();
    format!("<dl>\n{rows}</dl>\n{}", overview(report))
}

/// One line for each kind of work: the chip as a multiple of the fastest software on one core.
fn overview(report: &Comparison) -> String {
    let heads: String = report.links.iter().map(|l| format!("<th class=\"n\">{}</th>", escaped(&l.name))).collect();
    let mut body = String::new();
    for work in &report.works {
        let cell = |value: Option<f64>| format!("<td class=\"n computed\">{}</td>", value.map_or("-".into(), digits));
        let _ = write!(body, "<tr><td>{}</td>", escaped(&work.work));
        body.push_str(&cell(work.chip.as_ref().map(|chip| chip.ratio.value)));
        for link in &report.links {
            let linked = work.linked.iter().find(|linked| linked.link == link.name);
            body.push_str(&cell(linked.map(|linked| linked.ratio.value)));
        }
        body.push_str("</tr>\n");
    }
    format!(
        "<p>The chip as a multiple of the fastest software on one core, alone and behind two links. All of these are \
         computed from measured clocks and times.</p>\n<table>\n<tr><th></th><th class=\"n\">chip alone</th>{heads}</tr>\n\
         {body}</table>\n"
    )
}

fn section(work: &Work, report: &Comparison) -> String {
    let mut rows = String::new();
    for row in text::rows(work, report) {
        let Some(rate) = row.rate else { continue };
        let range = match (rate.low, rate.high) {
            (Some(low), Some(high)) => format!("{} to {}", short(low), short(high)),
            _ => String::new(),
        };
        let leaves = row.leaves.map_or(String::new(), |leaves| format!("<td class=\"n\">{}</td>", short(leaves)));
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{range}</td>{leaves}<td class=\"n\">{}</td>\
             <td class=\"{basis}\">{basis}</td><td>{}</td></tr>",
            escaped(&row.name),
            short(rate.value),
            row.ratio.map_or(String::new(), |ratio| digits(ratio.value)),
            escaped(&row.break_even),
            basis = rate.basis.word(),
        );
    }
    let mut section = format!(
        "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<tr><th></th><th class=\"n\">rate</th><th class=\"n\">range</th>\
         {leaves}<th class=\"n\">ratio</th><th></th><th>break-even</th></tr>\n{rows}</table></div>\n",
        escaped(&capital(&work.title())),
        leaves = if work.leaves_each.is_some() { "<th class=\"n\">leaves a second</th>" } else { "" },
    );
    if let Some(why) = &work.no_chip {
        let _ = writeln!(section, "<p>No chip: {}.</p>", escaped(why));
    }
    section.extend(plot::rates(work, report));
    section.push_str(&sizes(work));
    section.extend(plot::times(work, report));
    section
}

fn sizes(work: &Work) -> String {
    let Some(first) = work.linked.first() else { return String::new() };
    let heads: String = first.sizes.iter().map(|s| format!("<th class=\"n\">{}</th>", grouped(s.units))).collect();
    let cells = |times: Vec<f64>| -> String {
        times.into_iter().map(|t| format!("<td class=\"n computed\">{}</td>", duration(t))).collect()
    };
    let mut body = format!(
        "<tr><td>fastest software, 1 core</td>{}</tr>\n",
        cells(first.sizes.iter().map(|s| s.software.value).collect())
    );
    for linked in &work.linked {
        let times = cells(linked.sizes.iter().map(|s| s.linked.value).collect());
        let _ = writeln!(body, "<tr><td>chip, {}</td>{times}</tr>", escaped(&linked.link));
    }
    format!(
        "<div class=\"scroll\"><table>\n<tr><th>{} in one request</th>{heads}</tr>\n{body}</table></div>\n",
        escaped(work.unit)
    )
}

fn method(report: &Comparison) -> String {
    let links: String = report
        .links
        .iter()
        .map(|l| format!("<li>{} (computed): {}.</li>\n", escaped(&l.name), escaped(&l.assumptions)))
        .collect();
    format!(
        "<h2>Method</h2>\n<ul>\n\
         <li>Software (measured): this project's rules and its model of the chip, on the positions in their own forms, \
         the median of five runs with the range beside it. On several cores each does the whole work by itself. The \
         ratios are to the faster of the two on one core.</li>\n\
         <li>Chip (computed): clocks counted in simulation of the board's chip on the same positions, behind its byte port \
         (one byte a clock each way), times the clock above. Every answer was compared with the software's. For perft \
         the chip counts its clocks itself.</li>\n\
         <li>Link (computed): bytes of the very frames, stuffing, headers and checksums included; {UART_BITS} bits a byte \
         on a serial line. One request alone: round trip, bytes there, clocks and bytes back one after the other; further \
         frames in the time of the slowest of the three. Rates of positions are with many full requests in flight, of \
         expansions with the deepest walk.</li>\n{links}\
         <li>Break-even: the smallest request that is done sooner than by the fastest software on one core; \
         \"never\" where none is. It is the dot in the plots.</li>\n\
         <li>An expansion is a position one ply above the leaves, whose legal moves are counted.</li>\n\
         <li>Bars that are filled were measured, outlined ones computed. All axes of numbers are logarithmic.</li>\n\
         </ul>\n"
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::report::tests::by_hand;

    #[test]
    fn names_are_escaped_and_nothing_is_loaded() {
        let page = html(&by_hand());
        assert!(page.contains("Test &lt;board&gt;") && !page.contains("<board>"));
        assert!(!page.contains("http") && !page.contains("src=") && !page.contains("<script"));
        assert_eq!(page.matches("<svg").count(), 2);
    }
}
