//! Functions of the chip that a board may be built without.

use hayasashi_spec::{
    opcode::Opcode,
    registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT, CAP_SEARCH},
};

/// A function of the chip that a board may be built without. The chip then answers its opcodes with `BAD_OPCODE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// Legal moves one by one.
    Movegen,
    /// Evaluation tables and static evaluations.
    Evaluate,
    /// Perft by the chip itself.
    Perft,
    /// The search by the chip itself.
    Search,
}

/// What is known about one capability.
struct Entry {
    capability: Capability,
    bit: u32,
    missing: &'static str,
    hint: &'static str,
}

const ENTRIES: [Entry; 4] = [
    Entry {
        capability: Capability::Movegen,
        bit: CAP_MOVEGEN,
        missing: "the chip counts moves but cannot list them (its board is built with `units.movegen = 0`)",
        hint: "use `--backend model` for moves; the search does so by itself",
    },
    Entry {
        capability: Capability::Evaluate,
        bit: CAP_EVALUATE,
        missing: "the chip has no evaluator (its board is built with `units.evaluate = 0`)",
        hint: "use `--backend model` for evaluations; the search does so by itself",
    },
    Entry {
        capability: Capability::Perft,
        bit: CAP_PERFT,
        missing: "the chip cannot run perft by itself (its board is built with `units.perft = 0`)",
        hint: "omit `--on-chip` to let the host walk the tree, or use `--backend model`",
    },
    Entry {
        capability: Capability::Search,
        bit: CAP_SEARCH,
        missing: "the chip cannot search by itself (its board is built without `units.search = 1`)",
        hint: "use `--backend model`",
    },
];

impl Capability {
    /// The capability that an opcode needs; `None` where every chip has the opcode.
    pub fn of(opcode: Opcode) -> Option<Capability> {
        ENTRIES.iter().find(|entry| entry.bit == opcode.capability()).map(|entry| entry.capability)
    }

    /// Its `CAP_…` bit in the register `CAPABILITIES`.
    pub fn bit(self) -> u32 {
        self.entry().bit
    }

    /// One clause: what a chip without it cannot do.
    pub fn missing(self) -> &'static str {
        self.entry().missing
    }

    /// What to do instead.
    pub fn hint(self) -> &'static str {
        self.entry().hint
    }

    fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_in_the_order_of_the_enum() {
        for (index, entry) in ENTRIES.iter().enumerate() {
            assert_eq!(entry.capability as usize, index);
        }
    }
}
