//! `SEARCH` on a back end: the request, the wait, the answer.

use crate::{link::decode_faults, view, AccelError, Capability, CoProcessor, PositionError, Progress, Request, Ticket};
use hayasashi_shogi::rules::{Color, Move, Position};
use hayasashi_spec::{
    moves::Move16,
    opcode::{Opcode, Status},
    perft::{MAX_INTERVAL, MIN_INTERVAL},
    position::PositionImage,
    registers::{Info, BOARD_SIMULATION},
    search::{path_word, Found, SearchHead, MATE, MAX_LINE, MAX_PATH},
};
use std::time::Duration;

/// A simulated chip reports its progress every 2 to the power of this many clocks.
const SIMULATION_INTERVAL: u8 = 12;
/// Progress reports of a board per second, approximately.
const REPORTS_HZ: u32 = 16;
/// Time between two calls of `watch`.
const WATCH_INTERVAL: Duration = Duration::from_millis(2);

/// What to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// Limits, window and techniques. The interval of reports is set when the request is sent.
    pub head: SearchHead,
    /// The position.
    pub position: PositionImage,
    /// The words of the path ([`path_word`]), oldest first; the chip gets the last [`MAX_PATH`].
    pub path: Vec<u64>,
}

/// The result of a search by the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Score, line, depth, nodes, steps.
    pub found: Found,
    /// Whether the search has reached one of its limits; if not, it was cancelled.
    pub complete: bool,
}

impl SearchRequest {
    /// The search of the last position of a game.
    pub fn of_game(head: SearchHead, before: &[Position], last: &Position) -> SearchRequest {
        let path = before.iter().map(|pos| path_word(&view::image(pos), pos.in_check())).collect();
        SearchRequest { head, position: view::image(last), path }
    }

    /// The same for a chip with these registers: no larger table than it has.
    pub fn within(&self, chip: &Info) -> SearchRequest {
        let table_bits = table_bits_within(self.head.table_bits, chip);
        SearchRequest { head: SearchHead { table_bits, ..self.head }, ..self.clone() }
    }

    /// The request on the link, with a report every `2^interval` clocks (0: none).
    pub fn request(&self, interval: u8) -> Request {
        let head = SearchHead { interval, ..self.head };
        let path = &self.path[self.path.len().saturating_sub(MAX_PATH)..];
        let words = path.iter().flat_map(|word| word.to_le_bytes());
        let fixed = [bytemuck::bytes_of(&head), bytemuck::bytes_of(&self.position)].concat();
        Request::new(Opcode::Search, fixed.into_iter().chain(words).collect::<Vec<u8>>())
    }
}

/// The size of a search's table on a chip with these registers, which is at most the wanted one.
pub(super) fn table_bits_within(wanted: u8, chip: &Info) -> u8 {
    (wanted as u32).min(chip.search_table_bits) as u8
}

/// The line of an answer as moves on the board, as far as the moves are legal.
pub fn line(found: &Found, root: &Position) -> Vec<Move> {
    let mut pos = root.clone();
    let mut moves = Vec::new();
    for bits in found.line.iter().take(found.length as usize) {
        let mv = view::to_move(Move16(*bits), pos.side_to_move());
        let Some(mv) = mv.filter(|&mv| pos.is_legal(mv)) else { break };
        pos.do_move(mv);
        moves.push(mv);
    }
    moves
}

/// [`CoProcessor::search`].
pub(crate) fn on_chip<C: CoProcessor + ?Sized>(
    chip: &C,
    request: &SearchRequest,
    watch: &mut dyn FnMut(Found) -> bool,
) -> Result<Result<SearchResult, PositionError>, AccelError> {
    let info = chip.identity()?;
    if info.capabilities & Capability::Search.bit() == 0 {
        return Err(AccelError::MissingCapability { target: chip.name(), capability: Capability::Search });
    }
    let interval = match (info.board, info.clock_hz) {
        (BOARD_SIMULATION, _) | (_, 0) => SIMULATION_INTERVAL,
        (_, hz) => ((hz / REPORTS_HZ).max(1).ilog2() as u8).clamp(MIN_INTERVAL, MAX_INTERVAL),
    };
    let ticket = chip.submit(request.within(&info).request(interval));
    let mut cancel: Option<Ticket> = None;
    while !ticket.wait_for(WATCH_INTERVAL) {
        let found = match ticket.progress() {
            Some(Progress::Search(found)) if check(&found).is_ok() => found,
            _ => Found::default(),
        };
        // A request whose answer was lost is sent again after its `CANCEL`, and then needs another one.
        if !watch(found) && cancel.as_ref().is_none_or(Ticket::poll) {
            cancel = Some(chip.submit(Request::new(Opcode::Cancel, [])));
        }
    }
    let outcome = ticket.wait();
    // Nothing stays in flight; the outcome of `CANCEL` no longer matters.
    cancel.map(|ticket| ticket.wait().ok());
    let answer = outcome?.swap_remove(0);
    let malformed = |reason| AccelError::malformed(chip.name(), Opcode::Search, reason);
    match Status::from_code(answer.status) {
        Some(status @ (Status::Ok | Status::Cancelled)) => {
            let Some(Progress::Search(found)) = Progress::read(Opcode::Search, &answer.payload) else {
                return Err(malformed(format!("{} bytes", answer.payload.len())));
            };
            check(&found).map_err(malformed)?;
            Ok(Ok(SearchResult { found, complete: status == Status::Ok }))
        }
        Some(Status::NoTable) => Ok(Err(PositionError::NoTable)),
        Some(Status::Position) => decode_faults(&answer.payload).map(Err).map_err(malformed),
        _ => Err(AccelError::from_status(chip.name(), Opcode::Search, answer.status)),
    }
}

/// Whether score and line are within their ranges.
fn check(found: &Found) -> Result<(), String> {
    if !(-MATE..=MATE).contains(&found.score) {
        return Err(format!("a score of {} centipawns", found.score));
    }
    if found.length as usize > MAX_LINE {
        return Err(format!("a line of {} moves", found.length));
    }
    let moves = &found.line[..found.length as usize];
    match moves.iter().find(|&&bits| view::to_move(Move16(bits), Color::Black).is_none()) {
        Some(bits) => Err(format!("0x{bits:04X} is not a move")),
        None => Ok(()),
    }
}
