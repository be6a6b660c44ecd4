// Layers of full adders, as any number of wires of each weight goes through them: the specification of network/pile.rs.

// COUNTS has the number of wires of each of twelve weights, eight bits each, lowest weight first.
module layer #(parameter [95:0] COUNTS = 0, NEXT = 0, parameter WIRES = 1, NEXT_WIRES = 1) (
    input [WIRES - 1:0] wires, output [NEXT_WIRES - 1:0] next, input [6:0] step, output reg [11:0] taken, given
);
    // Where the wires of a weight begin.
    function integer first(input [95:0] counts, input integer weight);
        integer i;
        begin
            first = 0;
            for (i = 0; i < weight; i = i + 1) first = first + counts[8 * i +: 8];
        end
    endfunction
    // The value of what an adder, or a wire beside the adders, takes and gives in a step: a weight each.
    wire [11:0] takes [0:11];
    wire [11:0] gives [0:11];
    genvar w, i;
    generate for (w = 0; w < 12; w = w + 1) begin : of
        localparam WIRES_HERE = COUNTS[8 * w +: 8], ADDERS = WIRES_HERE / 3, BESIDE = WIRES_HERE % 3, USED = ADDERS + BESIDE;
        localparam HERE = first(COUNTS, w), CARRIES = w == 0 ? 0 : COUNTS[8 * (w == 0 ? 0 : w - 1) +: 8] / 3;
        localparam SUMS = first(NEXT, w) + CARRIES, ABOVE = first(NEXT, w + 1);
        wire [127:0] a, b, c, sum, carry;
        for (i = 0; i < ADDERS; i = i + 1) begin : adder
            wire differ = a[i] ^ b[i];
            assign {c[i], b[i], a[i]} = wires[HERE + 3 * i +: 3];
            assign next[SUMS + i] = differ ^ c[i];
            assign sum[i] = next[SUMS + i];
            if (w < 11) begin
                assign next[ABOVE + i] = (a[i] & b[i]) | (c[i] & differ);
                assign carry[i] = next[ABOVE + i];
            end else assign carry[i] = 0;
        end
        if (BESIDE > 0) begin
            assign a[ADDERS +: BESIDE] = wires[HERE + 3 * ADDERS +: BESIDE];
            assign next[SUMS + ADDERS +: BESIDE] = a[ADDERS +: BESIDE];
            assign sum[ADDERS +: BESIDE] = next[SUMS + ADDERS +: BESIDE];
            assign {c[ADDERS +: BESIDE], b[ADDERS +: BESIDE], carry[ADDERS +: BESIDE]} = 0;
        end
        assign {a[127:USED], b[127:USED], c[127:USED], sum[127:USED], carry[127:USED]} = 0;
        assign takes[w] = (a[step] + b[step] + c[step]) << w;
        assign gives[w] = (sum[step] + 2 * carry[step]) << w;
    end endgenerate
    integer k;
    always @* begin
        taken = 0;
        given = 0;
        for (k = 0; k < 12; k = k + 1) begin
            taken = taken + takes[k];
            given = given + gives[k];
        end
    end
endmodule

// Six layers; `taken` and `given` of each in a step.
module pile #(parameter [95:0] COUNTS = 0, parameter WIRES = 1, OUT_WIRES = 1) (
    input [WIRES - 1:0] wires, output [OUT_WIRES - 1:0] out, input [6:0] step, output [71:0] taken, given
);
    function [95:0] after(input integer layers);
        integer layer, weight;
        reg [95:0] counts;
        begin
            after = COUNTS;
            for (layer = 0; layer < layers; layer = layer + 1) begin
                counts = 0;
                for (weight = 0; weight < 12; weight = weight + 1) begin
                    counts[8 * weight +: 8] = counts[8 * weight +: 8] + after[8 * weight +: 8] / 3 + after[8 * weight +: 8] % 3;
                    if (weight < 11) counts[8 * weight + 8 +: 8] = after[8 * weight +: 8] / 3;
                end
                after = counts;
            end
        end
    endfunction
    function integer total(input [95:0] counts);
        integer weight;
        begin
            total = 0;
            for (weight = 0; weight < 12; weight = weight + 1) total = total + counts[8 * weight +: 8];
        end
    endfunction
    genvar l;
    generate for (l = 0; l <= 6; l = l + 1) begin : at
        wire [total(after(l)) - 1:0] now;
        if (l == 0) assign now = wires;
        else layer #(after(l - 1), after(l), total(after(l - 1)), total(after(l))) adders(
            .wires(at[l - 1].now), .next(now), .step(step), .taken(taken[12 * l - 1 -: 12]), .given(given[12 * l - 1 -: 12])
        );
    end endgenerate
    assign out = at[6].now;
endmodule
