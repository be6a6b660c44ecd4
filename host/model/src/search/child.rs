//! A move is made: the depth and the window of its search.

use super::node::{Child, Node, Waiting};
use super::order::Class;
use super::reduction::reduction;
use super::spot::Candidate;
use hayasashi_spec::search::{SearchHead, Technique};
use hayasashi_spec::search_table::*;

/// Makes a candidate the current move of a node, and begins its search. `gives_check` is asked for moves that may be reduced.
pub fn make(
    head: &SearchHead,
    node: &mut Node,
    class: Class,
    candidate: Candidate,
    gives_check: impl FnOnce() -> bool,
) -> Child {
    node.made += 1;
    (node.current, node.class) = (candidate, class);
    node.waiting = Waiting::Open;
    if node.quiescence {
        node.quiet_evasions += candidate.is_quiet() as i32;
        return open(node);
    }
    let late = head.has(Technique::LateMoveReductions)
        && node.depth >= REDUCTION_DEPTH
        && node.made > 1 + node.open as i32
        && (candidate.is_quiet() || class == Class::Losing);
    if late {
        let promising = match class {
            Class::FirstKiller | Class::SecondKiller | Class::CounterMove | Class::Checks => true,
            _ => node.in_check || gives_check(),
        };
        let reduction = reduction(node.depth, node.made, node.improving) + EXPECTED_CUT * node.cut as i32
            - OPEN_WINDOW * node.open as i32
            - PROMISING * promising as i32;
        let next_depth = node.next_depth();
        node.reduced = (next_depth - reduction.max(0) / ONE_PLY).max(next_depth.min(1));
        node.waiting = Waiting::Reduced;
        return null_window(node);
    }
    if node.made > 1 {
        node.waiting = Waiting::NullWindow;
        return null_window(node);
    }
    open(node)
}

/// Searches the current move with a null window, reduced or not.
pub fn null_window(node: &Node) -> Child {
    let (depth, cut) = match node.waiting {
        Waiting::Reduced => (node.reduced, true),
        _ => (node.next_depth(), !node.cut),
    };
    Child { alpha: -node.alpha - 1, beta: -node.alpha, depth, cut, quiet_ply: 0, last: Some(node.current) }
}

/// Searches the current move with the window of the node.
pub fn open(node: &mut Node) -> Child {
    node.waiting = Waiting::Open;
    let (depth, quiet_ply) = if node.quiescence { (0, node.quiet_ply + 1) } else { (node.next_depth(), 0) };
    let cut = !node.open && !node.cut;
    Child { alpha: -node.beta, beta: -node.alpha, depth, cut, quiet_ply, last: Some(node.current) }
}

/// Makes a null move.
pub fn pass(node: &Node) -> Child {
    let depth = node.depth - null_move_reduction(node.depth, node.eval - node.beta);
    Child { alpha: -node.beta, beta: -node.beta + 1, depth: depth.max(0), cut: !node.cut, quiet_ply: 0, last: None }
}
