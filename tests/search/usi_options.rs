//! The documents list the options as the engine's table does.

use hayasashi_engine::{
    search::{Parameters, Techniques},
    usi::{Options, UsiOption, OPTIONS},
};

fn document(name: &str) -> String {
    let file = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"))
}

#[test]
fn the_table_of_options_is_that_of_the_engine() {
    let defaults = Options::new("auto", None).unwrap();
    let row = |option: &UsiOption| {
        let (values, default) = (option.accepted(), option.value(&defaults));
        format!("| `{}` | {values} | `{default}` | {} |", option.name, option.meaning)
    };
    let expected: Vec<String> = OPTIONS.iter().map(row).collect();
    let text = document("engine.md");
    let table = text.lines().skip_while(|line| !line.starts_with("| option |")).skip(2);
    let stated: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(stated, expected, "docs/engine.md should have these rows:\n{}", expected.join("\n"));
}

#[test]
fn every_heuristic_is_described() {
    let text = document("techniques.md");
    for name in Techniques::NAMES {
        assert!(text.contains(&format!("`{name}`")), "docs/techniques.md does not mention `{name}`");
    }
}

#[test]
fn the_table_of_constants_is_that_of_the_engine() {
    let row = |p: &hayasashi_engine::search::Parameter| {
        format!("| `{}` | {} | {} to {} | {} | {} |", p.name, p.value, p.least, p.most, p.step, p.meaning)
    };
    let expected: Vec<String> = Parameters::ALL.iter().map(row).collect();
    let text = document("techniques.md");
    let table = text.lines().skip_while(|line| !line.starts_with("| constant |")).skip(2);
    let stated: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(stated, expected, "docs/techniques.md should have these rows:\n{}", expected.join("\n"));
}
