//! A table of move probabilities, counted in game records.

use super::{checkpoint::replace, LearnError};
use hayasashi_engine::statistics::{
    move_counts::MoveCounts,
    report::{heading, report, sequences},
    sequence_counts::{count_sequences, SequenceCounts},
    MoveTable,
};
use hayasashi_shogi::records::RecordedGame;
use std::path::Path;

/// The counts of categories and sequences of moves in games, and their table.
pub struct MoveStatistics {
    /// How often each category of moves was possible and played.
    pub categories: MoveCounts,
    /// How often each sequence of three moves was played.
    pub sequences: SequenceCounts,
    /// The table of the categories and sequences that are frequent enough.
    pub table: MoveTable,
}

impl MoveStatistics {
    /// Counts the moves of games. `command` is the command line that the table names as its origin. Calls `on_game` after each
    /// game with the number of games; `None` if it returns false, which stops the count.
    pub fn count(games: &[RecordedGame], command: String, on_game: &dyn Fn(usize) -> bool) -> Option<MoveStatistics> {
        let mut categories = MoveCounts::default();
        for (i, game) in games.iter().enumerate() {
            categories.take(game);
            if !on_game(i + 1) {
                return None;
            }
        }
        let sequences = count_sequences(games);
        let totals: Vec<String> = heading(&categories).lines().map(String::from).collect();
        let table = MoveTable::of(&categories, &sequences, vec![command, totals.join("; ")]);
        Some(MoveStatistics { categories, sequences, table })
    }

    /// Writes the table.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_table(&self, file: &Path) -> Result<(), LearnError> {
        replace(file, self.table.to_text().as_bytes())
    }

    /// Writes every category with its counts and probabilities, and every frequent sequence.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_report(&self, file: &Path) -> Result<(), LearnError> {
        let text = format!("{}\n{}", report(&self.categories), sequences(&self.sequences, usize::MAX));
        replace(file, text.as_bytes())
    }
}
