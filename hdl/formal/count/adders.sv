// The layers of full adders leave the value of a pile as it is. Adder by adder: what each layer takes and gives, added up.

module harness(input clock);
    (* anyconst *) wire [548:0] all;
    (* anyconst *) wire [52:0] first;
    (* anyconst *) wire [54:0] merged;
    reg [6:0] step = 0;
    wire [71:0] taken [0:2];
    wire [71:0] given [0:2];
    wire [52:0] all_out;
    wire [14:0] first_out;
    wire [15:0] merged_out;
    pile #(96'hc6a2bd, 549, 53) of_all(.wires(all), .out(all_out), .step(step), .taken(taken[0]), .given(given[0]));
    pile #(96'h2060a0e0b070201, 53, 15) of_first(
        .wires(first), .out(first_out), .step(step), .taken(taken[1]), .given(given[1])
    );
    pile #(96'h2030506060707060706, 55, 16) of_merged(
        .wires(merged), .out(merged_out), .step(step), .taken(taken[2]), .given(given[2])
    );

    // 66 adders of a weight at most, and two wires beside them.
    localparam STEPS = 68;
    always @(posedge clock) if (step < STEPS) step <= step + 1'd1;
    genvar p, l;
    generate for (p = 0; p < 3; p = p + 1) begin : of_pile
        for (l = 0; l < 6; l = l + 1) begin : of_layer
            reg [11:0] value = 0, next_value = 0;
            wire [11:0] takes = taken[p][12 * l +: 12], gives = given[p][12 * l +: 12];
            always @(posedge clock) if (step < STEPS) begin
                value <= value + takes;
                next_value <= next_value + gives;
            end
            // Modulo 4096; of the last pile modulo 1024, since it has minus one as ten wires.
            always @* assert (value == next_value);
        end
    end endgenerate
endmodule
