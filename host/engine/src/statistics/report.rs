//! What was counted, for people: every category with its counts and probabilities, and the frequent sequences.

use super::{
    category::{Category, GROUP_NAMES, LEVELS},
    logarithm::{cost, probability, HALVING},
    move_counts::{Cell, Cells, MoveCounts},
    phase::Phase,
    sequence_counts::SequenceCounts,
    table::total,
};
use std::fmt::Write as _;

/// All categories that were possible, the exact ones first, then the coarser ones, each by how often it was possible.
/// A probability is of all phases together, then by phase; `-` where it was never possible.
pub fn report(statistics: &MoveCounts) -> String {
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

/// The sequences that were played often and oftener than by chance, at most so many, the weightiest first: how often, in how
/// many of the times that the first two moves were played, how many times more often than by chance, and the entropy of
/// what was played after these two.
pub fn sequences(counted: &SequenceCounts, most: usize) -> String {
    let entropies = counted.entropies();
    let mut text =
        format!("{:>9} {:>9} {:>9} {:>11} {:>8}  sequence\n", "played", "begun", "share", "association", "entropy");
    for (sequence, known) in counted.frequent().into_iter().take(most) {
        let [first, second, _] = sequence.patterns();
        let share = 100.0 * known.played as f64 / known.begun as f64;
        let association = known.association as f64 / HALVING as f64;
        let entropy = entropies.get(&[first, second.unmirrored()]).copied().unwrap_or_default();
        let (played, begun) = (known.played, known.begun);
        let _ = writeln!(text, "{played:>9} {begun:>9} {share:>7.1} % {association:>11.1} {entropy:>8.2}  {sequence}");
    }
    text
}

/// What was counted, in a few lines.
pub fn heading(statistics: &MoveCounts) -> String {
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
