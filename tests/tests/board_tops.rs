//! The emitted top level of every board: Verilator's lint, and a conversation through the UART pins of one board of each
//! family, with stand-ins of its primitives that obey their dividers.

use hayasashi::board::Board;

#[test]
fn emit() {
    for board in Board::all().unwrap() {
        let text = hayasashi_hdl::verilog::board(&board.config()).unwrap();
        if let Ok(folder) = std::env::var("HAYASASHI_VERILOG") {
            std::fs::write(format!("{folder}/{}.v", board.stem), &text).unwrap();
        }
    }
}
