//! A recorded tree as text.

use super::{Node, Tree, Turn};
use std::fmt::Write;

/// One line for each node, indented by its depth: the move, the type (`▲` Max, `▼` Min, `◆` chance), the value, the window, and
/// the number of moves cut off.
pub fn text(tree: &Tree) -> String {
    let mut text = String::new();
    if !tree.nodes.is_empty() {
        line(tree, 0, "", "", &mut text);
    }
    text
}

fn line(tree: &Tree, at: usize, indent: &str, branch: &str, text: &mut String) {
    let node = &tree.nodes[at];
    let space = if node.label.is_empty() { "" } else { " " };
    let _ = write!(text, "{indent}{branch}{}{space}{} {}", node.label, symbol(node.turn), signed(node.value));
    if let Some(window) = node.window {
        let _ = write!(text, "  {}", bounds(window, tree));
    }
    if node.skipped > 0 {
        let _ = write!(text, "  ✂ {} cut off", node.skipped);
    }
    text.push('\n');
    let below = match branch {
        "" => indent.to_string(),
        "└ " => format!("{indent}  "),
        _ => format!("{indent}│ "),
    };
    for (i, &child) in node.children.iter().enumerate() {
        let last = i + 1 == node.children.len();
        line(tree, child, &below, if last { "└ " } else { "├ " }, text);
    }
}

fn symbol(turn: Turn) -> char {
    match turn {
        Turn::Max => '▲',
        Turn::Min => '▼',
        Turn::Chance => '◆',
    }
}

/// A value with its sign; fractional values with two decimal places.
pub fn signed(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:+}").replace("+0", "0")
    } else {
        format!("{value:+.2}")
    }
}

/// The window as `(alpha, beta)`; the root's bounds are shown as infinite.
fn bounds((alpha, beta): (i32, i32), tree: &Tree) -> String {
    let open = tree.nodes.first().and_then(|root: &Node| root.window);
    let low = if open.is_some_and(|o| o.0 == alpha) { "-∞".into() } else { signed(alpha as f64) };
    let high = if open.is_some_and(|o| o.1 == beta) { "∞".into() } else { signed(beta as f64) };
    format!("({low}, {high})")
}
