//! `hayasashi --help`: the commands in groups.

use super::args::Arguments;
use clap::{Command, CommandFactory};
use std::fmt::Write;

/// The groups, each with its commands.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Play and analyse",
        &["analyze", "usi", "mate", "moves", "eval", "count", "expand", "perft", "search", "tree", "endgame"],
    ),
    ("The chip", &["info", "selftest", "verify", "compare", "monitor", "chip"]),
    ("Boards", &["build", "flash", "area", "release"]),
    ("Matches", &["match", "experiment", "bench", "csa"]),
    ("Many machines", &["cluster", "merge"]),
    ("Learning", &["learn", "book", "table", "convert"]),
    ("Other", &["help"]),
];

/// The parser of the arguments, with grouped commands in its help.
pub fn command() -> Command {
    let mut command = Arguments::command();
    // Adds the command `help`.
    command.build();
    let list = groups(&command);
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

fn groups(command: &Command) -> String {
    let width = command.get_subcommands().map(|c| c.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            let _ = writeln!(text, "  {name:width$}  {}", about.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = Arguments::command();
        command.build();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
