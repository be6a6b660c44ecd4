//! The rules of shogi on bitboards: the engine's working representation.
