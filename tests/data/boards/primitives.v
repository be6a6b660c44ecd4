// Stand-ins for the clock primitives of three FPGA families, for simulation only. Each PLL obeys its dividers: it measures
// the period of its reference, and gives a wild clock until it has locked. Each gate lets whole clocks through.
`timescale 1ps/1ps

module pll_stand_in #(parameter DIVIDE = 1, MULTIPLY = 1, OUTPUT = 1)
                     (input reference, output reg clock, output reg locked);
    time last, period;
    integer edges;
    initial begin clock = 0; locked = 0; edges = 0; last = 0; period = 10000; end
    always @(posedge reference) begin
        period = $time - last;
        last = $time;
        if (edges < 200) edges = edges + 1;
        // It loses lock for a moment before it locks for good.
        locked = (edges >= 100 && edges < 110) || edges >= 200;
    end
    always begin
        if (edges < 100) #1777; else #(period * DIVIDE * OUTPUT / (2 * MULTIPLY));
        clock = !clock;
    end
endmodule

module gate_stand_in (input clock, input enable, output gated);
    reg passes;
    initial passes = 0;
    /* verilator lint_off LATCH */
    always @* if (!clock) passes = enable;
    /* verilator lint_on LATCH */
    assign gated = clock & passes;
endmodule

module EHXPLLL #(parameter FEEDBK_PATH = "", CLKI_DIV = 1, CLKFB_DIV = 1,
        CLKOP_ENABLE = "", CLKOP_DIV = 8, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0,
        CLKOS_ENABLE = "", CLKOS_DIV = 8, CLKOS_CPHASE = 0, CLKOS_FPHASE = 0, CLKOS2_ENABLE = "", CLKOS3_ENABLE = "",
        OUTDIVIDER_MUXA = "", OUTDIVIDER_MUXB = "", OUTDIVIDER_MUXC = "", OUTDIVIDER_MUXD = "",
        PLLRST_ENA = "", INTFB_WAKE = "", STDBY_ENABLE = "", DPHASE_SOURCE = "")
       (input CLKI, CLKFB, RST, STDBY, PLLWAKESYNC, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
        input ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3, output CLKOP, CLKOS, LOCK);
    // The feedback is CLKOP: VCO = CLKI / CLKI_DIV * CLKFB_DIV * CLKOP_DIV.
    pll_stand_in #(CLKI_DIV, CLKFB_DIV * CLKOP_DIV, CLKOS_DIV) pll (CLKI, CLKOS, LOCK);
    assign CLKOP = CLKI;
endmodule

module DCCA (input CLKI, CE, output CLKO);
    gate_stand_in gate (CLKI, CE, CLKO);
endmodule

module rPLL #(parameter FCLKIN = "", DYN_IDIV_SEL = "", DYN_FBDIV_SEL = "", DYN_ODIV_SEL = "",
        IDIV_SEL = 0, FBDIV_SEL = 0, ODIV_SEL = 8, PSDA_SEL = "", DYN_DA_EN = "", DUTYDA_SEL = "", CLKFB_SEL = "",
        CLKOUT_BYPASS = "", CLKOUTP_BYPASS = "", CLKOUTD_BYPASS = "")
       (input CLKIN, CLKFB, RESET, RESET_P, input [5:0] FBDSEL, IDSEL, ODSEL, input [3:0] DUTYDA, PSDA, FDLY,
        output CLKOUT, LOCK, CLKOUTP, CLKOUTD, CLKOUTD3);
    // The feedback is CLKOUT: CLKOUT = CLKIN / (IDIV_SEL + 1) * (FBDIV_SEL + 1).
    pll_stand_in #(IDIV_SEL + 1, FBDIV_SEL + 1, 1) pll (CLKIN, CLKOUT, LOCK);
    assign {CLKOUTP, CLKOUTD, CLKOUTD3} = 3'b0;
endmodule

module DQCE (input CLKIN, CE, output CLKOUT);
    gate_stand_in gate (CLKIN, CE, CLKOUT);
endmodule

module PLLE2_BASE #(parameter BANDWIDTH = "", CLKIN1_PERIOD = 0.0, STARTUP_WAIT = "",
        DIVCLK_DIVIDE = 1, CLKFBOUT_MULT = 5, CLKOUT0_DIVIDE = 1)
       (input CLKIN1, CLKFBIN, PWRDWN, RST, output CLKFBOUT, CLKOUT0, CLKOUT1, CLKOUT2, CLKOUT3, CLKOUT4, CLKOUT5, LOCKED);
    // The feedback is the VCO by CLKFBOUT_MULT: VCO = CLKIN1 / DIVCLK_DIVIDE * CLKFBOUT_MULT.
    pll_stand_in #(DIVCLK_DIVIDE, CLKFBOUT_MULT, CLKOUT0_DIVIDE) pll (CLKIN1, CLKOUT0, LOCKED);
    assign {CLKFBOUT, CLKOUT1, CLKOUT2, CLKOUT3, CLKOUT4, CLKOUT5} = 6'b0;
endmodule

module IBUFDS (input I, IB, output O);
    assign O = I & !IB;
endmodule

module BUFG (input I, output O);
    assign O = I;
endmodule

module BUFGCE (input I, CE, output O);
    gate_stand_in gate (I, CE, O);
endmodule
