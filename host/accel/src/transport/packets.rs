//! A chip whose words come in packets, as they do from one behind DMA.

use super::{SimulationStatistics, StreamChip};
use hayasashi_spec::word_frame::{frame_words, header, Framing, FILLER, PACKET_BYTES, WORD_BYTES};
use std::{io, time::Duration};

/// A chip behind a word port, with fillers behind its answers until a packet is full ([`hayasashi_spec::word_frame`]).
pub struct PacketChip<C> {
    chip: C,
    /// Bytes of the packet that is under way.
    filled: usize,
    /// Words of the answer that is under way, as far as they have not come yet.
    answer_words: usize,
}

impl<C: StreamChip> PacketChip<C> {
    /// Puts the answers of a chip behind its word port into packets.
    pub fn new(chip: C) -> PacketChip<C> {
        assert_eq!(chip.framing(), Framing::Words, "packets are of words");
        PacketChip { chip, filled: 0, answer_words: 0 }
    }

    /// Follows the answers, to know where one ends.
    fn follow(&mut self, bytes: &[u8]) {
        for word in bytes.chunks_exact(WORD_BYTES) {
            let word = u64::from_le_bytes(word.try_into().expect("a chunk is a word"));
            self.answer_words = match self.answer_words {
                0 if word == FILLER => 0,
                0 => frame_words(header(word).length.into()) - 1,
                left => left - 1,
            };
        }
        self.filled = (self.filled + bytes.len()) % PACKET_BYTES;
    }
}

impl<C: StreamChip> StreamChip for PacketChip<C> {
    fn name(&self) -> String {
        self.chip.name()
    }

    fn framing(&self) -> Framing {
        Framing::Words
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        self.chip.push(bytes)
    }

    fn step(&mut self) -> io::Result<bool> {
        self.chip.step()
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let bytes = self.chip.pull(buffer);
        if bytes > 0 || self.answer_words > 0 || self.filled == 0 {
            self.follow(&buffer[..bytes]);
            return bytes;
        }
        let missing = PACKET_BYTES - self.filled;
        let bytes = missing.min(buffer.len() - buffer.len() % WORD_BYTES);
        let fillers = FILLER.to_le_bytes();
        buffer[..bytes].chunks_exact_mut(WORD_BYTES).for_each(|word| word.copy_from_slice(&fillers));
        self.filled = (self.filled + bytes) % PACKET_BYTES;
        bytes
    }

    fn reply_timeout(&self) -> Duration {
        self.chip.reply_timeout()
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        self.chip.simulation_statistics()
    }
}
