//! A recorded tree as a picture.

use super::{text::signed, Node, Tree, Turn};
use crate::plot::{self, Area, DrawError, FONT};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

/// Distance of neighbouring leaves in pixels.
const ROW_HEIGHT: i32 = 30;
/// From a node to the line that its children branch off.
const TRUNK: i32 = 14;
/// Width of a character of a label, and room before and after the label.
const LETTER_WIDTH: i32 = 7;
const LABEL_ROOM: i32 = 12;
/// Half the width and half the height of a node.
const NODE: (i32, i32) = (19, 11);
const MARGIN: i32 = 20;
/// Colours of Max, Min, chance nodes and cut-offs.
static COLOURS: [RGBColor; 4] = [plot::COLOURS[0], plot::COLOURS[1], plot::COLOURS[2], plot::COLOURS[3]];

/// Where the nodes are: plies from left to right, leaves from top to bottom.
struct Layout {
    /// The row of each node, from 0; a node is in the middle of its children.
    rows: Vec<f64>,
    /// The row of the stub of each node with skipped moves.
    stubs: Vec<f64>,
    /// Room for a label, in pixels.
    label_width: i32,
}

impl Layout {
    fn at(&self, tree: &Tree, node: usize) -> (i32, i32) {
        let column = self.label_width + TRUNK + 2 * NODE.0;
        (MARGIN + NODE.0 + tree.nodes[node].depth as i32 * column, row(self.rows[node]))
    }
}

fn row(row: f64) -> i32 {
    MARGIN + (row * ROW_HEIGHT as f64) as i32 + ROW_HEIGHT / 2
}

/// The tree as SVG: boxes for Max, circles for Min, diamonds for chance nodes, each with its value, and the moves beside the
/// nodes that they lead to. A crossed-out stub shows the number of moves skipped by a cut-off. `None` for an empty tree.
pub fn svg(tree: &Tree) -> Option<String> {
    let deepest = tree.nodes.iter().map(|node| node.depth).max()? as i32;
    let longest = tree.nodes.iter().map(|node| node.label.chars().count()).max()? as i32;
    let label_width = longest.max(3) * LETTER_WIDTH + LABEL_ROOM;
    let mut layout = Layout { rows: vec![0.0; tree.nodes.len()], stubs: vec![0.0; tree.nodes.len()], label_width };
    let rows = layout.place(tree, 0, 0.0);
    let width = 2 * MARGIN + 2 * NODE.0 + deepest * (label_width + TRUNK + 2 * NODE.0) + TRUNK + label_width;
    let height = 2 * MARGIN + (rows * ROW_HEIGHT as f64) as i32;
    plot::svg((width as u32, height as u32), |area| {
        area.fill(&WHITE)?;
        for (i, node) in tree.nodes.iter().enumerate() {
            let from = layout.at(tree, i);
            for &child in &node.children {
                edge(area, from, layout.at(tree, child), &tree.nodes[child].label)?;
            }
            if node.skipped > 0 {
                cut_off(area, from, row(layout.stubs[i]), node.skipped)?;
            }
        }
        tree.nodes.iter().enumerate().try_for_each(|(i, node)| shape(area, layout.at(tree, i), node))
    })
}

/// Writes a text around a point.
fn centred(area: &Area, text: String, at: (i32, i32), size: i32, colour: &'static RGBColor) -> Result<(), DrawError> {
    let style = (FONT, size).into_text_style(area).color(colour).pos(Pos::new(HPos::Center, VPos::Center));
    Ok(area.draw(&Text::new(text, at, style))?)
}

/// Draws a line to a child, with the move above its last part.
fn edge(area: &Area, (x, y): (i32, i32), (to_x, to_y): (i32, i32), label: &str) -> Result<(), DrawError> {
    let (trunk, end) = (x + NODE.0 + TRUNK, to_x - NODE.0);
    area.draw(&PathElement::new(vec![(x, y), (trunk, y), (trunk, to_y), (end, to_y)], BLACK.mix(0.5)))?;
    centred(area, label.into(), ((trunk + end) / 2, to_y - 8), 11, &BLACK)
}

