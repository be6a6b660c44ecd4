//! Shogi engine and tools for the Hayasashi co-processor.

fn main() -> std::process::ExitCode {
    hayasashi::cli::main()
}
