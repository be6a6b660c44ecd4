//! Entries of tables, which the leader passes from each member to the others.
//!
//! In a simulation the members search in step: each waits after so many nodes until all have sent their entries, and gets those that the
//! others had sent the time before, because a message takes time.

use super::leader::Leader;
use std::io::Write;

/// The first word of a line of entries.
pub(super) const ENTRIES: &str = "entries";
/// Entries of at least this depth are sent.
const DEPTH: i8 = 4;
/// Bytes for a member that has said nothing since: what it does not read must fit into a pipe, or the leader would wait for it.
const MOST_UNHEARD: usize = 1 << 15;
/// Nodes from one message of a member to the next.
const EVERY: u64 = 4096;
/// The same in a simulation.
const EVERY_IN_STEP: u64 = 512;

/// The command by which this member shares its table.
pub(super) fn share_command(member: usize, in_step: bool) -> String {
    match in_step {
        true => format!("share {member} {DEPTH} {EVERY_IN_STEP} instep"),
        false => format!("share {member} {DEPTH} {EVERY}"),
    }
}

/// Entries from and for a member.
#[derive(Clone, Default)]
pub(super) struct Entries {
    /// Bytes sent to it since it said something last.
    pub unheard: usize,
    /// What it has sent in a simulation since the last step; `None` if the member has not come so far.
    new: Option<String>,
    /// What it has sent in the step before.
    before: String,
}

impl<W: Write> Leader<W> {
    /// Passes the entries in this line of a member to the others.
    pub(super) fn pass_on(&mut self, at: usize, line: &str) {
        let Some(search) = &mut self.search else { return };
        if self.settings.simulated.is_some() {
            let entries = line.trim_start().trim_start_matches(ENTRIES).trim();
            search.seats[at].entries.new = Some(entries.to_string());
            return;
        }
        search.seats[at].entries.unheard = 0;
        for (other, (member, seat)) in self.team.members.iter_mut().zip(&mut search.seats).enumerate() {
            let unheard = seat.entries.unheard + line.len() + 1;
            if other != at && member.is_searching() && unheard <= MOST_UNHEARD {
                seat.entries.unheard = unheard;
                member.send(line);
            }
        }
    }

    /// Lets members that search in step go on when all have come to the same node.
    pub(super) fn step(&mut self) {
        let Some(search) = &mut self.search else { return };
        let searching: Vec<usize> =
            (0..self.team.members.len()).filter(|&at| self.team.members[at].is_searching()).collect();
        if searching.is_empty() || searching.iter().any(|&at| search.seats[at].entries.new.is_none()) {
            return;
        }
        let mut sent = Vec::new();
        for seat in &mut search.seats {
            let new = seat.entries.new.take().unwrap_or_default();
            sent.push(std::mem::replace(&mut seat.entries.before, new));
        }
        for at in searching {
            let others = sent.iter().enumerate().filter(|(other, entries)| *other != at && !entries.is_empty());
            let entries: String = others.map(|(_, entries)| format!(" {entries}")).collect();
            self.team.members[at].send(&format!("{ENTRIES}{entries}"));
        }
    }
}
