//! Documents say what the code says. `HAYASASHI_UPDATE=1` rewrites them.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

#[test]
fn protocol_tables_are_generated() {
    let path = root().join("hdl/spec/PROTOCOL.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut expected = text.clone();
    for (name, table) in hayasashi_spec::doc::tables() {
        let start = format!("<!-- generated: {name} -->\n");
        let from = expected.find(&start).unwrap_or_else(|| panic!("no section {name}")) + start.len();
        let to = from + expected[from..].find("<!-- end -->").expect("an end");
        expected.replace_range(from..to, &table);
    }
    if std::env::var_os("HAYASASHI_UPDATE").is_some() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert!(text == expected, "{} has drifted from the code: run with HAYASASHI_UPDATE=1", path.display());
    }
}

/// Every gateware module of the move generator, the attack network, the position and the evaluator has its twin in
/// the model, as `ARCHITECTURE.md` promises, or is named there as having none.
#[test]
fn top_level_modules_of_gateware_have_a_model() {
    for module in ["attacks", "evaluate", "link", "movegen", "position"] {
        assert!(root().join("hdl/src").join(module).is_dir(), "hdl/src/{module}");
        assert!(root().join("host/model/src").join(module).is_dir(), "host/src/model/{module}");
    }
}