/// Draws the crossed-out stub of skipped moves in its row, with their number.
fn cut_off(area: &Area, (x, y): (i32, i32), row: i32, skipped: usize) -> Result<(), DrawError> {
    let (colour, trunk) = (&COLOURS[3], x + NODE.0 + TRUNK);
    area.draw(&PathElement::new(vec![(x + NODE.0, y), (trunk, y), (trunk, row), (trunk + 14, row)], colour))?;
    area.draw(&PathElement::new(vec![(trunk + 4, row + 5), (trunk + 10, row - 5)], colour.stroke_width(2)))?;
    centred(area, skipped.to_string(), (trunk + 26, row), 11, colour)
}

/// Draws the shape and the value of a node.
fn shape(area: &Area, (x, y): (i32, i32), node: &Node) -> Result<(), DrawError> {
    let colour = match node.turn {
        Turn::Max => COLOURS[0],
        Turn::Min => COLOURS[1],
        Turn::Chance => COLOURS[2],
    };
    let (half_width, half_height) = NODE;
    let [left, right, top, bottom] = [x - half_width, x + half_width, y - half_height, y + half_height];
    let corners = || vec![(left, y), (x, top - 2), (right, y), (x, bottom + 2), (left, y)];
    for style in [WHITE.filled(), colour.stroke_width(2)] {
        match node.turn {
            Turn::Max => {
                area.draw(&Rectangle::new([(left, top), (right, bottom)], style))?;
            }
            Turn::Min => area.draw(&Circle::new((x, y), half_height + 2, style))?,
            Turn::Chance if style.filled => area.draw(&Polygon::new(corners(), style))?,
            Turn::Chance => area.draw(&PathElement::new(corners(), style))?,
        }
    }
    centred(area, signed(node.value), (x, y), 12, &BLACK)
}

impl Layout {
    /// Assigns rows to a subtree: leaves one below the other from `top`. Returns the number of rows.
    fn place(&mut self, tree: &Tree, at: usize, top: f64) -> f64 {
        let node = &tree.nodes[at];
        let mut taken = 0.0;
        for &child in &node.children {
            taken += self.place(tree, child, top + taken);
        }
        self.rows[at] = match (node.children.first(), node.children.last()) {
            (Some(&first), Some(&last)) => (self.rows[first] + self.rows[last]) / 2.0,
            _ => top,
        };
        if node.skipped > 0 {
            self.stubs[at] = top + taken;
            taken += 1.0;
        }
        taken.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::textbook::{search, Method, SplitNim, TreeLimits};

    /// Numbers of the attributes of this name, in the elements of this kind.
    fn numbers(picture: &str, element: &str, attribute: &str) -> Vec<f64> {
        let elements = picture.split('<').filter(|part| part.starts_with(&format!("{element} ")));
        let value = |part: &str| part.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next()?.parse().ok();
        elements.filter_map(value).collect()
    }

    #[test]
    fn wide_trees_are_tall_and_labels_are_beside_their_nodes() {
        let mut tree = Tree::new(1000);
        let limits = TreeLimits { depth: 3, extension: 0 };
        search(&"7 5".parse::<SplitNim>().unwrap(), Method::Minimax, limits, Some(&mut tree));
        let picture = svg(&tree).unwrap();
        let [width, height] = ["width", "height"].map(|name| numbers(&picture, "svg", name)[0]);
        assert!(width < 600.0 && height > width, "{width} x {height}");
        // Every label is on the line to its node: less than a row above it, and left of it.
        let texts: Vec<(f64, f64)> =
            numbers(&picture, "text", "x").into_iter().zip(numbers(&picture, "text", "y")).collect();
        assert_eq!(texts.len(), 2 * tree.nodes.len() - 1, "a value for each node, a label for each but the root");
        let (labels, values) = texts.split_at(tree.nodes.len() - 1);
        for &(x, y) in labels {
            let beside = |&&(to_x, to_y): &&(f64, f64)| to_x > x && to_x - x < 80.0 && (to_y - y - 8.0).abs() < 2.0;
            assert_eq!(values.iter().filter(beside).count(), 1, "({x}, {y})");
        }
    }
}
