//! The plots of the report.

use super::matches::Proportion;
use crate::{
    compare::short,
    plot::{svg, COLOURS, FONT, GREY},
};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// Width of a plot in pixels.
const WIDTH: u32 = 860;
/// Width of the labels in pixels.
const LABEL_WIDTH: u32 = 360;

/// One bar of a chart: a measured proportion and the published one.
pub struct Bar {
    /// Label.
    pub name: String,
    /// Our result.
    pub measured: Proportion,
    /// The published result.
    pub published: Option<Proportion>,
}

/// A bar chart with error bars: our results are filled, published results are outlined.
pub fn bar_chart(bars: &[Bar], axis_label: &str) -> Option<String> {
    let count = bars.len();
    svg((WIDTH, 100 + 52 * count as u32), |area| {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(40)
            .margin_right(60)
            .x_label_area_size(40)
            .y_label_area_size(LABEL_WIDTH)
            .build_cartesian_2d(0.0..100.0, 0.0..count as f64)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.35))
            .light_line_style(GREY.mix(0.0))
            .x_label_formatter(&|v| format!("{v:.0} %"))
            .x_desc(axis_label)
            .label_style((FONT, 14))
            .draw()?;
        let written = |size, side| (FONT, size).into_text_style(area).pos(Pos::new(side, VPos::Center));
        let line = |from, to, style: ShapeStyle| PathElement::new(vec![from, to], style);
        chart.draw_series([line((50.0, 0.0), (50.0, count as f64), BLACK.mix(0.6).into())])?;
        for (index, bar) in bars.iter().enumerate() {
            let row = (count - 1 - index) as f64;
            let (_, y) = chart.backend_coord(&(0.0, row + 0.5));
            area.draw(&Text::new(bar.name.as_str(), (LABEL_WIDTH as i32, y), written(14, HPos::Right)))?;
            let published = bar.published.map(|share| (share, 0.08, COLOURS[1].stroke_width(2)));
            for (Proportion { value, error }, foot, style) in
                [Some((bar.measured, 0.52, COLOURS[0].filled())), published].into_iter().flatten()
            {
                let (value, head) = (100.0 * value, foot + 0.4);
                chart.draw_series([Rectangle::new([(0.0, row + foot), (value, row + head)], style)])?;
                let (low, high) = ((value - 100.0 * error).max(0.0), (value + 100.0 * error).min(100.0));
                let middle = row + (foot + head) / 2.0;
                let cap = |x| line((x, middle - 0.08), (x, middle + 0.08), BLACK.stroke_width(1));
                chart.draw_series([line((low, middle), (high, middle), BLACK.stroke_width(1)), cap(low), cap(high)])?;
                let text = Text::new(format!("{value:.1} %"), (6, 0), written(13, HPos::Left));
                chart.draw_series([EmptyElement::at((high, middle)) + text])?;
            }
        }
        let legend = [("here", COLOURS[0].filled()), ("published", COLOURS[1].stroke_width(2))];
        let shown = 1 + bars.iter().any(|bar| bar.published.is_some()) as usize;
        for (index, (name, style)) in legend.into_iter().take(shown).enumerate() {
            let (x, y) = (LABEL_WIDTH as i32 + 8 + 110 * index as i32, 14);
            area.draw(&Rectangle::new([(x, y), (x + 22, y + 12)], style))?;
            area.draw(&Text::new(name, (x + 30, y + 6), written(13, HPos::Left)))?;
        }
        Ok(())
    })
}

/// A line chart of nodes over plies, with a logarithmic axis; each line starts at ply 1.
pub fn nodes_by_ply(lines: &[(String, Vec<u64>)]) -> Option<String> {
    let plies = lines.iter().map(|(_, nodes)| nodes.len()).max().filter(|&plies| plies > 0)?;
    let most = lines.iter().flat_map(|(_, nodes)| nodes).max().copied().filter(|&most| most > 0)? as f64;
    svg((WIDTH, 420), |area| {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(30)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d(1.0..plies as f64, (1.0..most * 2.0).log_scale())?;
        chart
            .configure_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.35))
            .light_line_style(GREY.mix(0.0))
            .x_label_formatter(&|v| format!("{v:.0}"))
            .y_label_formatter(&|v| short(*v))
            .x_desc("plies from the root")
            .y_desc("nodes of all problems")
            .label_style((FONT, 14))
            .draw()?;
        for (index, (name, nodes)) in lines.iter().enumerate() {
            let style = COLOURS[index % COLOURS.len()].stroke_width(2);
            let points = nodes.iter().enumerate().filter(|(_, &n)| n > 0);
            let points = points.map(|(i, &n)| ((i + 1) as f64, n as f64));
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(name.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font((FONT, 14))
            .border_style(GREY.mix(0.5))
            .background_style(WHITE)
            .draw()?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_show_labels_and_numbers() {
        let share = |value| Proportion { value, error: 0.1 };
        let row = Bar { name: "this against that".into(), measured: share(0.613), published: Some(share(0.545)) };
        let text = bar_chart(&[row], "points").unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        for word in ["this against that", "61.3 %", "54.5 %", "published", "points"] {
            assert!(text.contains(word), "{word}");
        }
        let lines = nodes_by_ply(&[("one".into(), vec![30, 900, 0]), ("two".into(), vec![30])]).unwrap();
        assert!(lines.contains("one") && lines.contains("two") && lines.contains("plies"));
        assert_eq!(nodes_by_ply(&[("none".into(), vec![])]), None);
    }
}
