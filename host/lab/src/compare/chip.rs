//! The chip's share: clocks in simulation, bytes on the link, and the time of a board that is attached.

use super::{
    link::{Linear, Shape},
    Basis, CompareError, Figure, Question, Sample, Tree, Watch,
};
use hayasashi_accel::view;
use hayasashi_accel::{AccelError, CoProcessor, Request, Responses, Ticket};
use hayasashi_model::link::frame::encode_frame;
use hayasashi_spec::{
    frame::Header,
    opcode::{Opcode, ANSWER},
    perft::{Sums, SUMS_BYTES},
    position::PositionImage,
    registers::Info,
};
use serde::Serialize;
use std::{collections::VecDeque, time::Instant};

/// Requests in flight: as many as the chip's buffer takes, and some that wait.
const IN_FLIGHT: usize = 6;

/// Requests for all positions of a sample, of as many positions as a request may have; with the answers that are right.
pub struct Batches {
    question: Question,
    positions: usize,
    most: usize,
    requests: Vec<(Request, Responses)>,
}

impl Batches {
    /// `model` gives the answers.
    pub fn new(
        question: Question,
        sample: &Sample,
        most: usize,
        model: &dyn CoProcessor,
    ) -> Result<Batches, AccelError> {
        let request = |images: &[PositionImage]| {
            let request = Request::batch(question.opcode(), images);
            Ok((request.clone(), model.request(request)?))
        };
        let requests = sample.images.chunks(most).map(request).collect::<Result<_, AccelError>>()?;
        Ok(Batches { question, positions: sample.images.len(), most, requests })
    }

    /// Bytes on the link, as they are framed and stuffed.
    pub fn bytes(&self) -> (Linear, Linear) {
        let frame = framed(0, 0, &[]) as f64;
        let there = |(r, _): &(Request, _)| framed(r.opcode, r.count, &r.payload) as f64 - frame;
        let back = |(_, answers): &(_, Responses)| {
            answers.iter().map(|a| framed(a.opcode, a.index, &a.payload) as f64).sum::<f64>()
        };
        let each = |bytes: f64| bytes / self.positions as f64;
        (
            Linear { fixed: frame, each: each(self.requests.iter().map(there).sum()) },
            Linear { fixed: 0.0, each: each(self.requests.iter().map(back).sum()) },
        )
    }

    /// Clocks of the chip for each position in a long stream of them, by its own count.
    pub fn clocks(&self, chip: &dyn CoProcessor, watch: &Watch) -> Result<Figure, CompareError> {
        watch.tell(&format!("{}: {} positions through {}", self.question.name(), self.positions, chip.name()));
        // What asking for the clocks takes.
        let asked = [chip.submit(info()), chip.submit(info())];
        let [first, second] = asked.map(|ticket| clock_of(&chip.name(), ticket));
        let asking = second?.wrapping_sub(first?);
        // The first pass fills what is between host and chip; the second is counted.
        let ends = self.stream(chip, 2, watch)?;
        let clocks = ends[1].wrapping_sub(ends[0]).saturating_sub(asking);
        Ok(Figure::measured(clocks as f64 / self.positions as f64, "clocks/position"))
    }

    /// Positions a second of a board, its link included.
    pub fn rate(&self, chip: &dyn CoProcessor, seconds: f64, watch: &Watch) -> Result<Figure, CompareError> {
        watch.tell(&format!("{}: {}", self.question.name(), chip.name()));
        let mut rates = Vec::new();
        let begun = Instant::now();
        while rates.len() < 3 || begun.elapsed().as_secs_f64() < seconds {
            let start = Instant::now();
            self.stream(chip, 1, watch)?;
            rates.push(self.positions as f64 / start.elapsed().as_secs_f64());
            if begun.elapsed().as_secs_f64() >= 3.0 * seconds {
                break;
            }
        }
        Ok(Figure::median(rates, "positions/s").expect("there was a pass"))
    }

    /// Positions in a full request.
    pub fn most(&self) -> u64 {
        self.most as u64
    }

    /// Sends every request so many times without a gap; the answers must be right. Gives the chip's clocks after each pass.
    fn stream(&self, chip: &dyn CoProcessor, passes: usize, watch: &Watch) -> Result<Vec<u32>, CompareError> {
        let name = chip.name();
        let mut ends = Vec::new();
        let mut collect = |(ticket, right): (Ticket, Option<&Responses>)| -> Result<(), CompareError> {
            match right {
                None => ends.push(clock_of(&name, ticket)?),
                Some(right) if ticket.wait()? == *right => {}
                Some(_) => {
                    return Err(CompareError::Wrong {
                        target: name.clone(),
                        work: self.question.name().into(),
                        reason: "not as the software model does".into(),
                    })
                }
            }
            Ok(())
        };
        let mut in_flight = VecDeque::new();
        let mut result = Ok(());
        let one_pass = || self.requests.iter().map(|(request, right)| (request.clone(), Some(right)));
        for (request, right) in (0..passes).flat_map(|_| one_pass().chain([(info(), None)])) {
            in_flight.push_back((chip.submit(request), right));
            if in_flight.len() >= IN_FLIGHT {
                result = in_flight.pop_front().map_or(Ok(()), &mut collect);
            }
            result = result.and_then(|()| watch.check());
            if result.is_err() {
                break;
            }
        }
        // Nothing is left in flight, whatever happened.
        for ticket in in_flight {
            let collected = collect(ticket);
            result = result.and(collected);
        }
        result.map(|()| ends)
    }
}

