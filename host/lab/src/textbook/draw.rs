//! A recorded tree as a picture.

use super::{text::signed, Node, Tree, Turn};
use crate::plot::{self, Area, DrawError, FONT};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// Distance of neighbouring leaves in pixels.
const COLUMN_WIDTH: i32 = 46;
/// Distance of neighbouring plies in pixels.
const ROW_HEIGHT: i32 = 84;
const RADIUS: i32 = 17;
const MARGIN: i32 = 40;
/// Colours of Max, Min, chance nodes and cut-offs.
static COLOURS: [RGBColor; 4] = [plot::COLOURS[0], plot::COLOURS[1], plot::COLOURS[2], plot::COLOURS[3]];

/// The tree as SVG: boxes for Max, circles for Min, diamonds for chance nodes, each with its value. A crossed-out stub shows the
/// number of moves skipped by a cut-off. `None` for an empty tree.
pub fn svg(tree: &Tree) -> Option<String> {
    let deepest = tree.nodes.iter().map(|node| node.depth).max()? as i32;
    let mut columns = vec![0.0; tree.nodes.len()];
    let leaves = place(tree, 0, 0.0, &mut columns);
    let width = 2 * MARGIN + (leaves * COLUMN_WIDTH as f64) as i32;
    let height = 2 * MARGIN + deepest * ROW_HEIGHT + ROW_HEIGHT / 2;
    let at = |i: usize| {
        let x = MARGIN + (columns[i] * COLUMN_WIDTH as f64) as i32 + COLUMN_WIDTH / 2;
        (x, MARGIN + tree.nodes[i].depth as i32 * ROW_HEIGHT)
    };
    plot::svg((width as u32, height as u32), |area| {
        area.fill(&WHITE)?;
        for (i, node) in tree.nodes.iter().enumerate() {
            for &child in &node.children {
                edge(area, at(i), at(child), &tree.nodes[child].label)?;
            }
            if node.skipped > 0 {
                cut_off(area, at(i), node.skipped)?;
            }
        }
        tree.nodes.iter().enumerate().try_for_each(|(i, node)| shape(area, at(i), node))
    })
}

/// Writes a text around a point.
fn centred(area: &Area, text: String, at: (i32, i32), size: i32, colour: &'static RGBColor) -> Result<(), DrawError> {
    let style = (FONT, size).into_text_style(area).color(colour).pos(Pos::new(HPos::Center, VPos::Center));
    Ok(area.draw(&Text::new(text, at, style))?)
}

/// Draws a line to a child, with the move near the child.
fn edge(area: &Area, (x, y): (i32, i32), (to_x, to_y): (i32, i32), label: &str) -> Result<(), DrawError> {
    area.draw(&PathElement::new(vec![(x, y), (to_x, to_y)], BLACK.mix(0.5)))?;
    centred(area, label.into(), ((x + 3 * to_x) / 4, (y + 3 * to_y) / 4 - 9), 11, &BLACK)
}

/// Draws the crossed-out stub of skipped moves.
fn cut_off(area: &Area, (x, y): (i32, i32), skipped: usize) -> Result<(), DrawError> {
    let colour = &COLOURS[3];
    area.draw(&PathElement::new(vec![(x + 12, y + 12), (x + 26, y + 34)], colour.stroke_width(2)))?;
    area.draw(&PathElement::new(vec![(x + 14, y + 27), (x + 25, y + 19)], colour.stroke_width(2)))?;
    centred(area, skipped.to_string(), (x + 30, y + 42), 11, colour)
}

/// Draws the shape and the value of a node.
fn shape(area: &Area, (x, y): (i32, i32), node: &Node) -> Result<(), DrawError> {
    let colour = match node.turn {
        Turn::Max => COLOURS[0],
        Turn::Min => COLOURS[1],
        Turn::Chance => COLOURS[2],
    };
    let corners =
        || vec![(x - RADIUS - 3, y), (x, y - RADIUS), (x + RADIUS + 3, y), (x, y + RADIUS), (x - RADIUS - 3, y)];
    for style in [WHITE.filled(), colour.stroke_width(2)] {
        match node.turn {
            Turn::Max => {
                area.draw(&Rectangle::new([(x - RADIUS, y - RADIUS + 4), (x + RADIUS, y + RADIUS - 4)], style))?;
            }
            Turn::Min => area.draw(&Circle::new((x, y), RADIUS, style))?,
            Turn::Chance if style.filled => area.draw(&Polygon::new(corners(), style))?,
            Turn::Chance => area.draw(&PathElement::new(corners(), style))?,
        }
    }
    centred(area, signed(node.value), (x, y), 12, &BLACK)
}

/// Assigns columns to a subtree: leaves side by side from `left`, other nodes above the middle of their children. Returns the number
/// of columns.
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
