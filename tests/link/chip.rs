//! The whole chip as a byte stream, and its Verilog.

use hayasashi_sim::{RtlChip, SimulatedChip};
use hayasashi_spec::{frame::*, opcode::*, registers::*, MAGIC};
use hayasashi_tests::link::{frame, frames};
use rust_hdl::prelude::*;

#[test]
fn info_and_echo() {
    let mut chip = RtlChip::default();
    chip.push(&frame(Opcode::Info as u8, 7, 0, &[]));
    let echo: Vec<u8> = (0..=255).collect();
    chip.push(&frame(Opcode::Echo as u8, 8, 0, &echo));
    for _ in 0..1500 {
        chip.step();
    }
    let mut bytes = Vec::new();
    chip.pull(&mut bytes);
    let answers = frames(&bytes);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0].0, Header { opcode: 0x81, status: 0, sequence: 7, count: 0, length: 64 });
    let info: Info = bytemuck::pod_read_unaligned(&answers[0].1);
    assert_eq!((info.magic, info.frames, info.bad_frames, info.board), (MAGIC, 1, 0, BOARD_SIMULATION));
    assert_eq!(answers[1], (Header { opcode: 0x82, status: 0, sequence: 8, count: 0, length: 256 }, echo));
}

/// Runs RustHDL's checks on a block and returns its Verilog; writes it to the folder `$HAYASASHI_VERILOG` if that is set.
fn verilog<B: Block>(name: &str, block: B) -> String {
    let text = hayasashi_hdl::verilog::of(block);
    if let Ok(folder) = std::env::var("HAYASASHI_VERILOG") {
        std::fs::write(format!("{folder}/{name}.v"), &text).unwrap();
    }
    text
}

#[test]
fn blocks_pass_the_checks() {
    use hayasashi_hdl::{link::*, top::*};
    let chip = hayasashi_hdl::config::ChipConfig::default();
    let divisor = baud::divisor(chip.clock_hz, chip.baud_hz).unwrap();
    verilog("crc32", crc32::Crc32::default());
    verilog("slip_decoder", slip_decoder::SlipDecoder::default());
    verilog("slip_encoder", slip_encoder::SlipEncoder::default());
    verilog("payload_buffer", payload_buffer::PayloadBuffer::default());
    verilog("descriptor_queue", descriptor_queue::DescriptorQueue::default());
    verilog("receiver", receiver::Receiver::default());
    verilog("transmitter", transmitter::Transmitter::default());
    verilog("registers", registers::Registers::new(&chip));
    verilog("dispatcher", dispatcher::Dispatcher::new(&chip));
    verilog("request_decoder", request_decoder::RequestDecoder::new(&chip));
    verilog("table_writer", table_writer::TableWriter::default());
    verilog("position_loader", position_loader::PositionLoader::default());
    verilog("answer_queue", answer_queue::AnswerQueue::default());
    verilog("server", server::Server::new(&chip));
    verilog("word_receiver", word_receiver::WordReceiver::default());
    verilog("word_transmitter", word_transmitter::WordTransmitter::default());
    verilog("answer_sender", answer_sender::AnswerSender::default());
    verilog("header_parser", header_parser::HeaderParser::default());
    verilog("buffer_usage", buffer_usage::BufferUsage::default());
    verilog("skid_buffer", skid_buffer::SkidBuffer::<8>::default());
    verilog("walk_controller", hayasashi_hdl::perft::walk_controller::WalkController::default());
    verilog("walker", hayasashi_hdl::perft::walker::Walker::new(1, 3));
    verilog("endpoint", endpoint::Endpoint::new(&chip));
    verilog("uart_rx", uart_rx::UartRx::new(divisor));
    verilog("uart_tx", uart_tx::UartTx::new(divisor));
    verilog("chip", chip::Chip::new(&chip));
    verilog("word_chip", word_chip::WordChip::new(&chip));
    verilog("uart_chip", uart_chip::UartChip::new(&chip).unwrap());
}

/// `cargo test --release -p hayasashi-tests --test link chip -- --ignored --nocapture` prints the speed of the simulated
/// chip.
#[test]
#[ignore = "a measurement"]
fn clocks_per_second() {
    for (name, request) in [("idle", vec![]), ("ECHO", frame(Opcode::Echo as u8, 0, 0, &[0x55; 1000]))] {
        let mut chip = RtlChip::default();
        let began = std::time::Instant::now();
        while chip.clocks() < 100_000 {
            if chip.pending() == 0 && chip.clocks() % 1100 == 0 {
                chip.push(&request);
            }
            chip.step();
        }
        let clocks = chip.clocks() as f64;
        println!(
            "{name}: {:.0} clocks a second, {:.1} passes a clock",
            clocks / began.elapsed().as_secs_f64(),
            chip.passes() as f64 / clocks
        );
    }
}