/// The walk of one tree to one depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Walk {
    /// Plies.
    pub depth: u8,
    /// Leaves.
    pub leaves: u64,
    /// Positions one ply above them.
    pub expansions: u64,
    /// Clocks, by the chip's own count.
    pub clocks: u64,
    /// They were counted, not reckoned.
    pub basis: Basis,
    /// Seconds from asking to the answer: of a board.
    #[serde(skip)]
    pub seconds: f64,
}

/// Lets the chip walk.
pub fn walk(chip: &dyn CoProcessor, tree: &Tree, depth: u8, watch: &Watch) -> Result<Walk, CompareError> {
    watch.tell(&format!("{}: {depth} plies on {}", tree.name, chip.name()));
    let begun = Instant::now();
    let walked = chip.perft(&view::image(&tree.root), depth, &mut |_| !watch.stopped())??;
    if !walked.complete {
        return Err(CompareError::Stopped);
    }
    let Sums { nodes, expansions, clocks } = walked.sums;
    Ok(Walk {
        depth,
        leaves: nodes,
        expansions,
        clocks,
        basis: Basis::Measured,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// Of walks, the shallowest first: a request's bytes, and clocks as the first and the last of them have it.
pub fn shape(walks: &[Walk], tree: &Tree) -> Option<Shape> {
    let (first, last) = (walks.first()?, walks.last()?);
    let more = (last.expansions - first.expansions) as f64;
    let each = match more {
        0.0 => last.clocks as f64 / last.expansions as f64,
        more => (last.clocks - first.clocks) as f64 / more,
    };
    let request = Request::perft(&view::image(&tree.root), last.depth, 0);
    let sums = Sums { nodes: last.leaves, expansions: last.expansions, clocks: last.clocks };
    let answer = framed(Opcode::Perft as u8 | ANSWER, 0, bytemuck::bytes_of(&sums));
    const { assert!(size_of::<Sums>() == SUMS_BYTES) };
    Some(Shape {
        request: Linear { fixed: framed(request.opcode, 0, &request.payload) as f64, each: 0.0 },
        answers: Linear { fixed: answer as f64, each: 0.0 },
        clocks: Linear { fixed: (first.clocks as f64 - each * first.expansions as f64).max(0.0), each },
        // One request, however long it takes.
        most: u64::MAX,
    })
}

fn info() -> Request {
    Request::new(Opcode::Info, [])
}

/// The register `CLOCKS` as an answer to `INFO` has it.
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

/// Bytes of a frame on the link: header, checksum, stuffing and both ends included.
fn framed(opcode: u8, count: u16, payload: &[u8]) -> usize {
    let mut bytes = Vec::new();
    encode_frame(Header { opcode, count, ..Header::default() }, payload, &mut bytes);
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_accel::ModelBackend;

    #[test]
    fn bytes_are_those_of_frames() {
        // Two ends, header, checksum.
        assert_eq!(framed(0x10, 1, &[]), 2 + 8 + 4);
        assert_eq!(framed(0x10, 1, &[0xC0, 0xDB, 7]) - framed(0x10, 1, &[]), 5);
        let sample = Sample::built_in(40);
        let batches = Batches::new(Question::Counts, &sample, 32, &ModelBackend::new()).unwrap();
        let (there, back) = batches.bytes();
        assert_eq!((there.fixed, batches.requests.len()), (14.0, 2));
        // 64 bytes of a position, and seldom one that is stuffed.
        assert!(there.each >= 64.0 && there.each < 68.0, "{there:?}");
        assert!(back.each >= 18.0 && back.each < 19.0, "{back:?}");
    }

    #[test]
    fn the_clocks_of_walks_are_a_line() {
        let walk = |depth, expansions, clocks| Walk {
            depth,
            leaves: 0,
            expansions,
            clocks,
            basis: Basis::Measured,
            seconds: 0.0,
        };
        let tree = &Tree::all(3)[0];
        let shape = shape(&[walk(1, 1, 32), walk(2, 30, 100), walk(3, 901, 1832)], tree).unwrap();
        assert_eq!((shape.clocks.fixed, shape.clocks.each), (30.0, 2.0));
        // 4 + 64 bytes there, 24 back, 14 around each, and few that are stuffed.
        assert!((82.0..90.0).contains(&shape.request.fixed) && (38.0..42.0).contains(&shape.answers.fixed));
    }
}
