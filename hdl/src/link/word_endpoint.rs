//! The link between a word port and the units.
//!
//! ```text
//!                      +--------------+
//!   clock, reset      ->              => words      `ports::WordPort`
//!   words             =>              =>            position: `ports::PositionSource`
//!   moves             =>              =>            moves: `ports::MoveClient`
//!   answers           => WordEndpoint =>            answers: `ports::WordSink`, the words of the unit's answer
//!   table             =>              =>            table: `ports::TableClient`
//!   walk, walk_counts =>              =>            walk: `ports::WalkLeader`, `ports::WalkCounts`
//!                     |               =>            walkers: `ports::SearchLeader`, one each
//!                      +--------------+
//! ```
//!
//! Handshake: on both sides of the word port a word passes in a clock with valid and ready. The units' ports are those of
//! `top::units`.
//! Latency, throughput: see `word_receiver`, `server`, `word_transmitter`. Model: `model/link`. Absent: the units.
//! Cost: see `constraints/AREA.md`.

use super::{server::Server, word_receiver::WordReceiver, word_transmitter::WordTransmitter};
use crate::config::ChipConfig;
use crate::ports::*;
use crate::search::seats::SEATS;
use rust_hdl::prelude::*;

/// The link between a word port and the units.
#[derive(LogicBlock, Default)]
pub struct WordEndpoint {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The word port.
    pub words: WordPort,
    /// A position for the units.
    pub position: PositionSource,
    /// The move generation unit.
    pub moves: MoveClient,
    /// The words of its oldest answer.
    pub answers: WordSink,
    /// The evaluation unit's table.
    pub table: TableClient,
    /// Orders to the units that walk; `busy` of any of them.
    pub walk: WalkLeader,
    /// What they count.
    pub walk_counts: WalkCounts,
    /// Orders to the walkers of searches.
    pub walkers: [SearchLeader; SEATS],
    receiver: WordReceiver,
    server: Server,
    transmitter: WordTransmitter,
}

impl WordEndpoint {
    /// The link of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        WordEndpoint { server: Server::new(chip), ..Default::default() }
    }
}

impl Logic for WordEndpoint {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, receiver, server, transmitter);
        PositionSource::link(&mut self.position, &mut self.server.position);
        MoveClient::link(&mut self.moves, &mut self.server.moves);
        WordSink::link(&mut self.answers, &mut self.server.answers);
        TableClient::link(&mut self.table, &mut self.server.table);
        WalkLeader::link(&mut self.walk, &mut self.server.walk);
        WalkCounts::link(&mut self.walk_counts, &mut self.server.walk_counts);
        for i in 0..4 {
            SearchLeader::link(&mut self.walkers[i], &mut self.server.walkers[i]);
        }
        HeaderSource::join(&mut self.server.header, &mut self.transmitter.header);
        WordSource::join(&mut self.server.words, &mut self.transmitter.words);
        self.receiver.reset.next = self.reset.val();
        self.server.reset.next = self.reset.val();
        self.transmitter.reset.next = self.reset.val();

        self.receiver.rx_valid.next = self.words.rx_valid.val();
        self.receiver.rx_data.next = self.words.rx_data.val();
        self.words.rx_ready.next = self.receiver.rx_ready.val();
        self.receiver.advance.next = self.server.advance.val();
        self.receiver.retire.next = self.server.retire.val();
        self.server.waiting.next = self.receiver.waiting.val();
        self.server.head.next = self.receiver.head.val();
        self.server.length.next = self.receiver.length.val();
        self.server.request_word.next = self.receiver.data.val();
        self.server.frame_taken.next = self.receiver.frame_taken.val();
        self.server.frame_bad.next = self.receiver.frame_bad.val();
        self.server.cancelled.next = self.receiver.cancelled.val();

        self.transmitter.tx_ready.next = self.words.tx_ready.val();
        self.words.tx_valid.next = self.transmitter.tx_valid.val();
        self.words.tx_data.next = self.transmitter.tx_data.val();
        self.words.tx_last.next = self.transmitter.tx_last.val();
    }
}
