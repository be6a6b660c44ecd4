//! Late-move reductions.

use hayasashi_spec::search_table::*;

/// The reduction of a move before what its node and class add, in parts of [`ONE_PLY`].
pub fn reduction(depth: i32, number: i32, improving: bool) -> i32 {
    late_move_reduction(depth, number) + if improving { 0 } else { NOT_IMPROVING }
}
