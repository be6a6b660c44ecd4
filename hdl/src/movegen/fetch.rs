//! Reads the groups of jobs one after the other.
//!
//! ```text
//!                +---------+
//!   job 24      =>         => reading 18   the group that is read in this clock, see `Reading`
//!   stop        ->         => at 10        its address
//!   advance     ->  Fetch  -> room         a job may come
//!   state_in 72 =>         => state 72     to be wired back to `state_in`
//!                +---------+
//! ```
//!
//! Handshake: a job is taken in the clock in which it has an aim. Between `room` and that clock no other job comes: there is one
//! place behind the first. `advance`: the group is being read, and the next one comes. `stop` forgets
//! all jobs.
//! Latency: two clocks from a job to its first group. Throughput: one group a clock, across jobs as well.
//! Cost: 73 flip-flops. Model: none. Absent: the order of jobs (`perft::schedule`).
//! Proof: `hdl/formal/fetch`.

use super::groups::ADDRESS_BITS;
use super::operation::{Aim, Job, Reading, GROUP_BITS};
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

bundle! {
    /// What is kept from clock to clock.
    pub struct FetchState {
        /// The group that is read.
        reading: Reading,
        /// The last group of its job.
        last: Wires<GROUP_BITS>,
        /// The jobs that wait, the next one first.
        waits: [Job; 2],
    }
}

network! {
    /// Reads the groups of jobs.
    Fetch = fetch(FetchIn) -> FetchOut {
        in job: Job;
        in stop: Wire;
        in advance: Wire;
        in state_in: FetchState;
        out reading: Reading;
        out at: Wires<ADDRESS_BITS>;
        out room: Wire;
        out state: FetchState;
    }
}

fn fetch<W: Word>(inputs: FetchIn<W>) -> FetchOut<W> {
    let FetchIn { job, stop, advance, state_in: s } = inputs;
    let at_last = s.reading.group.equals(s.last).named("at_last");
    let free = (!s.reading.aim.any() | (advance & at_last)).named("free");

    // The next job moves up where the present one ends.
    let [first, second] = s.waits;
    let moved = [Job::choose(free, &second, &first), Job { aim: second.aim.when(!free), ..second }];
    let [first_free, second_free] = moved.map(|job| !job.aim.any());
    let waits = [
        Job::choose(first_free, &job, &moved[0]),
        Job::choose(second_free, &Job { aim: job.aim.when(!first_free), ..job }, &moved[1]),
    ]
    .map(|job| Job { aim: job.aim.when(!stop), ..job });

    let following = s.reading.group.plus(W::constant(1, 1), GROUP_BITS).named("following");
    let reading = Reading {
        node: free.choose(first.node, s.reading.node),
        group: free.choose(first.first, advance.choose(following, s.reading.group)),
        aim: Aim::choose(free, &first.aim, &s.reading.aim).when(!stop),
    };
    let last = free.choose(first.last, s.last);
    FetchOut { reading, at: reading.address(), room: !waits[1].aim.any(), state: FetchState { reading, last, waits } }
}
