//! A visited tree as a picture.

use super::{text::signed, Tree, Turn};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

const ACROSS: i32 = 46;
const DOWN: i32 = 84;
const RADIUS: i32 = 17;
const MARGIN: i32 = 40;
const FONT: &str = "sans-serif";
/// Colours that are told apart by the colour-blind (Okabe and Ito, 2008): Max, Min, dice, and what is cut off.
static COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];

/// The tree as SVG: Max's positions are boxes, Min's circles, dice diamonds, each with its value; a crossed stump tells how many
/// moves a cut-off left out. `None` for an empty tree.
pub fn svg(tree: &Tree) -> Option<String> {
    let deepest = tree.nodes.iter().map(|node| node.depth).max()? as i32;
    let mut columns = vec![0.0; tree.nodes.len()];
    let leaves = place(tree, 0, 0.0, &mut columns);
    let width = 2 * MARGIN + (leaves * ACROSS as f64) as i32;
    let height = 2 * MARGIN + deepest * DOWN + DOWN / 2;
    let at = |i: usize| {
        let x = MARGIN + (columns[i] * ACROSS as f64) as i32 + ACROSS / 2;
        (x, MARGIN + tree.nodes[i].depth as i32 * DOWN)
    };
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width as u32, height as u32)).into_drawing_area();
        area.fill(&WHITE).ok()?;
        let middle = |size: i32, colour: &'static RGBColor| {
            (FONT, size).into_text_style(&area).color(colour).pos(Pos::new(HPos::Center, VPos::Center))
        };
        for (i, node) in tree.nodes.iter().enumerate() {
            let (x, y) = at(i);
            for &child in &node.children {
                let (to_x, to_y) = at(child);
                area.draw(&PathElement::new(vec![(x, y), (to_x, to_y)], BLACK.mix(0.5))).ok()?;
                let label = tree.nodes[child].label.clone();
                let between = ((x + 3 * to_x) / 4, (y + 3 * to_y) / 4 - 9);
                area.draw(&Text::new(label, between, middle(11, &BLACK))).ok()?;
            }
            if node.skipped > 0 {
                let (from, to) = ((x + 12, y + 12), (x + 26, y + 34));
                area.draw(&PathElement::new(vec![from, to], COLOURS[3].stroke_width(2))).ok()?;
                area.draw(&PathElement::new(vec![(x + 14, y + 27), (x + 25, y + 19)], COLOURS[3].stroke_width(2)))
                    .ok()?;
                area.draw(&Text::new(format!("{}", node.skipped), (x + 30, y + 42), middle(11, &COLOURS[3]))).ok()?;
            }
        }
        for (i, node) in tree.nodes.iter().enumerate() {
            let (x, y) = at(i);
            let colour = match node.turn {
                Turn::Max => COLOURS[0],
                Turn::Min => COLOURS[1],
                Turn::Chance => COLOURS[2],
            };
            for style in [WHITE.filled(), colour.stroke_width(2)] {
                let drawn = match node.turn {
                    Turn::Max => {
                        area.draw(&Rectangle::new([(x - RADIUS, y - RADIUS + 4), (x + RADIUS, y + RADIUS - 4)], style))
                    }
                    Turn::Min => area.draw(&Circle::new((x, y), RADIUS, style)),
                    Turn::Chance => {
                        let corners = vec![
                            (x - RADIUS - 3, y),
                            (x, y - RADIUS),
                            (x + RADIUS + 3, y),
                            (x, y + RADIUS),
                            (x - RADIUS - 3, y),
                        ];
                        match style.filled {
                            true => area.draw(&Polygon::new(corners, style)),
                            false => area.draw(&PathElement::new(corners, style)),
                        }
                    }
                };
                drawn.ok()?;
            }
            area.draw(&Text::new(signed(node.value), (x, y), middle(12, &BLACK))).ok()?;
        }
        area.present().ok()?;
    }
    Some(text)
}

/// Leaves side by side from `left` on, others in the middle of what is below them; gives the columns taken.
fn place(tree: &Tree, at: usize, left: f64, columns: &mut [f64]) -> f64 {
    let node = &tree.nodes[at];
    let mut taken = 0.0;
    for &child in &node.children {
        taken += place(tree, child, left + taken, columns);
    }
    columns[at] = match (node.children.first(), node.children.last()) {
        (Some(&first), Some(&last)) => (columns[first] + columns[last]) / 2.0,
        _ => left,
    };
    taken.max(1.0)
}
