// The cells of an ECP5 to which yosys maps the chip, for simulation only, by Lattice's data sheet (FPGA-DS-02012) and its
// guides for memories (FPGA-TN-02204) and DSP blocks (FPGA-TN-02205). Only what the mapping uses is modelled; a parameter
// with another value ends the simulation.
`timescale 1ps/1ps

module LUT4 #(parameter [15:0] INIT = 0) (input A, B, C, D, output Z);
    assign Z = INIT[{D, C, B, A}];
endmodule

// Two bits of a carry chain.
module CCU2C #(parameter [15:0] INIT0 = 0, INIT1 = 0, parameter INJECT1_0 = "YES", INJECT1_1 = "YES")
             (input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
    wire propagate0 = INIT0[{D0, C0, B0, A0}], propagate1 = INIT1[{D1, C1, B1, A1}];
    wire generate0 = INJECT1_0 == "NO" && INIT0[{2'b0, B0, A0}], generate1 = INJECT1_1 == "NO" && INIT1[{2'b0, B1, A1}];
    wire carry = propagate0 ? CIN : generate0;
    assign S0 = propagate0 ^ (INJECT1_0 == "NO" && CIN);
    assign S1 = propagate1 ^ (INJECT1_1 == "NO" && carry);
    assign COUT = propagate1 ? carry : generate1;
endmodule

module TRELLIS_FF #(parameter GSR = "", CEMUX = "1", CLKMUX = "CLK", LSRMUX = "LSR", SRMODE = "LSR_OVER_CE",
                    REGSET = "RESET", LSRMODE = "LSR")
                  (input CLK, LSR, CE, DI, M, output reg Q);
    initial begin
        Q = REGSET == "SET";
        if (CLKMUX != "CLK" || LSRMUX != "LSR" || SRMODE == "ASYNC" || LSRMODE != "LSR") begin
            $display("TRELLIS_FF: a mode that is not modelled: CLKMUX %s LSRMUX %s SRMODE %s", CLKMUX, LSRMUX, SRMODE);
            $finish;
        end
    end
    wire enable = CEMUX == "1" || (CEMUX == "CE" && CE) || (CEMUX == "INV" && !CE);
    always @(posedge CLK)
        if (SRMODE == "CE_OVER_LSR") begin
            if (enable) Q <= LSR ? REGSET == "SET" : DI;
        end else if (LSR) Q <= REGSET == "SET";
        else if (enable) Q <= DI;
endmodule

// Distributed memory: written at the clock's edge, read at once.
module TRELLIS_DPR16X4 #(parameter WCKMUX = "WCK", WREMUX = "WRE", parameter [63:0] INITVAL = 0)
                       (input [3:0] DI, WAD, input WRE, WCK, input [3:0] RAD, output [3:0] DO);
    reg [3:0] memory[0:15];
    integer i;
    initial begin
        for (i = 0; i < 16; i = i + 1) memory[i] = INITVAL[4*i +: 4];
        if (WCKMUX != "WCK" || WREMUX != "WRE") begin
            $display("TRELLIS_DPR16X4: a mode that is not modelled: WCKMUX %s WREMUX %s", WCKMUX, WREMUX);
            $finish;
        end
    end
    always @(posedge WCK) if (WRE) memory[WAD] <= DI;
    assign DO = memory[RAD];
endmodule

// A block RAM of 1,024 words of 18 bits, two ports. Where a port has 36 bits, port A writes and port B reads, each with the
// wires of both.
module DP16KD #(parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18, REGMODE_A = "NOREG", REGMODE_B = "NOREG", RESETMODE =
    "SYNC",
        ASYNC_RESET_RELEASE = "SYNC", CSDECODE_A = "", CSDECODE_B = "", CLKAMUX = "CLKA", CLKBMUX = "CLKB",
        WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL", GSR = "", parameter [319:0]
        INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 =
        0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D
        = 0, INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0,
        INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0, INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A =
        0, INITVAL_1B = 0, INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21
        = 0, INITVAL_22 = 0, INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
        INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E =
        0, INITVAL_2F = 0, INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35
        = 0, INITVAL_36 = 0, INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
        INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0)
       (input
        DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1,
        DIA0, ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0, CEA, OCEA, CLKA,
        WEA, RSTA, CSA2, CSA1, CSA0, DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6,
        DIB5, DIB4, DIB3, DIB2, DIB1, DIB0, ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3,
        ADB2, ADB1, ADB0, CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
        output
        DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1,
        DOA0, DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
        DOB1, DOB0);
    localparam [20479:0] INIT = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37,
        INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E,
        INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25,
        INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C,
        INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13,
        INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A,
        INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
        INITVAL_00};
    reg [17:0] memory[0:1023];
    wire [17:0] write_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
        DIA3, DIA2, DIA1, DIA0},
        write_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3,
            DIB2, DIB1, DIB0};
    wire [13:0] address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0},
        address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    reg [17:0] read_a, read_b;
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2,
        DOA1, DOA0} = read_a;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
        DOB1, DOB0} = read_b;
    integer i;
    initial begin
        for (i = 0; i < 1024; i = i + 1) memory[i] = INIT[20*i +: 18];
        {read_a, read_b} = 0;
        if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB"
            || (WRITEMODE_A != "NORMAL" && WRITEMODE_A != "READBEFOREWRITE")
            || (WRITEMODE_B != "NORMAL" && WRITEMODE_B != "READBEFOREWRITE")
            || (DATA_WIDTH_A == 36) != (DATA_WIDTH_B == 36)
            || (DATA_WIDTH_A != DATA_WIDTH_B) || (DATA_WIDTH_A != 2 && DATA_WIDTH_A % 9 != 0)) begin
            $display("DP16KD: a mode that is not modelled: widths %d %d, clocks %s %s, modes %s %s", DATA_WIDTH_A,
                DATA_WIDTH_B, CLKAMUX, CLKBMUX, WRITEMODE_A, WRITEMODE_B);
            $finish;
        end
    end

    generate
        if (DATA_WIDTH_A == 36) begin : wide
            wire [9:0] word_a = {address_a[13:5], 1'b0}, word_b = {address_b[13:5], 1'b0};
            always @(posedge CLKB) if (CEB) {read_b, read_a} <= {memory[word_b | 10'd1], memory[word_b]};
            always @(posedge CLKA) if (CEA && WEA) begin
                if (address_a[0]) memory[word_a][8:0] <= write_a[8:0];
                if (address_a[1]) memory[word_a][17:9] <= write_a[17:9];
                if (address_a[2]) memory[word_a | 10'd1][8:0] <= write_b[8:0];
                if (address_a[3]) memory[word_a | 10'd1][17:9] <= write_b[17:9];
            end
        end else begin : narrow
            // The first bit in its word of what a port reads or writes, and which bits follow.
            localparam [17:0] ONES = DATA_WIDTH_A == 18 ? 18'h3FFFF : DATA_WIDTH_A == 9 ? 18'h1FF : 18'h3;
            wire [4:0] place_a = DATA_WIDTH_A == 18 ? 0 : address_a[3] * 9 + (DATA_WIDTH_A == 9 ? 0 : address_a[2:1] * 2);
            wire [4:0] place_b = DATA_WIDTH_A == 18 ? 0 : address_b[3] * 9 + (DATA_WIDTH_A == 9 ? 0 : address_b[2:1] * 2);
            wire [17:0] bytes_a = {{9{address_a[1]}}, {9{address_a[0]}}};
            wire [17:0] bytes_b = {{9{address_b[1]}}, {9{address_b[0]}}};
            wire [17:0] mask_a = (DATA_WIDTH_A == 18 ? bytes_a : ONES) << place_a;
            wire [17:0] mask_b = (DATA_WIDTH_A == 18 ? bytes_b : ONES) << place_b;
            wire [17:0] old_a = memory[address_a[13:4]], old_b = memory[address_b[13:4]];
            always @(posedge CLKA) if (CEA) begin
                if (!WEA || WRITEMODE_A == "READBEFOREWRITE") read_a <= (old_a >> place_a) & ONES;
                if (WEA) memory[address_a[13:4]] <= (old_a & ~mask_a) | ((write_a << place_a) & mask_a);
            end
            always @(posedge CLKB) if (CEB) begin
                if (!WEB || WRITEMODE_B == "READBEFOREWRITE") read_b <= (old_b >> place_b) & ONES;
                if (WEB) memory[address_b[13:4]] <= (old_b & ~mask_b) | ((write_b << place_b) & mask_b);
            end
        end
    endgenerate
    always @(posedge CLKA or posedge CLKB) if (RSTA || RSTB) begin
        $display("DP16KD: a reset, which is not modelled");
        $finish;
    end
endmodule

// A product of 18 by 18 bits, without its registers.
module MULT18X18D #(parameter REG_INPUTA_CLK = "NONE", REG_INPUTB_CLK = "NONE", REG_PIPELINE_CLK = "NONE",
    REG_OUTPUT_CLK = "NONE")
       (input
        A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0, B17, B16, B15, B14, B13, B12,
        B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0, C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5,
        C4, C3, C2, C1, C0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
        output
        P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14,
        P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0);
    wire signed [18:0] a = {SIGNEDA & A17, A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1,
        A0};
    wire signed [18:0] b = {SIGNEDB & B17, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1,
        B0};
    wire signed [37:0] product = a * b;
    assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15,
        P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product[35:0];
endmodule
