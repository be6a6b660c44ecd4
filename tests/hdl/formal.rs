//! The proofs of `hdl/formal`, one test each, on the Verilog that is emitted now; those of `proved` are not made again while their
//! sources stay as they were.

use hayasashi_tests::{formal::write_blocks, skip};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Exit code of `hdl/formal/run` where the tools cannot be had.
const NO_TOOLS: i32 = 3;

fn run(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut command = Command::new(root.join("hdl/formal/run"));
    // Beside the build's own folders, wherever those are.
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap());
    command.args(arguments).current_dir(root).output().unwrap_or_else(|e| panic!("hdl/formal/run (it needs bash): {e}"))
}

/// The folder of the blocks' Verilog; the reason why there are no proofs where the tools cannot be had.
fn prepared() -> &'static Result<PathBuf, String> {
    static PREPARED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let setup = run(&["--setup"]);
        let said = String::from_utf8_lossy(&setup.stderr);
        match setup.status.code() {
            Some(0) => {}
            Some(NO_TOOLS) => return Err(format!("formal proofs: {}", said.trim())),
            code => panic!("hdl/formal/run --setup ended with {code:?}:\n{said}"),
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formal_blocks");
        write_blocks(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        Ok(folder)
    })
}

fn prove(name: &str) {
    let folder = match prepared() {
        Ok(folder) => folder,
        Err(want) => return skip(want),
    };
    let output = run(&["--recorded", "--verilog", folder.to_str().expect("a folder in UTF-8"), name]);
    let table = String::from_utf8_lossy(&output.stdout);
    print!("{table}");
    assert!(output.status.success(), "not proved:\n{table}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(table.contains("PASS") || table.contains("RECORDED"), "no task was run:\n{table}");
}

macro_rules! proofs {
    ($($name:ident)+) => {
        $(#[test] fn $name() { prove(stringify!($name)); })+

        #[test]
        fn every_proof_is_a_test_and_has_mutations() {
            let listed = run(&["--list"]);
            assert_eq!(String::from_utf8_lossy(&listed.stdout).split_whitespace().collect::<Vec<_>>(), [$(stringify!($name)),+]);
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/formal");
            for file in ["README.md", "mutations"] {
                $(assert!(folder.join(stringify!($name)).join(file).is_file(), "hdl/formal/{}/{file}", stringify!($name));)+
            }
        }
    };
}

proofs! {
    answer_memory attacks bank count crc32 descriptor_queue fetch legal loader make_move mate payload_buffer pick receiver requests
    reset schedule slip targets uart word_crc32 word_receiver
}
