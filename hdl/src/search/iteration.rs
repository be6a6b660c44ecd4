//! Iterations and their windows.
//!
//! ```text
//!                 +----------+
//!   clock        ->          => following 41   see `Iteration`
//!   head 72      =>          |
//!   iteration 6  => Iterate  |
//!   score 16     =>          |
//!   root 48      =>          |
//!                 +----------+
//!
//!   review -> open_window
//! ```
//!
//! Handshake: none.
//! Latency: two clocks. Throughput: one iteration per clock.
//! Cost: 82 flip-flops.
//! Model: `host/model/src/search/iteration.rs`. Absent: the answer (`walker`).

use super::node::*;
use super::number::*;
use crate::network::{width, Wire, Word};
use crate::{bundle, network};
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

/// Clocks from the end of an iteration to what comes next.
pub const ITERATE_CLOCKS: u64 = 2;

bundle! {
    /// How an iteration has left the root.
    pub struct Root {
        /// The lower end of its window.
        alpha: Score,
        /// The upper end.
        beta: Score,
        /// The score.
        best: Score,
    }
}

bundle! {
    /// What comes after an iteration.
    pub struct Iteration {
        /// The iteration has completed: the answer gets its depth, and the score of the root.
        completed: Wire,
        /// The answer's line becomes empty.
        fails_low: Wire,
        /// The search ends.
        ends: Wire,
        /// The next iteration, or the same again.
        iteration: Plies,
        /// The lower end of its window.
        alpha: Score,
        /// The upper end.
        beta: Score,
    }
}

network! {
    /// What the iteration has come to; an end of the window that is proposed.
    Review = review(ReviewIn) -> ReviewOut {
        in head: Head;
        in iteration: Plies;
        in score: Score;
        in root: Root;
        out proposed: Iteration;
    }
}

network! {
    /// The window, unless it is empty.
    OpenWindow = open_window(OpenWindowIn) -> OpenWindowOut {
        in head: Head;
        in proposed: Iteration;
        out following: Iteration;
    }
}

fn review<W: Word>(inputs: ReviewIn<W>) -> ReviewOut<W> {
    let ReviewIn { head, iteration, score, root } = inputs;
    let begun = iteration.any().named("begun");
    let low = (begun & less(head.alpha, root.alpha) & at_most(root.best, root.alpha)).named("low");
    let high = (begun & !low & less(root.beta, head.beta) & !less(root.best, root.beta)).named("high");
    let completed = (begun & !low & !high).named("completed");

    let size = root.best.bit(SCORE_BITS - 1).choose(negative(root.best), root.best);
    let sum = size.plus(iteration, SCORE_BITS).named("size_and_plies");
    let mates = !sum.below(W::constant(MATE as u128, SCORE_BITS));

    let next = iteration.plus(W::constant(1, 1), 6).named("next_iteration");
    let late = !next.below(W::constant(ASPIRATION_DEPTH as u128, 6));
    let narrow = has(head.techniques, Technique::Aspiration) & late & !is_decided(score);
    let narrow = narrow.named("narrow");
    let margin = constant::<W>(ASPIRATION_WINDOW, SCORE_BITS);
    let below = score.minus(margin, SCORE_BITS).named("below_score");
    let above = score.plus(margin, SCORE_BITS).named("above_score");
    let [new_low, new_high] = [greater_of(head.alpha, below), smaller_of(head.beta, above)];
    let again = low | high;
    let proposed = Iteration {
        completed,
        fails_low: completed & at_most(root.best, head.alpha),
        ends: completed & (iteration.equals(head.depth) | mates),
        iteration: again.choose(iteration, next),
        alpha: again.choose(low.choose(head.alpha, root.alpha), narrow.choose(new_low, head.alpha)),
        beta: again.choose(high.choose(head.beta, root.beta), narrow.choose(new_high, head.beta)),
    };
    ReviewOut { proposed }
}

fn open_window<W: Word>(inputs: OpenWindowIn<W>) -> OpenWindowOut<W> {
    let OpenWindowIn { head, proposed: p } = inputs;
    let some = less(p.alpha, p.beta).named("some");
    let following = Iteration { alpha: some.choose(p.alpha, head.alpha), beta: some.choose(p.beta, head.beta), ..p };
    OpenWindowOut { following }
}

/// Says which iteration comes next.
#[derive(LogicBlock, Default)]
pub struct Iterate {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The request.
    pub head: Signal<In, Bits<{ width::<Head>() }>>,
    /// The iteration that has ended; 0 before the first.
    pub iteration: Signal<In, Bits<6>>,
    /// The answer's score.
    pub score: Signal<In, Bits<SCORE_BITS>>,
    /// How the iteration has left the root.
    pub root: Signal<In, Bits<{ width::<Root>() }>>,
    /// What comes next.
    pub following: Signal<Out, Bits<{ width::<Iteration>() }>>,
    review: Review,
    open_window: OpenWindow,
}

impl Logic for Iterate {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, review, open_window);
        self.review.head.next = self.head.val();
        self.review.iteration.next = self.iteration.val();
        self.review.score.next = self.score.val();
        self.review.root.next = self.root.val();
        self.open_window.head.next = self.head.val();
        self.open_window.proposed.next = self.review.proposed.val();
        self.following.next = self.open_window.following.val();
    }
}
