//! Several back ends that share requests.
//!
//! A request goes to the member that should answer it first, by the work that it has and by its pace so far. Where no member has
//! room the request waits, and goes to the first that has.

use crate::{
    error::no_thread, link::ReplySlot, AccelError, CoProcessor, PerftResult, PositionError, Request, RequestOutcome,
    SearchRequest, SearchResult, Ticket,
};
use hayasashi_model::evaluate::Evaluation;
use hayasashi_spec::{opcode::Opcode, perft::Sums, position::PositionImage, registers::Info, search::Found};
use std::{
    collections::VecDeque,
    sync::{
        mpsc::{channel, Receiver, Sender},
        Arc, Mutex, MutexGuard, PoisonError,
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// A member has room while its work in flight takes no longer than this: enough to keep a link busy, and no more than a batch may
/// wait for its slowest member.
const HORIZON: Duration = Duration::from_millis(20);
/// Answers in flight at a member whose pace is unknown.
const FIRST_WORK: u64 = 256;
/// What part of a new measurement of a pace counts.
const PACE_SHARE: f64 = 0.25;

/// Back ends that share requests. Every request has one member; a table is given to all.
pub struct Team {
    shared: Arc<Shared>,
    finishers: Vec<JoinHandle<()>>,
}

struct Shared {
    members: Vec<Member>,
    state: Mutex<State>,
}

struct Member {
    chip: Arc<dyn CoProcessor>,
    /// To the thread that waits for this member's answers; `None` ends it.
    finisher: Sender<Option<Sent>>,
}

#[derive(Default)]
struct State {
    loads: Vec<Load>,
    waiting: VecDeque<Order>,
}

/// What a member has to do, and how fast it is.
#[derive(Clone, Copy, Default)]
struct Load {
    /// Answers in flight.
    work: u64,
    /// Seconds for an answer; 0 while unknown.
    pace: f64,
    /// `PERFT` and `SEARCH` requests in flight.
    long: usize,
}

/// A request for which no member is chosen yet.
struct Order {
    request: Request,
    work: u64,
    slot: Arc<ReplySlot>,
}

/// A request that a member has.
struct Sent {
    answer: Answer,
    work: u64,
    slot: Arc<ReplySlot>,
    begun: Instant,
}

/// Where its answer comes from.
enum Answer {
    /// The member, which works on it.
    Ticket(Ticket),
    /// The thread of the member, which computes it: software of this process would let the submitter wait.
    Request(Request),
}

impl Load {
    /// Seconds until it has answered this too.
    fn until(&self, work: u64) -> f64 {
        (self.work + work) as f64 * self.pace
    }

    fn has_room(&self, work: u64) -> bool {
        match self.work {
            0 => true,
            _ if self.pace == 0.0 => self.work + work <= FIRST_WORK,
            _ => self.until(work) <= HORIZON.as_secs_f64(),
        }
    }
}

impl State {
    /// The member that should answer first, of those with room. One without a `PERFT` or `SEARCH` is preferred.
    fn choose(&self, work: u64) -> Option<usize> {
        let with_room = self.loads.iter().enumerate().filter(|(_, load)| load.has_room(work));
        let first = with_room
            .min_by(|(_, a), (_, b)| (a.long > 0).cmp(&(b.long > 0)).then(a.until(work).total_cmp(&b.until(work))));
        first.map(|(member, _)| member)
    }

    /// The member for a request that takes long: one with the fewest of them.
    fn choose_long(&self) -> usize {
        let loads = self.loads.iter().enumerate();
        loads.min_by_key(|(_, load)| load.long).map_or(0, |(member, _)| member)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request to a member, which has its work already.
    fn send(&self, member: usize, order: Order) {
        let Order { request, work, slot } = order;
        let Member { chip, finisher } = &self.members[member];
        let begun = Instant::now();
        let answer = match chip.direct() {
            Some(_) => Answer::Request(request),
            None => Answer::Ticket(chip.submit(request)),
        };
        // The finisher ends only when the team is dropped.
        let _ = finisher.send(Some(Sent { answer, work, slot, begun }));
    }

    /// The first waiting request, if this member has room for it.
    fn next_for(&self, member: usize) -> Option<Order> {
        let mut state = self.state();
        let work = state.waiting.front()?.work;
        let load = &mut state.loads[member];
        if !load.has_room(work) {
            return None;
        }
        load.work += work;
        state.waiting.pop_front()
    }

    /// The thread of a member: hands over its answers, measures its pace, and gives it what waits.
    fn finish(&self, member: usize, sent: &Receiver<Option<Sent>>) {
        let mut last = Instant::now();
        while let Ok(Some(Sent { answer, work, slot, begun })) = sent.recv() {
            let outcome = match answer {
                Answer::Ticket(ticket) => ticket.wait(),
                Answer::Request(request) => self.members[member].chip.request(request),
            };
            let now = Instant::now();
            let pace = (now - begun.max(last)).as_secs_f64() / work as f64;
            last = now;
            {
                let load = &mut self.state().loads[member];
                load.work -= work;
                load.pace += (pace - load.pace) * if load.pace == 0.0 { 1.0 } else { PACE_SHARE };
            }
            slot.complete(outcome);
            while let Some(order) = self.next_for(member) {
                self.send(member, order);
            }
        }
    }
}

/// A request that takes long, while it is in flight.
struct Long {
    shared: Arc<Shared>,
    member: usize,
}

impl Long {
    fn chip(&self) -> &dyn CoProcessor {
        &*self.shared.members[self.member].chip
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        self.shared.state().loads[self.member].long -= 1;
    }
}

impl Team {
    /// A team of these back ends.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn new(chips: Vec<Arc<dyn CoProcessor>>) -> Result<Team, AccelError> {
        assert!(!chips.is_empty(), "a team has members");
        let state = Mutex::new(State { loads: vec![Load::default(); chips.len()], ..State::default() });
        let (members, receivers): (Vec<_>, Vec<_>) = chips
            .into_iter()
            .map(|chip| {
                let (finisher, sent) = channel();
                (Member { chip, finisher }, sent)
            })
            .unzip();
        let mut team = Team { shared: Arc::new(Shared { members, state }), finishers: Vec::new() };
        for (member, sent) in receivers.into_iter().enumerate() {
            let shared = team.shared.clone();
            let thread = std::thread::Builder::new().name("team".into()).spawn(move || shared.finish(member, &sent));
            team.finishers.push(thread.map_err(|error| no_thread(team.name(), &error))?);
        }
        Ok(team)
    }

    fn chips(&self) -> impl Iterator<Item = &Arc<dyn CoProcessor>> {
        self.shared.members.iter().map(|member| &member.chip)
    }

    /// What the registers of all have in common.
    fn common(&self, of: fn(&Arc<dyn CoProcessor>) -> Result<Info, AccelError>) -> Result<Info, AccelError> {
        let infos = self.chips().map(of).collect::<Result<Vec<_>, _>>()?;
        Ok(infos.into_iter().reduce(common).expect("there is a member"))
    }

    /// Sends a request to all members. The outcome is the first failure, or the first member's answer.
    fn submit_to_all(&self, request: &Request) -> Ticket {
        let mut tickets: Vec<Ticket> = self.chips().map(|chip| chip.submit(request.clone())).collect();
        tickets.remove(0).then(move |first| {
            let others: Vec<RequestOutcome> = tickets.into_iter().map(Ticket::wait).collect();
            others.into_iter().fold(first, |so_far, other| so_far.and_then(|answers| other.map(|_| answers)))
        })
    }

    /// The member for a request that takes long.
    fn begin_long(&self) -> Long {
        let mut state = self.shared.state();
        let member = state.choose_long();
        state.loads[member].long += 1;
        Long { shared: self.shared.clone(), member }
    }
}

/// The first one's registers, with the capabilities and the room that both have.
fn common(a: Info, b: Info) -> Info {
    Info {
        capabilities: a.capabilities & b.capabilities,
        buffer_bytes: a.buffer_bytes.min(b.buffer_bytes),
        max_batch: a.max_batch.min(b.max_batch),
        table_loaded: u32::from(a.table_loaded + b.table_loaded == 2 && a.table_checksum == b.table_checksum),
        frames: a.frames.wrapping_add(b.frames),
        bad_frames: a.bad_frames.wrapping_add(b.bad_frames),
        positions: a.positions.wrapping_add(b.positions),
        search_table_bits: a.search_table_bits.min(b.search_table_bits),
        ..a
    }
}

impl CoProcessor for Team {
    fn name(&self) -> String {
        self.chips().map(CoProcessor::name).collect::<Vec<_>>().join(",")
    }

    /// `LOAD_TABLE` and `CANCEL` go to all members, `INFO` to the first.
    fn submit(&self, request: Request) -> Ticket {
        match Opcode::from_code(request.opcode) {
            Some(Opcode::LoadTable | Opcode::Cancel) => return self.submit_to_all(&request),
            Some(Opcode::Info) => return self.shared.members[0].chip.submit(request),
            Some(Opcode::Perft | Opcode::Search) => {
                let long = self.begin_long();
                return long.chip().submit(request).then(move |outcome| {
                    drop(long);
                    outcome
                });
            }
            _ => {}
        }
        let (ticket, slot) = Ticket::open();
        let work = request.answers() as u64;
        let order = Order { request, work, slot };
        let chosen = {
            let mut state = self.shared.state();
            match state.choose(work).filter(|_| state.waiting.is_empty()) {
                Some(member) => {
                    state.loads[member].work += work;
                    Some((member, order))
                }
                None => {
                    state.waiting.push_back(order);
                    None
                }
            }
        };
        if let Some((member, order)) = chosen {
            self.shared.send(member, order);
        }
        ticket
    }

    fn max_batch(&self) -> usize {
        self.chips().map(CoProcessor::max_batch).min().expect("there is a member")
    }

    fn at_once(&self) -> usize {
        self.chips().map(CoProcessor::at_once).sum()
    }

    fn info(&self) -> Result<Info, AccelError> {
        self.common(CoProcessor::info)
    }

    fn identity(&self) -> Result<Info, AccelError> {
        self.common(CoProcessor::identity)
    }

    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        self.chips().try_for_each(|chip| chip.load_table(table))
    }

    /// With a network only if every member takes one, so that it does not matter which one searches.
    fn set_evaluation(&self, evaluation: &Evaluation) -> Result<(), AccelError> {
        let evaluation = evaluation.for_chip(self.identity()?.capabilities);
        self.chips().try_for_each(|chip| chip.set_evaluation(&evaluation))
    }

    fn perft(
        &self,
        position: &PositionImage,
        depth: u8,
        watch: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Result<PerftResult, PositionError>, AccelError> {
        self.begin_long().chip().perft(position, depth, watch)
    }

    /// With no larger table than every member has, so that it does not matter which one searches.
    fn search(
        &self,
        request: &SearchRequest,
        watch: &mut dyn FnMut(Found) -> bool,
    ) -> Result<Result<SearchResult, PositionError>, AccelError> {
        let request = request.within(&self.identity()?);
        self.begin_long().chip().search(&request, watch)
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let waiting = std::mem::take(&mut self.shared.state().waiting);
        for order in waiting {
            let reason = "closed before the request was sent".into();
            order.slot.complete(Err(AccelError::Lost { target: self.name(), reason }));
        }
        for member in &self.shared.members {
            let _ = member.finisher.send(None);
        }
        for thread in self.finishers.drain(..) {
            let _ = thread.join();
        }
    }
}
