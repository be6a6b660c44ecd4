//! Names of wires in the emitted Verilog: each one legal, and no two the same.

use std::collections::HashSet;

/// Names that are taken.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// Takes a name as it is: that of a port.
    pub fn take(&mut self, name: &str) {
        self.0.insert(name.to_string());
    }

    /// Takes this name, or with the first number that makes it free.
    pub fn unique(&mut self, name: &str) -> String {
        let is_keyword = KEYWORDS.split_whitespace().any(|keyword| keyword == name);
        let free = (1..).map(|i| if i == 1 { name.to_string() } else { format!("{name}_{i}") });
        let name = free.skip(is_keyword as usize).find(|name| !self.0.contains(name)).expect("a free name");
        self.take(&name);
        name
    }
}

/// Checks a name that the source gives.
///
/// # Panics
/// If it is no lower-case Verilog identifier, or has `__`, which releases keep for RustHDL's `$`.
pub fn check(name: &str) {
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    assert!(
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(legal) && !name.contains("__"),
        "`{name}` is no name for a wire; use lower-case letters, digits and single underscores"
    );
}

/// Reserved words of IEEE 1800-2017, in which those of Verilog are contained.
const KEYWORDS: &str = "
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
    binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
    constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
    else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
    endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
    export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global
    highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
    inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local
    localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
    noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
    property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
    randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
    s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
    soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
    sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1
    triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored
    virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_differ() {
        let mut names = Names::default();
        names.take("square");
        let given = ["square", "landing", "landing", "landing_2", "table", "landing"].map(|name| names.unique(name));
        assert_eq!(given, ["square_2", "landing", "landing_2", "landing_2_2", "table_2", "landing_3"]);
    }

    #[test]
    #[should_panic(expected = "`a__b` is no name")]
    fn two_underscores_are_refused() {
        check("a__b");
    }
}
