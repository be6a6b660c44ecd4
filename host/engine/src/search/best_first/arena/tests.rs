//! The arena keeps lines, proofs and its capacity.

use super::*;

fn moves() -> Vec<Move> {
    ["7g7f", "2g2f", "6i7h", "3i4h"].map(|m| Move::from_usi(m).unwrap()).to_vec()
}

fn leaves() -> Vec<Node> {
    moves().into_iter().map(|mv| Node { share: 0.25, ..Node::new(mv) }).collect()
}

/// A tree of four levels; every node's value is its number.
fn tree() -> Arena {
    let mut arena = Arena::new(0);
    arena.clear();
    for at in 0..21 {
        assert!(arena.insert(at, &leaves()));
    }
    for at in 0..arena.len() as u32 {
        arena.node_mut(at).value = at as f32;
    }
    arena
}

fn lines(arena: &Arena, root: u32) -> Vec<(Vec<Move>, f32)> {
    let below = |at: u32| {
        let top = std::iter::successors(Some(at), |&at| arena.parent(at)).any(|at| at == root);
        top.then(|| (arena.line(root, at), arena.node(at).value))
    };
    (0..arena.len() as u32).filter_map(below).collect()
}

#[test]
fn what_is_below_a_move_survives_it() {
    let before = tree();
    for root in [1, 4, 7, 30] {
        let mut arena = tree();
        let child = before.children(root).next();
        let mut held = [Some(root), child, Some(3), Some(0)];
        arena.retain(root, |_| true, &mut held);
        assert_eq!(lines(&arena, 0), lines(&before, root), "{root}");
        assert_eq!(held, [Some(0), child.map(|_| 1), None, None]);
        assert!((1..arena.len() as u32).all(|at| arena.children(arena.parent(at).unwrap()).contains(&at)));
    }
}

#[test]
fn a_node_without_its_children_is_a_leaf_again() {
    let mut arena = tree();
    arena.retain(0, |at| at < 4, &mut []);
    assert_eq!(arena.len(), 1 + 4 + 12);
    assert!(arena.node(4).is_leaf() && arena.node(4).reach == 1.0 && arena.node(4).value == 4.0);
}

#[test]
fn recycling_keeps_what_is_worth_most_and_what_is_held() {
    let mut arena = tree();
    arena.capacity = 60;
    // The priority falls with the number; there is room for thirty.
    let held = arena.line(0, 80);
    let mut held_nodes = [Some(80)];
    arena.recycle(|_, at, _| 1.0 / (at + 1) as f32, &mut held_nodes);
    assert!(arena.len() <= 60, "{}", arena.len());
    assert_eq!(arena.line(0, held_nodes[0].unwrap()), held);
    assert!(!arena.node(1).is_leaf() && arena.node(arena.child(1, moves()[3]).unwrap()).is_leaf());
}

#[test]
fn there_is_never_more_than_the_capacity() {
    let mut arena = Arena::new(0);
    arena.clear();
    let mut at = 0;
    while arena.insert(at, &leaves()) {
        at += 1;
    }
    assert!(arena.len() <= arena.capacity() && arena.len() + 4 > arena.capacity());
    assert!(arena.node(at).is_leaf());
}

#[test]
fn settled_children_settle_their_parent() {
    let settled = |scores: &[Option<i32>]| {
        let mut arena = Arena::new(0);
        arena.clear();
        let mut children = leaves();
        children.iter_mut().zip(scores).for_each(|(child, score)| score.iter().for_each(|&s| child.settle(s)));
        assert!(arena.insert(0, &children));
        arena.settle(0);
        arena.node(0).settled()
    };
    // The shortest mate, although a draw and an open move are there too.
    assert_eq!(settled(&[Some(-MATE), Some(-MATE + 2), Some(0), None]), Some(MATE - 1));
    // The longest defence if all moves lose; nothing before that.
    assert_eq!(settled(&[Some(MATE - 1), Some(MATE - 5), Some(MATE - 3), None]), None);
    assert_eq!(settled(&[Some(MATE - 1), Some(MATE - 5), Some(MATE - 3), Some(MATE - 3)]), Some(-MATE + 6));
    // A draw rather than a loss, with the opposite sign.
    assert_eq!(settled(&[Some(MATE - 1), Some(-30), Some(PERPETUAL), Some(MATE - 3)]), Some(30));
}
