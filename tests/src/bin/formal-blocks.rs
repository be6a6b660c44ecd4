//! Writes the Verilog of the blocks that `hdl/formal` proves: `formal-blocks FOLDER`.

fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: formal-blocks FOLDER");
        return 2.into();
    };
    match hayasashi_tests::formal::write_blocks(folder.as_ref()) {
        Ok(()) => 0.into(),
        Err(e) => {
            eprintln!("{}: {e}; name a folder that can be written", folder.to_string_lossy());
            1.into()
        }
    }
}
