// Additions of six bits or more become carry chains before yosys makes carry-save adders of neighbouring ones: with
// look-up tables of four inputs a full adder takes two of them, a place in a carry chain one.
(* techmap_celltype = "$add $sub" *)
module carry_chains (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    parameter _TECHMAP_CELLTYPE_ = "";
    input [A_WIDTH-1:0] A;
    input [B_WIDTH-1:0] B;
    output [Y_WIDTH-1:0] Y;
    wire _TECHMAP_FAIL_ = Y_WIDTH < 6;
    wire [Y_WIDTH-1:0] x, co;
    localparam sub = _TECHMAP_CELLTYPE_ == "$sub";
    \$alu #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        _TECHMAP_REPLACE_ (.A(A), .B(B), .BI(sub), .CI(sub), .Y(Y), .X(x), .CO(co));
endmodule
