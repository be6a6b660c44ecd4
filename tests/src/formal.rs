//! The blocks that `hdl/formal` proves, as emitted Verilog.

use hayasashi_hdl::attacks::{legality::Legality, rays::Rays};
use hayasashi_hdl::evaluate::loader::Loader;
use hayasashi_hdl::link::{
    baud::divisor, crc32::Crc32, descriptor_queue::DescriptorQueue, payload_buffer::PayloadBuffer, receiver::Receiver,
    slip_decoder::SlipDecoder, slip_encoder::SlipEncoder, uart_rx::UartRx, uart_tx::UartTx, word_crc32::WordCrc32,
    word_receiver::WordReceiver,
};
use hayasashi_hdl::movegen::{
    answer_memory::AnswerMemory, arrivals::Arrivals, bank::Bank, bank_commands::BankCommands, count::Condense,
    count::Count, count::Merge, entry::Entry, fetch::Fetch, keep::Keep, make_move::MakeMove, orders::Orders,
    origin::Origin, pick::Pick, request_entry::RequestEntry, request_jobs::RequestJobs, targets::Targets, total::Total,
    trace::Trace,
};
use hayasashi_hdl::perft::schedule::Schedule;
use hayasashi_hdl::verilog::of;
use std::path::Path;

/// Clock and baud rate of the UARTs in the proofs: eight clocks per bit, the fastest link of the boards.
pub const UART_HZ: (u32, u32) = (24_000_000, 3_000_000);

/// Name and Verilog of each block. The module has the name of the block.
pub fn blocks() -> Vec<(&'static str, String)> {
    let rate = divisor(UART_HZ.0, UART_HZ.1).expect("eight clocks a bit");
    let blocks = [
        ("answer_memory", of(AnswerMemory::default())),
        ("arrivals", of(Arrivals::default())),
        ("bank", of(Bank::default())),
        ("bank_commands", of(BankCommands::default())),
        ("condense", of(Condense::default())),
        ("count", of(Count::default())),
        ("crc32", of(Crc32::default())),
        ("descriptor_queue", of(DescriptorQueue::default())),
        ("entry", of(Entry::default())),
        ("fetch", of(Fetch::default())),
        ("keep", of(Keep::default())),
        ("legality", of(Legality::default())),
        ("loader", of(Loader::default())),
        ("make_move", of(MakeMove::default())),
        ("merge", of(Merge::default())),
        ("orders", of(Orders::default())),
        ("origin", of(Origin::default())),
        ("pick", of(Pick::default())),
        ("payload_buffer", of(PayloadBuffer::default())),
        ("rays", of(Rays::default())),
        ("receiver", of(Receiver::default())),
        ("request_entry", of(RequestEntry::default())),
        ("request_jobs", of(RequestJobs::default())),
        ("schedule", of(Schedule::default())),
        ("slip_decoder", of(SlipDecoder::default())),
        ("slip_encoder", of(SlipEncoder::default())),
        ("targets", of(Targets::default())),
        ("total", of(Total::default())),
        ("trace", of(Trace::default())),
        ("uart_rx", of(UartRx::new(rate))),
        ("uart_tx", of(UartTx::new(rate))),
        ("word_crc32", of(WordCrc32::default())),
        ("word_receiver", of(WordReceiver::default())),
    ];
    blocks.map(|(name, verilog)| (name, named(name, &verilog))).into()
}

/// The outermost module is called `top`, the inner ones `top$…`. Two blocks in one proof need different names.
fn named(name: &str, verilog: &str) -> String {
    verilog.replace("module top(", &format!("module {name}(")).replace("top$", &format!("{name}$"))
}

/// Writes `<name>.v` for each block into a folder.
pub fn write_blocks(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    blocks().into_iter().try_for_each(|(name, verilog)| std::fs::write(folder.join(format!("{name}.v")), verilog))
}
