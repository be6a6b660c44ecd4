//! The order in which a walker does things: steps, and what is done within one.
//!
//! ```text
//!                    +---------+
//!   clock, reset    ->         -> busy, paused   to the controller
//!   start           -> Control =>                orders: `control_ports::Orders`
//!   stop, pause     ->         |
//!   findings        =>         |                 `control_ports::Findings`
//!                    +---------+
//! ```
//!
//! Handshake: `start` for one clock while not `busy`. Of the findings, those that are ready or done are waited for; the others are looked
//! at when the block behind them has had its clocks ([`Waits`]).
//! Latency: the sum of those of the blocks on the way. Throughput: one step at a time.
//! Cost: 25 flip-flops. Model: `host/model/src/search/walker.rs`. Absent: all data (`unit`).

use super::control_ports::{Findings, Orders};
use super::control_state::{ControlState, Event, Left, Waits, What};
use rust_hdl::prelude::*;

/// Says what a walker does next.
#[derive(LogicBlock, Default)]
pub struct Control {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// Search.
    pub start: Signal<In, Bit>,
    /// End before the next step.
    pub stop: Signal<In, Bit>,
    /// Wait before the next step.
    pub pause: Signal<In, Bit>,
    /// A search is under way.
    pub busy: Signal<Out, Bit>,
    /// It waits, or there is none.
    pub paused: Signal<Out, Bit>,
    /// What the blocks have found.
    pub findings: Findings,
    /// What they do.
    pub orders: Orders,
    state: DFF<ControlState>,
    event: DFF<Event>,
    left: DFF<Left>,
    wait: DFF<Bits<4>>,
    /// What the node searches; how it goes on when its line is written.
    searches: DFF<Bits<2>>,
    finishes: DFF<Bit>,
    searches_again: DFF<Bit>,
    /// The planes are those of the present position.
    fresh: DFF<Bit>,
    /// The node begins anew, in the next step.
    anew: DFF<Bit>,
    waited: Signal<Local, Bit>,
    /// A step begins in this clock.
    begins: Signal<Local, Bit>,
    /// The node entered has neither a score nor is it none.
    goes_on: Signal<Local, Bit>,
    /// The table, the path, the planes and the evaluation are there.
    found: Signal<Local, Bit>,
    picks_now: Signal<Local, Bit>,
    looks_again: Signal<Local, Bit>,
    waits: Waits,
    kinds: What,
}

