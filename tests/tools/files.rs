//! The commands that make and read files of their own: tables, scored positions, endgame databases.

use hayasashi_tests::program::run;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_table_is_written_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table");
    let name = file.to_str().unwrap();
    let (code, out, _) = run(&["table", "--out", name, "--json"]);
    assert_eq!((code, &json(&out)["bytes"]), (0, &Value::from(hayasashi_spec::table::TABLE_BYTES)));
    let built_in = run(&["eval", "--backend", "model"]).1;
    assert_eq!(run(&["eval", "--backend", "model", "--table", name]).1, built_in);
    std::fs::write(&file, "no table").unwrap();
    let (code, _, err) = run(&["eval", "--backend", "model", "--table", name]);
    assert!(code == 2 && err.contains(name), "{err}");
}

#[test]
fn a_table_is_exported_edited_and_imported() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [text, table, again] = ["table.txt", "table.hyet", "again.hyet"].map(path);
    assert_eq!(run(&["table", "--export", &text, "--out", &table]).0, 0);
    assert_eq!(run(&["table", "--import", &text, "--out", &again]).0, 0);
    assert_eq!(std::fs::read(&table).unwrap(), std::fs::read(&again).unwrap());
    let edited = std::fs::read_to_string(&text).unwrap().replacen("tempo ", "tempo 1", 1);
    std::fs::write(&text, edited).unwrap();
    assert_eq!(run(&["table", "--import", &text, "--out", &again]).0, 0);
    assert_ne!(run(&["eval", "--backend", "model", "--table", &again]).1, run(&["eval", "--backend", "model"]).1);
    std::fs::write(&text, "version 1\ntempo ten\n").unwrap();
    let (code, _, err) = run(&["table", "--import", &text, "--out", &again]);
    assert!(code == 2 && err.contains(&text) && err.contains("line 2: `ten` is not a number"), "{err}");
    assert_eq!(run(&["table"]).0, 2);
}

#[test]
fn scored_positions_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [text, bin, hcpe, again] = ["a.tsv", "a.bin", "a.hcpe", "b.tsv"].map(path);
    let line = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1\t-35\t3c3d\twhite\n";
    std::fs::write(&text, line.repeat(3)).unwrap();
    for (from, to) in [(&text, &bin), (&bin, &hcpe), (&hcpe, &again)] {
        let (code, out, err) = run(&["convert", from, to, "--json"]);
        assert_eq!((code, &json(&out)["records"]), (0, &Value::from(3)), "{err}");
    }
    assert_eq!(std::fs::read_to_string(&again).unwrap(), line.repeat(3));
    let mut bytes = std::fs::read(&bin).unwrap();
    assert_eq!(bytes.len(), 120);
    bytes[40 + 38] = 7;
    std::fs::write(&bin, bytes).unwrap();
    let (code, _, err) = run(&["convert", &bin, &again]);
    assert!(code == 2 && err.contains("record 2: the result 7") && err.contains(&bin), "{err}");
    let (code, out, err) = run(&["convert", &bin, &again, "--skip-bad"]);
    assert!(code == 0 && out.contains("2 records, 1 left out") && err.contains("record 2"), "{out} {err}");
    let (code, _, err) = run(&["convert", &bin, &path("a.other")]);
    assert!(code == 2 && err.contains("does not tell its format"), "{err}");

    // Out of a game: positions with a score.
    let games = path("games.usi");
    let moves = "startpos moves 7g7f 3c3d 2g2f 8b3b";
    std::fs::write(&games, format!("black\t{moves}\t- 20 -15 -\n-\t{moves}\t1 2 3 4\n")).unwrap();
    let (code, out, err) = run(&["convert", &games, &again]);
    assert!(code == 0 && out.contains("2 records"), "{out} {err}");
    let expected = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\t20\t3c3d\tblack\n\
                    lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\t-15\t2g2f\tblack\n";
    assert_eq!(std::fs::read_to_string(&again).unwrap(), expected);
    std::fs::write(&games, format!("black\t{moves}\n")).unwrap();
    let (code, _, err) = run(&["convert", &games, &again]);
    assert!(code == 2 && err.contains("no position with score"), "{err}");
    assert_eq!(std::fs::read_to_string(&again).unwrap(), expected);
}

#[test]
fn an_endgame_database_is_made_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chicks.bin");
    let base = ["endgame", "animal", "--file", file.to_str().unwrap(), "--without", "giraffe", "--without", "elephant"];
    let with = |more: &[&str]| run(&[&base[..], more].concat());
    let (code, out, err) = with(&["--json"]);
    let report = json(&out);
    assert_eq!((code, &report["positions"], &report["start"]), (0, &24_789.into(), &"win".into()), "{out} {err}");
    let (_, out, _) = with(&["--position", ".l./.c./.C./.L. b -"]);
    assert!(out.starts_with(".l./.c./.C./.L. b -: win in 15 plies\n") && out.contains("b3b2  "), "{out}");
    // Another set of pieces, and a position of other pieces, are refused.
    let (code, _, err) = run(&["endgame", "animal", "--file", file.to_str().unwrap()]);
    assert!(code == 2 && err.contains("other pieces"), "{err}");
    let (code, _, err) = with(&["--position", "gle/.c./.C./ELG b -"]);
    assert!(code == 2 && err.contains("has not the pieces"), "{err}");
}
