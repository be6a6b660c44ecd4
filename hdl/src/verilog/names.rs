//! Names that other people's designs can live with: no `top`, no `$`.

/// Names of modules begin with this one.
pub(super) const TOP: &str = "top";

/// Renames the module `top` and those below it, `top$link$receiver` and so on, to `<name>` and
/// `<name>__link__receiver`, and writes `__` for `$` in every other name too (`$` is Verilog, but not every tool reads it).
///
/// # Panics
/// If a name has `__` already, so that two names could become one.
pub fn released(verilog: &str, name: &str) -> String {
    let mut out = String::with_capacity(verilog.len() + verilog.len() / 8);
    let mut rest = verilog;
    let mut before = "";
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$') {
        out += &rest[..start];
        rest = &rest[start..];
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let (word, after) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
        assert!(!word.contains("__"), "`{word}`: `__` is kept for the `$` of paths; rename the signal");
        match word.strip_prefix(TOP) {
            // A system function.
            _ if word.starts_with('$') => out += word,
            Some("") if before == "module" => out += name,
            Some(below) if below.starts_with('$') => out.extend([name, &below.replace('$', "__")]),
            _ => out += &word.replace('$', "__"),
        }
        (before, rest) = (word, after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::released;

    #[test]
    fn modules_get_the_name_and_signals_lose_the_dollar() {
        let verilog =
            "module top(clock, top);\n    reg  [7:0] link$a;\n    top$link link(.a(link$a), .b($signed(8'hA0)));\n";
        let expected =
            "module x(clock, top);\n    reg  [7:0] link__a;\n    x__link link(.a(link__a), .b($signed(8'hA0)));\n";
        assert_eq!(released(verilog, "x"), expected);
    }

    #[test]
    #[should_panic(expected = "`link__a`")]
    fn a_name_that_could_be_taken_for_another_is_refused() {
        released("wire link__a, link$a;", "x");
    }
}