impl Logic for Control {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, event, left, wait, searches, finishes, searches_again, fresh, anew);
        self.busy.next = self.state.q.val() != ControlState::Idle;
        self.paused.next = (self.state.q.val() == ControlState::Idle)
            | ((self.state.q.val() == ControlState::Begin) & self.pause.val());
        self.waited.next = self.wait.q.val() == 0;
        if !self.waited.val() {
            self.wait.d.next = self.wait.q.val() - 1;
        }
        self.begins.next = (self.state.q.val() == ControlState::Begin)
            & !self.stop.val()
            & !self.pause.val()
            & !self.findings.no_steps.val();
        self.goes_on.next = !self.findings.has_score.val() & !self.findings.no_move.val();
        self.found.next = self.findings.looked.val()
            & self.findings.scored.val()
            & self.findings.path_ready.val()
            & self.findings.table_ready.val();
        self.looks_again.next = (self.state.q.val() == ControlState::Pick)
            & self.waited.val()
            & !self.findings.null.val()
            & !self.fresh.q.val();
        self.picks_now.next = (self.state.q.val() == ControlState::Pick)
            & self.waited.val()
            & !self.findings.null.val()
            & self.fresh.q.val()
            & self.findings.looked.val();

        self.orders.loads_image.next = (self.state.q.val() == ControlState::Idle) & self.start.val();
        self.orders.makes_root_keys.next = self.state.q.val() == ControlState::Load;
        self.orders.evaluates.next =
            (self.state.q.val() == ControlState::Load) | (self.state.q.val() == ControlState::Look);
        self.orders.looks.next = self.orders.evaluates.val() | self.looks_again.val();
        self.orders.takes_keys.next = ((self.state.q.val() == ControlState::SetUp) & self.findings.prepared.val())
            | ((self.state.q.val() == ControlState::Arrive) & self.findings.keys_ready.val());
        self.orders.finds.next =
            ((self.state.q.val() == ControlState::PushRoot) | (self.state.q.val() == ControlState::Find))
                & !self.waited.val();
        self.orders.steps.next = self.begins.val();
        self.orders.iterates.next = (self.state.q.val() == ControlState::Iterate) & self.waited.val();
        self.orders.takes_score.next = (self.state.q.val() == ControlState::Enter) & self.waited.val();
        self.orders.takes_entered.next = self.orders.takes_score.val() & self.goes_on.val();
        self.orders.begins_picking.next = (self.state.q.val() == ControlState::Start) & self.waited.val();
        self.orders.leaves.next =
            (self.state.q.val() == ControlState::Leave) & (self.wait.q.val() == self.waits.leave.val());
        self.orders.recalls.next =
            (self.state.q.val() == ControlState::Leave) & self.waited.val() & self.findings.path_ready.val();
        self.orders.unmakes.next = self.left.q.val() == Left::NoMove;
        self.orders.takes_returned.next = (self.state.q.val() == ControlState::Return) & self.waited.val();
        self.orders.picks.next = self.picks_now.val();
        self.orders.takes_verdict.next = (self.state.q.val() == ControlState::Judge) & self.waited.val();
        self.orders.what.next = self.searches.q.val();
        self.orders.takes_issued.next =
            (self.state.q.val() == ControlState::Issue) & self.waited.val() & !self.findings.no_nodes.val();
        self.orders.makes_child.next =
            (self.state.q.val() == ControlState::Make) & (self.wait.q.val() == self.waits.make.val());
        self.orders.takes_child.next = (self.state.q.val() == ControlState::Make) & self.waited.val();
        self.orders.takes_again.next =
            (self.state.q.val() == ControlState::Finish) & self.waited.val() & self.findings.razored.val();
        self.orders.takes_end.next =
            (self.state.q.val() == ControlState::Finish) & self.waited.val() & !self.findings.razored.val();
        if self.orders.looks.val() {
            self.fresh.d.next = true;
        }
        if self.orders.recalls.val() {
            self.fresh.d.next = false;
        }

        match self.state.q.val() {
            ControlState::Idle => {
                if self.start.val() {
                    self.state.d.next = ControlState::Load;
                }
            }
            ControlState::Load => {
                self.state.d.next = ControlState::SetUp;
            }
            ControlState::SetUp => {
                if self.findings.prepared.val() & self.findings.looked.val() {
                    self.state.d.next = ControlState::PushRoot;
                    self.wait.d.next = self.waits.node.val();
                }
            }
            ControlState::PushRoot => {
                self.event.d.next = Event::Iteration;
                if self.waited.val() & self.found.val() {
                    self.state.d.next = ControlState::Begin;
                }
            }
            ControlState::Begin => {
                if self.begins.val() {
                    self.wait.d.next = self.waits.node.val();
                    match self.event.q.val() {
                        Event::Iteration => {
                            self.state.d.next = ControlState::Iterate;
                            self.wait.d.next = self.waits.iterate.val();
                        }
                        Event::Arrived => {
                            self.state.d.next = ControlState::Arrive;
                        }
                        Event::Returned => {
                            self.state.d.next = ControlState::Return;
                        }
                        Event::Picking => {
                            self.state.d.next = ControlState::Pick;
                        }
                    }
                } else if self.stop.val() | !self.pause.val() {
                    self.state.d.next = ControlState::Idle;
                }
            }
            ControlState::Iterate => {
                if self.waited.val() {
                    self.state.d.next = ControlState::Look;
                    if self.findings.last_iteration.val() {
                        self.state.d.next = ControlState::Idle;
                    }
                }
            }
            ControlState::Look => {
                // The root is in the path already, and the step has begun.
                self.state.d.next = ControlState::Find;
                if !self.findings.at_root.val() {
                    self.event.d.next = Event::Arrived;
                    self.state.d.next = ControlState::Begin;
                }
            }
            ControlState::Arrive => {
                if self.findings.looked.val() & self.findings.keys_ready.val() {
                    self.state.d.next = ControlState::Find;
                    self.wait.d.next = self.waits.node.val();
                }
            }
            ControlState::Find => {
                if self.waited.val() & self.found.val() {
                    self.state.d.next = ControlState::Enter;
                    self.wait.d.next = self.waits.enter.val();
                }
            }
            ControlState::Enter => {
                self.anew.d.next = false;
                self.left.d.next = Left::Scored;
                if self.findings.no_move.val() {
                    self.left.d.next = Left::NoMove;
                }
                if self.waited.val() {
                    self.state.d.next = ControlState::Leave;
                    self.wait.d.next = self.waits.leave.val();
                    if self.goes_on.val() {
                        self.state.d.next = ControlState::Start;
                        self.wait.d.next = self.waits.start.val();
                    }
                }
            }
            ControlState::Start => {
                self.event.d.next = Event::Picking;
                if self.waited.val() {
                    self.state.d.next = ControlState::Pick;
                    self.wait.d.next = self.waits.node.val();
                    if self.anew.q.val() {
                        self.state.d.next = ControlState::Begin;
                    }
                }
            }
            ControlState::Leave => {
                self.event.d.next = Event::Returned;
                if self.orders.recalls.val() {
                    self.wait.d.next = self.waits.node.val();
                    match self.left.q.val() {
                        Left::Scored => {
                            self.state.d.next = ControlState::Return;
                        }
                        Left::NoMove => {
                            self.state.d.next = ControlState::Pick;
                        }
                        Left::Ended => {
                            self.state.d.next = ControlState::Begin;
                        }
                    }
                }
            }
            ControlState::Return => {
                self.finishes.d.next = self.findings.outcome.val().get_bit(0);
                self.searches_again.d.next =
                    self.findings.outcome.val().get_bit(1) | self.findings.outcome.val().get_bit(2);
                self.searches.d.next = self.kinds.again.val();
                if self.findings.outcome.val().get_bit(2) {
                    self.searches.d.next = self.kinds.wide.val();
                }
                if self.waited.val() {
                    self.state.d.next = ControlState::Raise;
                }
            }
            ControlState::Raise => {
                self.wait.d.next = self.waits.node.val();
                if self.findings.line_ready.val() {
                    self.state.d.next = ControlState::Pick;
                    if self.finishes.q.val() {
                        self.state.d.next = ControlState::Finish;
                    }
                    if self.searches_again.q.val() {
                        self.state.d.next = ControlState::Issue;
                        self.wait.d.next = self.waits.issue.val();
                    }
                }
            }
            ControlState::Pick => {
                self.searches.d.next = self.kinds.pass.val();
                if self.waited.val() & self.findings.null.val() {
                    self.state.d.next = ControlState::Issue;
                    self.wait.d.next = self.waits.issue.val();
                }
                if self.picks_now.val() {
                    self.state.d.next = ControlState::Picking;
                }
            }
            ControlState::Picking => {
                self.searches.d.next = self.kinds.make.val();
                if self.findings.picked.val() {
                    self.state.d.next = ControlState::Finish;
                    self.wait.d.next = self.waits.node.val();
                    if self.findings.has_candidate.val() {
                        self.state.d.next = ControlState::Judge;
                        self.wait.d.next = self.waits.judge.val();
                    }
                }
            }
            ControlState::Judge => {
                self.event.d.next = Event::Picking;
                if self.waited.val() {
                    self.state.d.next = ControlState::Issue;
                    self.wait.d.next = self.waits.issue.val();
                    if self.findings.refused.val() {
                        self.wait.d.next = self.waits.node.val();
                        self.state.d.next = ControlState::Pick;
                        if self.findings.last_pick.val() {
                            self.state.d.next = ControlState::Begin;
                        }
                    }
                }
            }
            ControlState::Issue => {
                if self.waited.val() {
                    self.state.d.next = ControlState::Make;
                    self.wait.d.next = self.waits.make.val();
                    if self.findings.no_nodes.val() {
                        self.state.d.next = ControlState::Idle;
                    }
                }
            }
            ControlState::Make => {
                if self.waited.val() {
                    self.state.d.next = ControlState::Look;
                }
            }
            ControlState::Finish => {
                self.anew.d.next = self.findings.razored.val();
                if self.waited.val() {
                    self.state.d.next = ControlState::Store;
                    self.wait.d.next = self.waits.node.val();
                    if self.findings.razored.val() {
                        self.state.d.next = ControlState::Start;
                        self.wait.d.next = self.waits.start.val();
                    }
                }
            }
            ControlState::Store => {
                self.left.d.next = Left::Ended;
                self.event.d.next = Event::Iteration;
                if self.waited.val() & self.findings.table_ready.val() {
                    self.state.d.next = ControlState::Leave;
                    self.wait.d.next = self.waits.leave.val();
                    if self.findings.at_root.val() {
                        self.state.d.next = ControlState::Begin;
                    }
                }
            }
        }
        if self.reset.val() {
            self.state.d.next = ControlState::Idle;
        }
    }
}
