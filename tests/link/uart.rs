//! Bytes through the UART blocks, bit by bit, with clocks that differ by up to 2 %.

use hayasashi_hdl::{
    config::ChipConfig,
    link::{baud::divisor, uart_rx::UartRx, uart_tx::UartTx},
};
use hayasashi_sim::{LineReader, LineWriter, Stepper, UartLine};
use hayasashi_spec::{opcode::Opcode, registers::Info};
use hayasashi_tests::image_from_sfen;
use hayasashi_tests::link::{frame, frames};

const RATES: [(u32, u32); 5] = [
    (25_000_000, 3_000_000),
    (48_000_000, 3_000_000),
    (60_000_000, 3_000_000),
    (62_500_000, 3_000_000),
    (1_843_200, 115_200),
];

#[test]
fn the_receiver_tolerates_two_percent() {
    for (clock_hz, baud_hz) in RATES {
        for mismatch in [-0.02, 0.0, 0.02] {
            for phase in [0.0, 0.5, 0.99] {
                let mut uart = Stepper::new(UartRx::new(divisor(clock_hz, baud_hz).unwrap()));
                let mut line = LineWriter::new(clock_hz as f64 / baud_hz as f64 * (1.0 + mismatch), phase);
                let bytes: Vec<u8> = (0..=255).step_by(3).chain([0, 255, 0, 255]).collect();
                line.push(&bytes);
                let mut got = Vec::new();
                let mut tail = 0;
                while tail < 200 {
                    tail += line.idle() as u32;
                    uart.block.line.next = line.level();
                    uart.settle();
                    if uart.block.valid.val() {
                        got.push(uart.block.data.val().to_u8());
                    }
                    assert!(!uart.block.framing_error.val(), "{clock_hz} {baud_hz} {mismatch} {phase}");
                    uart.rise();
                }
                assert_eq!(got, bytes, "{clock_hz} Hz, {baud_hz} baud, {mismatch}, {phase}");
            }
        }
    }
}

#[test]
fn the_transmitter_is_readable_at_two_percent() {
    for (clock_hz, baud_hz) in RATES {
        for mismatch in [-0.02, 0.0, 0.02] {
            let mut uart = Stepper::new(UartTx::new(divisor(clock_hz, baud_hz).unwrap()));
            let mut line = LineReader::new(clock_hz as f64 / baud_hz as f64 * (1.0 + mismatch));
            let bytes: Vec<u8> = (0..=255).step_by(3).collect();
            let mut next = bytes.iter();
            let mut byte = next.next();
            let mut tail = 0;
            while tail < 300 {
                tail += byte.is_none() as u32;
                uart.block.valid.next = byte.is_some();
                uart.block.data.next = (*byte.unwrap_or(&0) as u64).into();
                uart.settle();
                if uart.block.ready.val() {
                    byte = next.next();
                }
                line.sample(uart.block.line.val());
                uart.rise();
            }
            assert_eq!((line.bytes, line.framing_errors), (bytes, 0), "{clock_hz} Hz, {baud_hz} baud, {mismatch}");
        }
    }
}

#[test]
fn a_missing_stop_bit_drops_the_byte() {
    let mut uart = Stepper::new(UartRx::new(divisor(48_000_000, 3_000_000).unwrap()));
    let (mut valid, mut errors) = (0, 0);
    // A break of 20 bits, then an idle line, a glitch of 4 clocks, and a valid byte.
    let mut levels = vec![false; 320];
    levels.extend([true; 100]);
    levels.extend([false; 4]);
    levels.extend([true; 100]);
    let mut line = LineWriter::new(16.0, 0.0);
    line.push(&[0x5A]);
    levels.extend((0..300).map(|_| line.level()));
    for level in levels {
        uart.block.line.next = level;
        uart.settle();
        valid += uart.block.valid.val() as u32;
        errors += uart.block.framing_error.val() as u32;
        assert!(!uart.block.valid.val() || uart.block.data.val().to_u8() == 0x5A);
        uart.rise();
    }
    assert_eq!((valid, errors), (1, 1));
}

