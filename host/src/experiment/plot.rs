//! The report's plots.

use crate::{
    compare::short,
    plot::{svg, COLOURS, FONT, GREY},
};
use plotters::{
    coord::ranged1d::SegmentValue,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

const WIDTH: u32 = 860;
const NAMES: u32 = 360;

/// A share from 0 to 1, with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// The error.
    pub error: f64,
}

/// What was found, beside what was published.
pub struct Bar {
    /// Of what.
    pub name: String,
    /// Here.
    pub found: Share,
    /// There.
    pub published: Option<Share>,
}

/// Shares as bars with error bars: filled what was found, outlined what was published.
pub fn bars(bars: &[Bar], what: &str) -> Option<String> {
    let count = bars.len();
    svg((WIDTH, 90 + 52 * count as u32), |area| {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(30)
            .x_label_area_size(40)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(0.0..100.0, (0..count).into_segmented())?;
        let name = |at: &SegmentValue<usize>| match at {
            SegmentValue::CenterOf(i) if *i < count => bars[count - 1 - i].name.clone(),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .axis_style(GREY)
            .bold_line_style(GREY.mix(0.35))
            .light_line_style(GREY.mix(0.0))
            .x_label_formatter(&|v| format!("{v:.0} %"))
            .x_desc(what)
            .y_labels(count + 1)
            .y_label_formatter(&name)
            .label_style((FONT, 14))
            .draw()?;
        let (left, right) = (SegmentValue::Exact(0), SegmentValue::Exact(count));
        chart.draw_series([PathElement::new([(50.0, left), (50.0, right)], BLACK.mix(0.6))])?;
        for (index, bar) in bars.iter().enumerate() {
            let at = count - 1 - index;
            let shares =
                [(Some(bar.found), COLOURS[0].filled(), (28, 4)), (bar.published, COLOURS[1].stroke_width(2), (4, 28))];
            for (share, style, (below, above)) in shares {
                let Some(Share { value, error }) = share else { continue };
                let corners = [(0.0, SegmentValue::Exact(at)), (100.0 * value, SegmentValue::Exact(at + 1))];
                let mut shape = Rectangle::new(corners, style);
                shape.set_margin(above, below, 0, 0);
                chart.draw_series([shape])?;
                // The middle of its half of the row, in pixels from the middle of the row.
                let off = (above as i32 - below as i32) / 2;
                let pixel =
                    |share: f64| chart.backend_coord(&(100.0 * share.clamp(0.0, 1.0), SegmentValue::CenterOf(at)));
                let ((low, y), (high, _)) = (pixel(value - error), pixel(value + error));
                let whisker = |from, to| PathElement::new(vec![from, to], BLACK.stroke_width(1));
                let y = y + off;
                area.draw(&whisker((low, y), (high, y)))?;
                area.draw(&whisker((low, y - 4), (low, y + 4)))?;
                area.draw(&whisker((high, y - 4), (high, y + 4)))?;
                let text = format!("{:.1} %", 100.0 * value);
                let style = (FONT, 13).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
                area.draw(&Text::new(text, (high + 6, y), style))?;
            }
        }
        let published = bars.iter().any(|bar| bar.published.is_some());
        let legend = [("here", COLOURS[0].filled()), ("published", COLOURS[1].stroke_width(2))];
        for (index, (name, style)) in legend.into_iter().take(1 + published as usize).enumerate() {
            let (x, y) = (12, 12 + 20 * index as i32);
            area.draw(&Rectangle::new([(x, y), (x + 22, y + 12)], style))?;
            area.draw(&Text::new(name, (x + 30, y), (FONT, 13)))?;
        }
        Ok(())
    })
}

/// Numbers of nodes over plies, logarithmic, a line for each name; the first is ply 1.
pub fn by_ply(lines: &[(String, Vec<u64>)]) -> Option<String> {
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
    fn plots_have_their_words_and_numbers() {
        let share = |value| Share { value, error: 0.1 };
        let row = Bar { name: "this against that".into(), found: share(0.613), published: Some(share(0.545)) };
        let text = bars(&[row], "points").unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        for word in ["this against that", "61.3 %", "54.5 %", "published", "points"] {
            assert!(text.contains(word), "{word}");
        }
        let lines = by_ply(&[("one".into(), vec![30, 900, 0]), ("two".into(), vec![30])]).unwrap();
        assert!(lines.contains("one") && lines.contains("two") && lines.contains("plies"));
        assert_eq!(by_ply(&[("none".into(), vec![])]), None);
    }
}
