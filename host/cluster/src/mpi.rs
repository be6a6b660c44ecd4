//! Ranks that are processes, started by `mpirun`.

use super::{
    usi::team::{Event, Incoming, Lines, Team},
    ClusterError, Ranks,
};
use ::mpi::{
    collective::CommunicatorCollectives,
    datatype::{Partition, PartitionMut},
    environment::Universe,
    point_to_point::{Destination, MatchedReceiveVec, Source},
    topology::{Communicator, SimpleCommunicator},
    Count,
};
use hayasashi_engine::usi::{self, Options};
use std::{
    io::BufReader,
    sync::mpsc::{channel, Receiver, RecvTimeoutError},
    time::Duration,
};

/// Memory for lines that are on their way.
const LINES_BYTES: usize = 4 << 20;
/// How often messages are looked for while none comes.
const POLL: Duration = Duration::from_micros(200);

/// This process as a rank. MPI ends with it.
pub struct MpiRank {
    world: SimpleCommunicator,
    // Dropped last.
    _universe: Universe,
}

impl MpiRank {
    /// Joins the run that `mpirun` has started. To be called once, by the main thread.
    ///
    /// # Errors
    /// MPI is initialised already.
    pub fn join() -> Result<MpiRank, ClusterError> {
        let mut universe = ::mpi::initialize().ok_or_else(|| ClusterError::Mpi("it is initialised already".into()))?;
        universe.set_buffer_size(LINES_BYTES);
        Ok(MpiRank { world: universe.world(), _universe: universe })
    }

    /// Ends the processes of all ranks: they would wait for one that has failed.
    pub fn abort(&self) -> ! {
        self.world.abort(1)
    }

    /// Leads the other ranks, which are members of a team, until `lead` has returned. Lines are messages; this thread alone speaks to MPI.
    /// `lead` returns whether all members are there at the end; if not, MPI cannot end in order, and all ranks are killed.
    pub fn lead(&self, lead: impl FnOnce(Team) -> bool + Send) {
        let mut team = Team::default();
        let (sender, lines) = channel::<(usize, String)>();
        for rank in 1..self.count() {
            let sender = sender.clone();
            team.add(Box::new(move |line| drop(sender.send((rank, line.to_string())))));
        }
        // The channel ends with the team.
        drop(sender);
        let events = team.sender();
        std::thread::scope(|scope| {
            let leader = scope.spawn(move || lead(team));
            self.pass_on(&lines, |rank, line| drop(events.send(Event::Line(rank - 1, line))));
            if !leader.join().unwrap_or(false) {
                self.abort();
            }
        });
    }

    /// Is a member: an engine that obeys the lines of rank 0 until `quit`.
    pub fn follow(&self, options: Options) {
        let (to_engine, lines) = channel();
        let (from_engine, answers) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let send = Box::new(move |line| drop(from_engine.send((0, line))));
                let _ = usi::run(options, BufReader::new(Incoming::new(lines)), Lines::new(send));
            });
            self.pass_on(&answers, |_, line| drop(to_engine.send(line)));
        });
    }

    /// Sends lines to the ranks that they are for, and hands over what comes from any rank, until the channel ends.
    fn pass_on(&self, lines: &Receiver<(usize, String)>, mut hear: impl FnMut(usize, String)) {
        loop {
            let mut came = false;
            while let Some(message) = self.world.any_process().immediate_matched_probe() {
                let (bytes, status) = message.matched_receive_vec::<u8>();
                hear(status.source_rank() as usize, String::from_utf8_lossy(&bytes).into_owned());
                came = true;
            }
            match lines.recv_timeout(if came { Duration::ZERO } else { POLL }) {
                // A send that waits for its receiver would wait for ever for one that is lost.
                Ok((rank, line)) => self.world.process_at_rank(rank as i32).buffered_send(line.as_bytes()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

impl Ranks for MpiRank {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn count(&self) -> usize {
        self.world.size() as usize
    }

    /// Where a rank is lost, MPI ends the processes of all.
    fn exchange(&self, to: &[Vec<u64>]) -> Result<Vec<u64>, ClusterError> {
        let counts: Vec<Count> = to.iter().map(|words| length(words)).collect::<Result<_, _>>()?;
        let mut counts_here = vec![0; self.count()];
        self.world.all_to_all_into(&counts, &mut counts_here);
        let words = to.concat();
        let (places_there, places_here) = (places(&counts)?, places(&counts_here)?);
        let mut words_here = vec![0; counts_here.iter().map(|&count| count as usize).sum()];
        self.world.all_to_all_varcount_into(
            &Partition::new(&words, counts, places_there),
            &mut PartitionMut::new(&mut words_here[..], counts_here, places_here),
        );
        Ok(words_here)
    }

    fn share(&self, own: &[u64]) -> Result<Vec<u64>, ClusterError> {
        let mut counts = vec![0; self.count()];
        self.world.all_gather_into(&length(own)?, &mut counts);
        let places = places(&counts)?;
        let mut words = vec![0; counts.iter().map(|&count| count as usize).sum()];
        self.world.all_gather_varcount_into(own, &mut PartitionMut::new(&mut words[..], counts, places));
        Ok(words)
    }
}

fn too_long() -> ClusterError {
    ClusterError::Mpi(format!("messages of more than {} words", Count::MAX))
}

fn length(words: &[u64]) -> Result<Count, ClusterError> {
    words.len().try_into().map_err(|_| too_long())
}

/// Where each list begins if they stand one behind the other.
fn places(counts: &[Count]) -> Result<Vec<Count>, ClusterError> {
    let mut places = Vec::with_capacity(counts.len());
    let mut end: Count = 0;
    for &count in counts {
        places.push(end);
        end = end.checked_add(count).ok_or_else(too_long)?;
    }
    Ok(places)
}
