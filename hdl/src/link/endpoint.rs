//! The link between a byte port and the units.
//!
//! ```text
//!                      +----------+
//!   clock, reset      ->          => bytes      `ports::ByteChip`
//!   bytes             =>          =>            position: `ports::PositionSource`
//!   moves             =>          =>            moves: `ports::MoveClient`
//!   answers           => Endpoint =>            answers: `ports::WordSink`, the words of the unit's answer
//!   table             =>          =>            table: `ports::TableClient`
//!   walk, walk_counts =>          =>            walk: `ports::WalkLeader`, `ports::WalkCounts`
//!                     |           =>            walkers: `ports::SearchLeader`, one each
//!                      +----------+
//! ```
//!
//! Handshake: on both sides of the byte port a byte passes in a clock with valid and ready; `rx_ready` is high but in a reset.
//! The units' ports are those of `top::units`.
//! Latency, throughput: see `receiver`, `server`, `transmitter`. Model: `model/link`. Absent: the units.
//! Cost: see `constraints/AREA.md`.

use super::{receiver::Receiver, server::Server, transmitter::Transmitter};
use crate::config::ChipConfig;
use crate::ports::*;
use crate::search::seats::SEATS;
use rust_hdl::prelude::*;

/// The link between a byte port and the units.
#[derive(LogicBlock, Default)]
pub struct Endpoint {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The byte port.
    pub bytes: ByteChip,
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
    receiver: Receiver,
    server: Server,
    transmitter: Transmitter,
    /// A byte that came in the last clock: the line's timing ends here.
    rx_valid: DFF<Bit>,
    rx_data: DFF<Bits<8>>,
}

impl Endpoint {
    /// The link of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        Endpoint { server: Server::new(chip), ..Default::default() }
    }
}

impl Logic for Endpoint {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, receiver, server, transmitter);
        dff_setup!(self, clock, rx_valid, rx_data);
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

        self.bytes.rx_ready.next = !self.reset.val();
        self.rx_valid.d.next = self.bytes.rx_valid.val();
        self.rx_data.d.next = self.bytes.rx_data.val();
        self.receiver.rx_valid.next = self.rx_valid.q.val();
        self.receiver.rx_data.next = self.rx_data.q.val();
        self.receiver.advance.next = self.server.advance.val();
        self.receiver.retire.next = self.server.retire.val();
        self.server.waiting.next = self.receiver.waiting.val();
        self.server.head.next = self.receiver.head.val();
        self.server.length.next = self.receiver.length.val();
        self.server.request_word.next = self.receiver.data.val();
        self.server.frame_taken.next = self.receiver.frame_taken.val();
        self.server.frame_bad.next = self.receiver.frame_bad.val();
        self.server.cancelled.next = self.receiver.cancelled.val();

        self.transmitter.tx_ready.next = self.bytes.tx_ready.val();
        self.bytes.tx_valid.next = self.transmitter.tx_valid.val();
        self.bytes.tx_data.next = self.transmitter.tx_data.val();
    }
}
