//! Figures of the chip: clocks in simulation, bytes on the link, and times of an attached board.

use super::{
    link::{LinearCost, RequestCost},
    CompareError, Figure, Monitor, PerftTree, PositionQuery, Provenance, Sample,
};
use hayasashi_accel::view;
use hayasashi_accel::{AccelError, CoProcessor, Request, Responses, Ticket};
use hayasashi_model::link::framing::encode;
use hayasashi_spec::{
    frame::Header,
    opcode::{Opcode, ANSWER},
    perft::{Sums, SUMS_BYTES},
    position::PositionImage,
    registers::Info,
    word_frame::Framing,
};
use serde::Serialize;
use std::time::Instant;

/// Full requests for all positions of a sample, with the correct answers.
pub struct RequestStream {
    question: PositionQuery,
    positions: usize,
    max_batch: usize,
    requests: Vec<(Request, Responses)>,
}

impl RequestStream {
    /// Builds the requests; `model` computes the correct answers.
    ///
    /// # Errors
    /// A position that the model refuses.
    pub fn new(
        question: PositionQuery,
        sample: &Sample,
        max_batch: usize,
        model: &dyn CoProcessor,
    ) -> Result<RequestStream, AccelError> {
        let request = |images: &[PositionImage]| {
            let request = Request::batch(question.opcode(), images);
            Ok((request.clone(), model.request(request)?))
        };
        let requests = sample.images.chunks(max_batch).map(request).collect::<Result<_, AccelError>>()?;
        Ok(RequestStream { question, positions: sample.images.len(), max_batch, requests })
    }

    /// Bytes of requests and of answers on the link, in frames.
    pub fn bytes(&self, framing: Framing) -> (LinearCost, LinearCost) {
        let frame = frame_bytes(framing, 0, 0, &[]) as f64;
        let there = |(r, _): &(Request, _)| frame_bytes(framing, r.opcode, r.count, &r.payload) as f64 - frame;
        let back = |(_, answers): &(_, Responses)| {
            answers.iter().map(|a| frame_bytes(framing, a.opcode, a.index, &a.payload) as f64).sum::<f64>()
        };
        let each = |bytes: f64| bytes / self.positions as f64;
        (
            LinearCost { fixed: frame, each: each(self.requests.iter().map(there).sum()) },
            LinearCost { fixed: 0.0, each: each(self.requests.iter().map(back).sum()) },
        )
    }

    /// Clocks per position in a long stream of requests to a simulated chip, by its own counter.
    ///
    /// # Errors
    /// A failed request, or a wrong answer.
    pub fn clocks(&self, chip: &dyn CoProcessor, monitor: &Monitor) -> Result<Figure, CompareError> {
        monitor.step(&format!("{}: {} positions through {}", self.question.name(), self.positions, chip.name()));
        // The first pass fills the pipeline between host and chip. The third turn has one pass more than the second; all else,
        // `INFO` included, is the same.
        let ends = self.stream(chip, &[1, 1, 2], monitor)?;
        let clocks = |turn: usize| ends[turn].wrapping_sub(ends[turn - 1]);
        let clocks = clocks(2).saturating_sub(clocks(1));
        Ok(Figure::simulated(clocks as f64 / self.positions as f64, "clocks/position"))
    }

    /// Positions per second of an attached chip, with its link.
    ///
    /// # Errors
    /// A failed request, or a wrong answer.
    pub fn rate(&self, chip: &dyn CoProcessor, seconds: f64, monitor: &Monitor) -> Result<Figure, CompareError> {
        monitor.step(&format!("{}: {}", self.question.name(), chip.name()));
        let mut rates = Vec::new();
        let start = Instant::now();
        while rates.len() < 3 || start.elapsed().as_secs_f64() < seconds {
            let pass_start = Instant::now();
            self.stream(chip, &[1], monitor)?;
            rates.push(self.positions as f64 / pass_start.elapsed().as_secs_f64());
            if start.elapsed().as_secs_f64() >= 3.0 * seconds {
                break;
            }
        }
        Ok(Figure::median(rates, "positions/s").expect("at least one pass was made"))
    }

    /// Number of positions in a full request.
    pub fn max_batch(&self) -> u64 {
        self.max_batch as u64
    }

    /// Sends all requests at once, `turns[i]` times in turn `i`, and checks the answers. Returns the chip's clock counter after
    /// each turn.
    fn stream(&self, chip: &dyn CoProcessor, turns: &[usize], monitor: &Monitor) -> Result<Vec<u32>, CompareError> {
        let name = chip.name();
        let mut ends = Vec::new();
        let mut collect = |(ticket, right): (Ticket, Option<&Responses>)| -> Result<(), CompareError> {
            match right {
                None => ends.push(clock_of(&name, ticket)?),
                Some(right) if ticket.wait()? == *right => {}
                Some(_) => {
                    return Err(CompareError::WrongAnswer {
                        target: name.clone(),
                        work: self.question.name().into(),
                        reason: "the answer of the software model differs".into(),
                    })
                }
            }
            Ok(())
        };
        let one_pass = || self.requests.iter().map(|(request, right)| (request.clone(), Some(right)));
        let one_turn = |&passes: &usize| (0..passes).flat_map(|_| one_pass()).chain([(info(), None)]);
        let (requests, rights): (Vec<_>, Vec<_>) = turns.iter().flat_map(one_turn).unzip();
        let mut result = Ok(());
        // Wait for all requests, also after an error.
        for answer in chip.submit_all(requests).into_iter().zip(rights) {
            let collected = collect(answer);
            result = result.and(collected).and_then(|()| monitor.check());
        }
        result.map(|()| ends)
    }
}

