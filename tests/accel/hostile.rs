//! A chip that breaks the protocol.

use hayasashi_accel::StreamChip;
use hayasashi_model::{
    evaluate::first_table,
    link::{
        dispatcher::Dispatcher,
        framing::{encode, Receiver},
    },
    Model,
};
use hayasashi_spec::{
    frame::{Header, END, ESC, MAX_ANSWER_PAYLOAD, MAX_REQUEST_PAYLOAD},
    opcode::{Opcode, Status},
    perft::Sums,
    word_frame::Framing,
};
use std::{
    io,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
    time::Duration,
};

macro_rules! modes {
    ($($(#[doc = $text:literal])+ $mode:ident,)+) => {
        /// What the chip does instead of answering a request of the chosen opcode.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mode { $($(#[doc = $text])+ $mode,)+ }

        /// Every mode.
        pub const MODES: &[Mode] = &[$(Mode::$mode),+];
    };
}

modes! {
    /// No answer.
    Silent,
    /// Right answers, with the sequence number of no request.
    UnknownSequence,
    /// The same, without end.
    UnknownSequenceForEver,
    /// Right answers, preceded by stray ones.
    StrayThenRight,
    /// Right answers, each sent twice.
    Twice,
    /// Right answers in reverse order.
    Reversed,
    /// The first answer, without end.
    FirstForEver,
    /// The first answer to the first request, without end.
    OldForEver,
    /// The last answer, once for each request.
    LastOnly,
    /// The last answer, without end.
    LastForEver,
    /// Indices beyond the batch.
    IndexBeyond,
    /// The largest index.
    IndexLargest,
    /// The opcode of another request.
    WrongOpcode,
    /// The opcode of the request, without the bit of an answer.
    RequestOpcode,
    /// Opcode and sequence number of another request.
    AnotherRequest,
    /// `BUSY` to each transmission.
    Busy,
    /// `BUSY` without end.
    BusyForEver,
    /// `BAD_CRC` to each transmission.
    BadCrc,
    /// `BAD_CRC` without end.
    BadCrcForEver,
    /// `BAD_LENGTH` to each transmission.
    BadLength,
    /// `BAD_OPCODE`.
    BadOpcode,
    /// `POSITION` without its payload.
    PositionEmpty,
    /// `NO_TABLE`.
    NoTable,
    /// `TABLE_SEQUENCE` with a wild offset.
    TableSequence,
    /// `TABLE_CONTENT`.
    TableContent,
    /// `CANCELLED` without a `CANCEL`.
    Cancelled,
    /// `RANGE`.
    Range,
    /// A status that does not exist.
    UnknownStatus,
    /// `PROGRESS` without payload, without end.
    ProgressEmpty,
    /// `PROGRESS` with zeros, without end.
    ProgressZero,
    /// `PROGRESS` with the same counts, without end.
    ProgressStuck,
    /// `PROGRESS` whose clocks alone grow, without end.
    ProgressClocks,
    /// `PROGRESS` with falling counts, without end.
    ProgressFalls,
    /// No payload.
    PayloadEmpty,
    /// A byte less.
    PayloadShorter,
    /// A byte more.
    PayloadLonger,
    /// Zeros up to the longest payload.
    PayloadLongest,
    /// More payload than any answer has.
    PayloadTooLong,
    /// A move count beyond any position's.
    TooManyMoves,
    /// Move records with fields out of range.
    WildMoves,
    /// A length field that differs from the payload.
    WrongLengthField,
    /// A wrong checksum.
    DamagedAnswer,
    /// The first half of each frame.
    HalfFrames,
    /// Frames without delimiters, or without trailers.
    NoDelimiters,
    /// Bytes that are no frame, without end.
    Noise,
    /// The byte `END`, without end.
    Ends,
    /// The byte `ESC`, without end.
    Escapes,
    /// The byte zero, without end.
    Zeros,
    /// One byte of the answer each millisecond, and then the next answer's.
    Trickle,
    /// The request itself comes back.
    Loopback,
    /// An answer to every sequence number.
    EverySequence,
    /// `PERFT` without end, with growing counts; `CANCEL` is ignored.
    GrowsForEver,
    /// The same, but `CANCEL` is answered `OK`.
    GrowsForEverAndConfirmsCancel,
}

/// The chip. It is well-behaved until it is armed.
pub struct HostileChip {
    mode: Mode,
    opcode: Opcode,
    armed: Arc<AtomicBool>,
    framing: Framing,
    receiver: Receiver,
    dispatcher: Dispatcher,
    out: Vec<u8>,
    /// Sent again and again.
    for_ever: Vec<u8>,
    /// The walk that is reported with growing counts.
    walk: Option<Header>,
    nodes: u64,
}

type Frames = Vec<(Header, Vec<u8>)>;

impl HostileChip {
    /// A chip with a table that answers requests of `opcode` as `mode` says, once the second value is set.
    pub fn new(framing: Framing, mode: Mode, opcode: Opcode) -> (HostileChip, Arc<AtomicBool>) {
        let armed = Arc::<AtomicBool>::default();
        let chip = HostileChip {
            mode,
            opcode,
            armed: armed.clone(),
            framing,
            receiver: Receiver::new(framing, MAX_REQUEST_PAYLOAD),
            dispatcher: Dispatcher::new(Model::with_evaluation(Arc::new(first_table()))),
            out: Vec::new(),
            for_ever: Vec::new(),
            walk: None,
            nodes: 0,
        };
        (chip, armed)
    }

    fn request(&mut self, header: Header, payload: Vec<u8>) {
        let walks = matches!(self.mode, Mode::GrowsForEver | Mode::GrowsForEverAndConfirmsCancel);
        let armed = self.armed.load(Ordering::Relaxed);
        match Opcode::from_code(header.opcode) {
            Some(opcode) if armed && opcode == self.opcode => self.misbehave(header, payload),
            Some(Opcode::Cancel) if armed && walks && self.mode == Mode::GrowsForEver => {}
            _ => {
                let frames = self.right(header, &payload);
                self.send(frames);
            }
        }
    }

    /// The right answers.
    fn right(&mut self, header: Header, payload: &[u8]) -> Frames {
        let mut frames = Vec::new();
        let frame = hayasashi_model::link::frame::Frame { header, payload };
        self.dispatcher.frame(Ok(frame), |header, payload| frames.push((header, payload.to_vec())));
        frames
    }

    fn send(&mut self, frames: Frames) {
        frames.iter().for_each(|(header, payload)| encode(self.framing, *header, payload, &mut self.out));
    }

    fn send_for_ever(&mut self, frames: Frames) {
        self.for_ever.clear();
        frames.iter().for_each(|(header, payload)| encode(self.framing, *header, payload, &mut self.for_ever));
    }

    fn misbehave(&mut self, request: Header, payload: Vec<u8>) {
        use Mode::*;
        let frames = match self.mode {
            GrowsForEver | GrowsForEverAndConfirmsCancel => {
                self.walk = Some(request);
                return;
            }
            _ => self.right(request, &payload),
        };
        let first = vec![frames[0].clone()];
        let last = vec![frames[frames.len() - 1].clone()];
        let each = |change: &dyn Fn(&mut Header, &mut Vec<u8>)| {
            let mut changed = frames.clone();
            changed.iter_mut().for_each(|(header, payload)| change(header, payload));
            changed
        };
        let status = |status: Status, payload: &[u8]| {
            let (mut header, _) = frames[0].clone();
            (header.status, header.count) = (status as u8, 0);
            vec![(header, payload.to_vec())]
        };
        let sums = |nodes, clocks| bytemuck::bytes_of(&Sums { nodes, expansions: nodes / 30, clocks }).to_vec();
        let unit = self.framing.unit_bytes();
        // Of the header in an encoded frame.
        let start = usize::from(self.framing == Framing::Slip);
        let lists_moves = matches!(self.opcode, Opcode::Generate | Opcode::Count);
        match self.mode {
            Silent | GrowsForEver | GrowsForEverAndConfirmsCancel => {}
            UnknownSequence => self.send(each(&|h, _| h.sequence = h.sequence.wrapping_add(30_000))),
            UnknownSequenceForEver => self.send_for_ever(each(&|h, _| h.sequence = h.sequence.wrapping_add(30_000))),
            StrayThenRight => {
                self.send(each(&|h, _| h.sequence = h.sequence.wrapping_sub(30_000)));
                self.send(frames);
            }
            Twice => self.send(frames.iter().flat_map(|f| [f.clone(), f.clone()]).collect()),
            Reversed => self.send(frames.into_iter().rev().collect()),
            FirstForEver => self.send_for_ever(first),
            OldForEver if !self.for_ever.is_empty() => {}
            OldForEver => self.send_for_ever(first),
            LastOnly => self.send(last),
            LastForEver => self.send_for_ever(last),
            IndexBeyond => self.send(each(&|h, _| h.count += request.count.max(1))),
            IndexLargest => self.send(each(&|h, _| h.count = u16::MAX)),
            WrongOpcode => self.send(each(&|h, _| h.opcode ^= 1)),
            RequestOpcode => self.send(each(&|h, _| h.opcode &= 0x7F)),
            AnotherRequest => self.send(each(&|h, _| (h.opcode, h.sequence) = (h.opcode ^ 2, h.sequence ^ 1))),
            Busy => self.send(status(Status::Busy, &[])),
            BusyForEver => self.send_for_ever(status(Status::Busy, &[])),
            BadCrc => self.send(status(Status::BadCrc, &[])),
            BadCrcForEver => self.send_for_ever(status(Status::BadCrc, &[])),
            BadLength => self.send(status(Status::BadLength, &[])),
            BadOpcode => self.send(status(Status::BadOpcode, &[])),
            PositionEmpty => self.send(each(&|h, p| (h.status, *p) = (Status::Position as u8, vec![]))),
            NoTable => self.send(each(&|h, p| (h.status, *p) = (Status::NoTable as u8, vec![]))),
            TableSequence => self.send(status(Status::TableSequence, &0xFFFF_FF01u32.to_le_bytes())),
            TableContent => self.send(status(Status::TableContent, &[])),
            Cancelled => self.send(each(&|h, _| h.status = Status::Cancelled as u8)),
            Range => self.send(each(&|h, p| (h.status, *p) = (Status::Range as u8, vec![]))),
            UnknownStatus => self.send(each(&|h, _| h.status = 0x7E)),
            ProgressEmpty => self.send_for_ever(status(Status::Progress, &[])),
            ProgressZero => self.send_for_ever(status(Status::Progress, &sums(0, 0))),
            ProgressStuck => self.send_for_ever(status(Status::Progress, &sums(900, 7))),
            ProgressClocks => {
                self.send_for_ever((1..9).flat_map(|n| status(Status::Progress, &sums(900, n << 20))).collect());
            }
            ProgressFalls => {
                self.send_for_ever((1..9).flat_map(|n| status(Status::Progress, &sums(900 - n, 7))).collect());
            }
            PayloadEmpty => self.send(each(&|_, p| p.clear())),
            PayloadShorter => self.send(each(&|_, p| p.truncate(p.len().saturating_sub(1)))),
            PayloadLonger => self.send(each(&|_, p| p.push(0))),
            PayloadLongest => self.send(each(&|_, p| p.resize(MAX_ANSWER_PAYLOAD, 0))),
            PayloadTooLong => self.send(each(&|_, p| p.resize(MAX_ANSWER_PAYLOAD + 1, 0))),
            // Where the answer has no moves it stays right: a wrong number is an answer like any other.
            TooManyMoves | WildMoves if !lists_moves => self.send(frames),
            TooManyMoves => self.send(each(&|_, p| p[..2].fill(0xFF))),
            WildMoves => self.send(each(&|_, p| p[4..].fill(0xFF))),
            WrongLengthField => self.send_damaged(&frames, |bytes| bytes[start + 6] ^= 1),
            DamagedAnswer => self.send_damaged(&frames, |bytes| bytes[start] ^= 0x20),
            HalfFrames => self.send_damaged(&frames, |bytes| bytes.truncate(bytes.len() / 2 / unit * unit)),
            NoDelimiters if unit > 1 => self.send_damaged(&frames, |bytes| bytes.truncate(bytes.len() - unit)),
            NoDelimiters => self.send_damaged(&frames, |bytes| bytes.retain(|&b| b != END)),
            Noise => self.for_ever = (0..999u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect(),
            Ends => self.for_ever = vec![END; 64],
            Escapes => self.for_ever = vec![ESC; 64],
            Zeros => self.for_ever = vec![0; 64],
            Trickle => {
                encode(self.framing, frames[0].0, &frames[0].1, &mut self.for_ever);
                let bytes = self.for_ever.len();
                self.for_ever.rotate_left(5 * unit % bytes);
            }
            Loopback => encode(self.framing, request, &payload, &mut self.out),
            EverySequence => {
                self.send_for_ever(
                    (0..64).flat_map(|n| each(&|h, _| h.sequence = h.sequence.wrapping_add(n * 1000))).collect(),
                );
            }
        }
    }

    /// Right answers whose bytes are changed.
    fn send_damaged(&mut self, frames: &Frames, damage: impl Fn(&mut Vec<u8>)) {
        for (header, payload) in frames {
            let mut bytes = Vec::new();
            encode(self.framing, *header, payload, &mut bytes);
            damage(&mut bytes);
            self.out.extend(bytes);
        }
    }
}

impl StreamChip for HostileChip {
    fn name(&self) -> String {
        "hostile".into()
    }

    fn framing(&self) -> Framing {
        self.framing
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        let mut frames = Vec::new();
        self.receiver.push(bytes, |frame| frames.extend(frame.map(|f| (f.header, f.payload.to_vec()))));
        frames.into_iter().for_each(|(header, payload)| self.request(header, payload));
        bytes.len()
    }

    fn step(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        if let (Some(request), true) = (self.walk, self.out.is_empty()) {
            self.nodes += 300;
            let sums = Sums { nodes: self.nodes, expansions: self.nodes / 30, clocks: self.nodes };
            let status = Status::Progress as u8;
            let header = Header { opcode: request.opcode | 0x80, status, count: 0, ..request };
            encode(self.framing, header, bytemuck::bytes_of(&sums), &mut self.out);
        }
        if self.out.is_empty() && !self.for_ever.is_empty() {
            self.out.clone_from(&self.for_ever);
        }
        if self.walk.is_some() || !self.for_ever.is_empty() {
            // As fast as a line, not as a processor.
            std::thread::sleep(Duration::from_millis(1));
        }
        let most = if self.mode == Mode::Trickle { 1 } else { buffer.len() };
        let bytes = self.out.len().min(most);
        self.out.drain(..bytes).zip(buffer).for_each(|(byte, place)| *place = byte);
        bytes
    }

    /// Short, so that the tests are; the chip is lost after three of them.
    fn reply_timeout(&self) -> Duration {
        Duration::from_millis(100)
    }
}
