//! The plots of a comparison in SVG.

use super::{
    report::{Comparison, Workload},
    short,
    text::rows,
    Provenance,
};
use crate::plot::{self, Area, DrawError, COLOURS, FONT, GREY};
use plotters::{
    coord::ranged1d::SegmentValue,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// Width of a plot in pixels.
const WIDTH: u32 = 800;
/// Width of the labels in pixels.
const LABEL_WIDTH: u32 = 310;

/// Draws a plot. The XML namespace is removed: HTML does not need it, and the page must not contain an address.
fn svg(height: u32, draw: impl FnOnce(&Area) -> Result<(), DrawError>) -> Option<String> {
    let text = plot::svg((WIDTH, height), draw)?;
    Some(text.replace(" xmlns=\"http://www.w3.org/2000/svg\"", ""))
}

/// A bar chart of rates with a logarithmic axis; measured bars are filled, computed bars are outlined.
pub fn rates(work: &Workload, report: &Comparison) -> Option<String> {
    let bars: Vec<_> = rows(work, report).into_iter().filter_map(|row| Some((row.name, row.rate?))).collect();
    let values = bars.iter().map(|(_, rate)| rate.value);
    let (low, high) = range(values)?;
    let count = bars.len();
    svg(60 + 28 * count as u32, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(60)
            .x_label_area_size(34)
            .y_label_area_size(LABEL_WIDTH)
            .build_cartesian_2d((low..high).log_scale(), (0..count).into_segmented())?;
        let name = |at: &SegmentValue<usize>| match at {
            SegmentValue::CenterOf(i) if *i < count => bars[count - 1 - i].0.clone(),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.35))
            .light_line_style(GREY.mix(0.0))
            .x_label_formatter(&|v| short(*v))
            .x_desc(format!("{} a second", work.unit))
            .y_labels(count + 1)
            .y_label_formatter(&name)
            .label_style((FONT, 14))
            .draw()?;
        for (index, (name, rate)) in bars.iter().enumerate() {
            let at = count - 1 - index;
            let colour = COLOURS[if name.starts_with("chip") { 1 } else { 0 }];
            let corners = [(low, SegmentValue::Exact(at)), (rate.value, SegmentValue::Exact(at + 1))];
            let styles = match rate.basis {
                Provenance::Measured => vec![colour.filled()],
                Provenance::Simulated | Provenance::Computed => vec![colour.mix(0.3).filled(), colour.stroke_width(1)],
            };
            for style in styles {
                let mut bar = Rectangle::new(corners.clone(), style);
                bar.set_margin(5, 5, 0, 0);
                chart.draw_series([bar])?;
            }
            let label = (FONT, 13).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
            chart.draw_series([EmptyElement::at((rate.value, SegmentValue::CenterOf(at)))
                + Text::new(short(rate.value), (5, 0), label)])?;
        }
        Ok(())
    })
}

/// The time of one request over its size: the fastest software, and the chip over each link.
pub fn times(work: &Workload, report: &Comparison) -> Option<String> {
    let best = super::software::fastest(&work.software)?;
    let hz = report.device.clock_hz();
    let break_evens = work.linked.iter().flat_map(|l| l.break_even.value.map(|units| units.saturating_mul(10)));
    let shown = work.linked.iter().flat_map(|l| l.sizes.last().map(|s| s.units.saturating_mul(4)));
    let largest = (break_evens.chain(shown).max()? as f64).clamp(100.0, 1e9);
    let steps = 60;
    let sizes: Vec<f64> = (0..=steps).map(|i| largest.powf(i as f64 / steps as f64).round().max(1.0)).collect();
    let mut lines =
        vec![(format!("{}, 1 core", best.name), sizes.iter().map(|n| n / best.rate.value).collect::<Vec<_>>())];
    for (link, chip) in report.links.iter().filter_map(|link| Some((link, work.behind(link.port)?))) {
        let times = sizes.iter().map(|&n| link.seconds(&chip.cost, hz, n)).collect();
        lines.push((format!("chip, {}", link.name), times));
    }
    let (low, high) = range(lines.iter().flat_map(|(_, times)| times.iter().copied()))?;
    svg(360, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(30)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d((1.0..largest).log_scale(), (low..high).log_scale())?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.35))
            .light_line_style(GREY.mix(0.0))
            .x_label_formatter(&|v| short(*v))
            .y_label_formatter(&|v| super::duration(*v))
            .x_desc(format!("{} in one request", work.unit))
            .y_desc("time until the last answer")
            .label_style((FONT, 14))
            .draw()?;
        for (index, (name, times)) in lines.iter().enumerate() {
            let style = COLOURS[index % COLOURS.len()].stroke_width(2);
            chart
                .draw_series(LineSeries::new(sizes.iter().copied().zip(times.iter().copied()), style))?
                .label(name.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        }
        for linked in &work.linked {
            if let Some(units) = linked.break_even.value.map(|units| units as f64).filter(|units| *units <= largest) {
                let point = (units, units / best.rate.value);
                chart.draw_series([Circle::new(point, 5, COLOURS[0].filled())])?;
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font((FONT, 14))
            .border_style(GREY.mix(0.5))
            .draw()?;
        Ok(())
    })
}

/// The powers of ten that enclose the positive values.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values
        .filter(|v| v.is_finite() && *v > 0.0)
        .fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    let power = |v: f64| 10f64.powf(v);
    (high > 0.0).then(|| (power((low * 0.99).log10().floor()), power((high * 1.01).log10().ceil())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::report::tests::by_hand;

    #[test]
    fn plots_have_labels_and_no_address() {
        let report = by_hand();
        let work = &report.works[0];
        let (rates, times) = (rates(work, &report).unwrap(), times(work, &report).unwrap());
        for (plot, words) in [(&rates, "chip: 10.0 clocks a position"), (&times, "rules, 1 core")] {
            assert!(plot.starts_with("<svg") && plot.trim_end().ends_with("</svg>"), "{plot}");
            assert!(plot.contains(words) && !plot.contains("http"), "{plot}");
        }
    }

    #[test]
    fn axes_end_at_powers_of_ten() {
        assert_eq!(range([3.0, 250.0].into_iter()), Some((1.0, 1000.0)));
        assert_eq!(range([0.0].into_iter()), None);
    }
}
