//! What was counted, for people: every category with its counts and probabilities.

use super::{
    category::{Category, GROUP_NAMES, LEVELS},
    logarithm::{cost, probability},
    phase::Phase,
    statistics::{Cell, Cells, Statistics},
    table::total,
};
use std::fmt::Write as _;

/// All categories that were possible, the exact ones first, then the coarser ones, each by how often it was possible.
/// A probability is of all phases together, then by phase; `-` where it was never possible.
pub fn report(statistics: &Statistics) -> String {
    let mut text = heading(statistics);
    let mut levels: Vec<Vec<(Category, Cells)>> = vec![Vec::new(); LEVELS];
    for (category, cells) in statistics.categories() {
        let level = (0..LEVELS).rev().find(|&level| category.level(level) == category).unwrap_or(0);
        levels[level].push((category, cells));
    }
    let columns = |columns: [String; 6], name: &str| {
        let [played, possible, all, opening, end, last] = columns;
        format!("{played:>9} {possible:>9} {all:>9} {opening:>9} {end:>9} {last:>9}  {name}\n")
    };
    for mut categories in levels {
        categories.sort_by_key(|(category, cells)| (std::cmp::Reverse(total(*cells).possible), category.key()));
        let names = ["played", "possible", "all"].into_iter().chain(Phase::ALL.map(Phase::name)).map(String::from);
        let names: Vec<String> = names.collect();
        text.push('\n');
        text += &columns(names.try_into().expect("six names"), &GROUP_NAMES.join(" "));
        for (category, cells) in categories {
            let all = total(cells);
            let [opening, end, last] = cells.map(percent);
            let line = [all.played.to_string(), all.possible.to_string(), percent(all), opening, end, last];
            text += &columns(line, &category.to_string());
        }
    }
    text
}

/// What was counted, in a few lines.
pub fn heading(statistics: &Statistics) -> String {
    let positions: u64 = statistics.positions.iter().sum();
    let mut text = format!("{} games, {positions} positions, {} legal moves\n", statistics.games, statistics.moves);
    for (phase, count) in Phase::ALL.into_iter().zip(statistics.positions) {
        let part = 100.0 * count as f64 / positions.max(1) as f64;
        let _ = writeln!(text, "{:<8} {count} positions ({part:.1} %)", phase.name());
    }
    text
}

/// The probability that the search takes a cell for, in percent.
pub fn percent(cell: Cell) -> String {
    match cell.possible {
        0 => "-".into(),
        _ => format!("{:.3} %", 100.0 * probability(cost(cell.played, cell.possible))),
    }
}
