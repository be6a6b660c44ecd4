//! Text from outside in messages.

/// Most characters of a value that a message shows.
const SHOWN: usize = 80;

/// A value as messages show it: at most 80 characters with `…` for the rest, and escapes for characters that control a
/// terminal or reorder the text.
///
/// ```
/// use hayasashi_shogi::text::excerpt;
/// assert_eq!(excerpt("7g7f"), "7g7f");
/// assert_eq!(excerpt("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
/// assert_eq!(excerpt(&"x".repeat(20_000_000)).chars().count(), 81);
/// ```
pub fn excerpt(value: &str) -> String {
    let mut text = printable(value.chars().take(SHOWN));
    let has_more = value.chars().nth(SHOWN).is_some();
    if has_more || text.chars().count() > SHOWN {
        text = text.chars().take(SHOWN).collect();
        text.push('…');
    }
    text
}

/// A whole message with the same escapes, on one line.
pub fn one_line(message: &str) -> String {
    printable(message.chars().map(|c| if c == '\n' { ' ' } else { c }))
}

fn printable(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in text {
        match c {
            '\t' => out.push(' '),
            c if c.is_control() || reorders(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Marks and overrides of the direction of text, and separators of lines.
fn reorders(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_binary_values_are_cut_and_escaped() {
        assert_eq!(excerpt(&"歩".repeat(80)), "歩".repeat(80));
        assert_eq!(excerpt(&"歩".repeat(81)), "歩".repeat(80) + "…");
        let binary = excerpt(&String::from_utf8_lossy(&[0u8, 7, 27, 0xff, 0xfe, b'\n', 0x7f].repeat(1000)));
        assert!(binary.chars().count() == 81 && !binary.chars().any(char::is_control), "{binary}");
        assert_eq!(one_line("a\nb\rc\u{202E}d"), "a b\\u{d}c\\u{202e}d");
    }
}
