//! A run done in parts: each part takes a disjoint share of its games or positions, and [`merge`] joins their files.
//!
//! The file of a part has the heading of the whole run, and a number in each record. The joined file is that of the run in one
//! piece: the command without `--part` continues from it, or prints the result if nothing is missing.

mod merge;

pub use merge::{merge, MergeError, Merged};

use std::{fmt, str::FromStr};

/// A share of a run, written as in `2/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// From 1.
    number: u64,
    of: u64,
}

impl Part {
    /// The run in one piece.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Whether the item with this number, from 0, is in the part.
    pub fn has(self, item: usize) -> bool {
        item as u64 % self.of == self.number - 1
    }

    /// The items below `count` that are in the part.
    pub fn items(self, count: usize) -> impl Iterator<Item = usize> {
        (0..count).filter(move |&item| self.has(item))
    }
}

impl Default for Part {
    fn default() -> Part {
        Part::WHOLE
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
            _ => Err("expected K/N with K from 1 to N, such as 2/8".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_all_items() {
        let parts: Vec<Part> = (1..=4).map(|k| format!("{k}/4").parse().unwrap()).collect();
        for item in 0..50 {
            assert_eq!(parts.iter().filter(|part| part.has(item)).count(), 1);
        }
        assert_eq!(parts[1].items(10).collect::<Vec<_>>(), [1, 5, 9]);
        assert_eq!(parts[1].to_string(), "2/4");
        assert!(Part::WHOLE.items(3).eq(0..3));
        for wrong in ["", "2", "0/4", "5/4", "1/0", "a/b", "-1/2", "1/4/4"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
