//! Which moves a node picks, and which of them first.
//!
//! ```text
//!                  +--------+
//!   techniques 18 =>        => selection 16   see `picker::Selection`
//!   node 196      => Select => special 60     the table's move, the killers, the counter move; zero for none
//!   killers 30    =>        |
//!   counter 15    =>        |
//!                  +--------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one node per clock. Cost: 75 flip-flops.
//! Model: `host/model/src/search/walker.rs` (`start_picker`). Absent: the order itself (`picker`).

use super::node::{has, Move, Node, Techniques};
use super::order::Selection;
use crate::network;
use crate::network::{Wires, Word};
use crate::position::board::turn_square;
use hayasashi_spec::search::Technique;
use hayasashi_spec::search_table::{FREE_CAPTURE_PLIES, HISTORY_DEPTH};
use rust_hdl::prelude::*;

network! {
    /// Says what a node picks.
    Select = select(SelectIn) -> SelectOut {
        in techniques: Techniques;
        in node: Node;
        in killers: Wires<30>;
        in counter: Move;
        out selection: Selection;
        out special: [Move; 4];
    }
}

fn select<W: Word>(inputs: SelectIn<W>) -> SelectOut<W> {
    let SelectIn { techniques, node: n, killers, counter } = inputs;
    let on = |technique: Technique| has(techniques, technique);
    let calm = !n.in_check;
    let late = !n.child.quiet_ply.below(W::constant(FREE_CAPTURE_PLIES as u128, 3));
    let deep = !n.child.depth.below(W::constant(HISTORY_DEPTH as u128, 6));
    let forcing_only = (n.quiescence & calm).named("forcing_only");
    let selection = Selection {
        evasions: n.in_check,
        forcing_only,
        has_only_on: on(Technique::Recaptures) & forcing_only & late & n.child.has_last,
        // The board was turned since.
        only_on: turn_square(n.child.last.to()),
        by_exchange: on(Technique::Exchange) & calm,
        by_victim: on(Technique::CaptureOrder),
        checks_first: on(Technique::CheckOrder),
        attacked_first: on(Technique::AttackedOrder),
        promotions: on(Technique::Promotions),
        by_history: on(Technique::History) & !n.quiescence & deep.named("deep"),
    };
    let quiets = (!n.quiescence & calm).named("quiets");
    let with_killers = (quiets & on(Technique::Killers)).named("with_killers");
    let [first, second] = [0, 15].map(|low| killers.slice(low, 15).when(with_killers));
    let counter = counter.when(quiets & on(Technique::CounterMove));
    SelectOut { selection, special: [n.known.when(!forcing_only), first, second, counter] }
}