#[test]
fn the_chip_answers_over_its_uart() {
    for mismatch in [-0.02, 0.02] {
        let chip = ChipConfig { clock_hz: 25_000_000, ..ChipConfig::default() };
        let mut line = UartLine::new(&chip, mismatch).unwrap();
        let payload = [0xC0, 0xDB, 0x00, 0xFF, 0x55];
        line.push(&frame(Opcode::Echo as u8, 1, 0, &payload));
        line.push(&frame(Opcode::Info as u8, 2, 0, &[]));
        let mut bytes = Vec::new();
        for _ in 0..14_000 {
            line.step();
        }
        line.pull(&mut bytes);
        let answers = frames(&bytes);
        assert_eq!(line.framing_errors(), 0);
        assert_eq!(answers.len(), 2);
        assert_eq!((answers[0].0.opcode, &answers[0].1[..]), (0x82, &payload[..]));
        assert_eq!((answers[1].0.opcode, answers[1].1.len()), (0x81, 64));
    }
}

/// Steps for so many clocks; what the chip has sent until then.
fn after(line: &mut UartLine, clocks: u64) -> Vec<u8> {
    let (mut bytes, end) = (Vec::new(), line.clocks() + clocks);
    while line.clocks() < end {
        line.step();
    }
    line.pull(&mut bytes);
    bytes
}

/// The registers, asked for over the line.
fn info(line: &mut UartLine) -> Info {
    line.push(&frame(Opcode::Info as u8, 7, 0, &[]));
    let answers = frames(&after(line, 20_000));
    assert_eq!((answers.len(), answers[0].0.opcode, answers[0].0.sequence), (1, 0x81, 7));
    bytemuck::pod_read_unaligned(&answers[0].1)
}

/// A line at 16 clocks a bit, on which a break of 2 ms takes 3,686 clocks; and a walk that would take days, with a damaged frame and
/// part of another behind it.
fn busy_line() -> UartLine {
    let chip = ChipConfig { clock_hz: 1_843_200, baud_hz: 115_200, ..ChipConfig::default() };
    let mut line = UartLine::new(&chip, 0.0).unwrap();
    let position = image_from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1").0.bytes;
    line.push(&frame(Opcode::Perft as u8, 1, 0, &[&[8, 0, 0, 0], &position[..]].concat()));
    line.push(&[0xC0, 1, 2, 0xC0, 0xDB]);
    assert!(after(&mut line, 16_000).is_empty());
    line
}

#[test]
fn a_break_resets_the_chip_in_the_middle_of_a_walk() {
    let mut line = busy_line();
    // Too short: the longest byte, and a low line of nearly two milliseconds.
    line.push(&[0; 30]);
    after(&mut line, 30 * 160 + 100);
    line.is_broken = true;
    after(&mut line, 3_500);
    line.is_broken = false;
    line.push(&frame(Opcode::Info as u8, 7, 0, &[]));
    let said = after(&mut line, 20_000);
    assert!(said.is_empty(), "the walk is over: {said:02X?}");
    line.is_broken = true;
    after(&mut line, 3_800);
    line.is_broken = false;
    // The break ends in the middle of the reset.
    after(&mut line, 1_200);
    let registers = info(&mut line);
    assert_eq!((registers.frames, registers.bad_frames, registers.positions), (1, 0, 0));
    // They are read when they are sent: 1,200 clocks, the request's 14 bytes, and 56 bytes of the answer.
    assert!(registers.clocks < 13_000, "{} clocks since the break", registers.clocks);
    assert_eq!(info(&mut line).frames, 2);
}

#[test]
fn the_reset_of_the_uart_chip_is_taken_at_any_time() {
    let mut line = busy_line();
    line.set_reset(true);
    line.step();
    line.set_reset(false);
    after(&mut line, 1_200);
    let registers = info(&mut line);
    assert_eq!((registers.frames, registers.bad_frames, registers.positions), (1, 0, 0));
}