/// One perft walk: one tree, one depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PerftRun {
    /// Depth in plies.
    pub depth: u8,
    /// Leaves.
    pub leaves: u64,
    /// Positions one ply above them.
    pub expansions: u64,
    /// Clocks, by the chip's own counter.
    pub clocks: u64,
    /// Always simulated: walks of an attached chip are timed.
    pub basis: Provenance,
    /// Seconds from request to answer.
    #[serde(skip)]
    pub seconds: f64,
}

/// Runs perft on the chip.
///
/// # Errors
/// A failed request, or an interrupt.
pub fn walk(chip: &dyn CoProcessor, tree: &PerftTree, depth: u8, monitor: &Monitor) -> Result<PerftRun, CompareError> {
    monitor.step(&format!("{}: depth {depth} on {}", tree.name, chip.name()));
    let start = Instant::now();
    let walked = chip.perft(&view::image(&tree.root), depth, &mut |_| !monitor.stopped())??;
    if !walked.complete {
        return Err(CompareError::Stopped);
    }
    let Sums { nodes, expansions, clocks } = walked.sums;
    Ok(PerftRun {
        depth,
        leaves: nodes,
        expansions,
        clocks,
        basis: Provenance::Simulated,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The cost of a walk, from walks of increasing depth: the bytes of a request, and a line through the clocks of the first and the
/// last walk.
pub fn request_cost(framing: Framing, walks: &[PerftRun], tree: &PerftTree) -> Option<RequestCost> {
    let (first, last) = (walks.first()?, walks.last()?);
    let more = (last.expansions - first.expansions) as f64;
    let each = match more {
        0.0 => last.clocks as f64 / last.expansions as f64,
        more => (last.clocks - first.clocks) as f64 / more,
    };
    let request = Request::perft(&view::image(&tree.root), last.depth, 0);
    let sums = Sums { nodes: last.leaves, expansions: last.expansions, clocks: last.clocks };
    let answer = frame_bytes(framing, Opcode::Perft as u8 | ANSWER, 0, bytemuck::bytes_of(&sums));
    const { assert!(size_of::<Sums>() == SUMS_BYTES) };
    Some(RequestCost {
        request: LinearCost { fixed: frame_bytes(framing, request.opcode, 0, &request.payload) as f64, each: 0.0 },
        answers: LinearCost { fixed: answer as f64, each: 0.0 },
        clocks: LinearCost { fixed: (first.clocks as f64 - each * first.expansions as f64).max(0.0), each },
        // A walk is one request.
        max_units: u64::MAX,
    })
}

fn info() -> Request {
    Request::new(Opcode::Info, [])
}

/// The register `CLOCKS` in an answer to `INFO`.
fn clock_of(target: &str, ticket: Ticket) -> Result<u32, AccelError> {
    let answer = ticket.wait()?.swap_remove(0);
    match bytemuck::try_pod_read_unaligned::<Info>(&answer.payload) {
        Ok(info) => Ok(info.clocks),
        Err(_) => Err(AccelError::Malformed {
            target: target.into(),
            opcode: Opcode::Info as u8,
            reason: format!("{} bytes of registers", answer.payload.len()),
        }),
    }
}

/// Bytes of a frame on the link: all that makes it a frame, and on a byte port the stuffing and both delimiters.
pub(super) fn frame_bytes(framing: Framing, opcode: u8, count: u16, payload: &[u8]) -> usize {
    let mut bytes = Vec::new();
    encode(framing, Header { opcode, count, ..Header::default() }, payload, &mut bytes);
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_accel::ModelBackend;

    #[test]
    fn bytes_are_those_of_frames() {
        // Two delimiters, header, checksum.
        let bytes = |payload: &[u8]| frame_bytes(Framing::Slip, 0x10, 1, payload);
        assert_eq!(bytes(&[]), 2 + 8 + 4);
        assert_eq!(bytes(&[0xC0, 0xDB, 7]) - bytes(&[]), 5);
        assert_eq!(frame_bytes(Framing::Words, 0x10, 1, &[0xC0, 0xDB, 7]), 3 * 8);
        let sample = Sample::built_in(40);
        let batches = RequestStream::new(PositionQuery::Counts, &sample, 32, &ModelBackend::new()).unwrap();
        let (there, back) = batches.bytes(Framing::Slip);
        assert_eq!((there.fixed, batches.requests.len()), (14.0, 2));
        // 64 bytes of a position, and few stuffed bytes.
        assert!(there.each >= 64.0 && there.each < 68.0, "{there:?}");
        assert!(back.each >= 18.0 && back.each < 19.0, "{back:?}");
        // Header and trailer; eight words of a position; three of its answer.
        let (there, back) = batches.bytes(Framing::Words);
        assert_eq!((there.fixed, there.each, back.each), (16.0, 64.0, 24.0));
    }

    #[test]
    fn the_clocks_of_walks_are_fitted_by_a_line() {
        let walk = |depth, expansions, clocks| PerftRun {
            depth,
            leaves: 0,
            expansions,
            clocks,
            basis: Provenance::Simulated,
            seconds: 0.0,
        };
        let tree = &PerftTree::all(3)[0];
        let cost = request_cost(Framing::Slip, &[walk(1, 1, 32), walk(2, 30, 100), walk(3, 901, 1832)], tree).unwrap();
        assert_eq!((cost.clocks.fixed, cost.clocks.each), (30.0, 2.0));
        // 4 + 64 request bytes, 24 answer bytes, 14 bytes of framing each, and few stuffed bytes.
        assert!((82.0..90.0).contains(&cost.request.fixed) && (38.0..42.0).contains(&cost.answers.fixed));
    }
}
