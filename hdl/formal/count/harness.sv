// Any squares, drops and hands in each clock, through the four counting stages; beside them, piles of full adders.

module harness(
    input clock, input [21:0] tag, input [467:0] sums, input [8:0] king_moves, input [161:0] drops, input [6:0] holds,
    input [80:0] before_king, input [80:0] safe
);
    wire [21:0] count_tag, condense_tag, merge_tag, result;
    wire [52:0] first_pile;
    wire [35:0] ranks;
    wire [6:0] its_holds;
    wire [14:0] second_pile;
    wire [20:0] others;
    wire [2:0] kinds;
    wire [15:0] third_pile;
    wire count_mate, condense_mate, merge_mate, may_mate, some;
    count first(
        .clock(clock), .tag(tag), .sums(sums), .king_moves(king_moves), .drops(drops), .holds(holds),
        .before_king(before_king), .safe(safe), .tag_out(count_tag), .pile(first_pile), .others(ranks), .holds_out(its_holds),
        .may_mate(count_mate)
    );
    condense second(
        .clock(clock), .tag(count_tag), .pile(first_pile), .others(ranks), .holds(its_holds), .may_mate(count_mate),
        .tag_out(condense_tag), .pile_out(second_pile), .others_out(others), .kinds(kinds), .may_mate_out(condense_mate)
    );
    merge third(
        .clock(clock), .tag(condense_tag), .pile(second_pile), .others(others), .kinds(kinds), .may_mate(condense_mate),
        .tag_out(merge_tag), .pile_out(third_pile), .some(some), .may_mate_out(merge_mate)
    );
    total last(
        .clock(clock), .tag(merge_tag), .pile(third_pile), .some(some), .may_mate(merge_mate), .result(result),
        .may_mate_out(may_mate)
    );

    // First stage. Every wire of the sums once, with its weight; pawn drops but for the last rank; the king's moves.
    wire [71:0] pawn_drops;
    wire [3:0] on_rank [0:8]; // other drops
    wire [80:0] mates; // drops of a pawn in front of their king, which can neither take it nor go to its side
    genvar f, r;
    generate for (f = 0; f < 9; f = f + 1) begin : of_file
        assign pawn_drops[8 * f +: 8] = drops[9 * f + 1 +: 8];
        for (r = 0; r < 9; r = r + 1) begin : of_rank
            localparam AT = 9 * f + r;
            wire beside_east = r > 0 && f > 0 ? safe[AT - 10] : 1'b0, beside_west = r > 0 && f < 8 ? safe[AT + 8] : 1'b0;
            assign mates[AT] = before_king[AT] && drops[AT] && !safe[AT] && !beside_east && !beside_west;
        end
    end
    for (r = 0; r < 9; r = r + 1) begin : rank
        wire [80:0] other = drops[161:81] >> r;
        assign on_rank[r] = other[0] + other[9] + other[18] + other[27] + other[36] + other[45] + other[54] + other[63]
                            + other[72];
    end endgenerate
    wire [548:0] all_moves = {
        sums[467:459], sums[458:432], sums[431:351], sums[350:270], // fours
        sums[269:189], sums[188:108], // twos
        king_moves, pawn_drops, sums[107:81], sums[80:0] // ones
    };
    wire [52:0] all_out;
    pile #(96'hc6a2bd, 549, 53) of_all(.wires(all_moves), .out(all_out), .step(7'd0));

    // Second stage. Drops on the ranks where lances, knights and the others may be dropped.
    wire [6:0] rest = ranks[11:8] + ranks[15:12] + ranks[19:16] + ranks[23:20] + ranks[27:24] + ranks[31:28] + ranks[35:32];
    wire [6:0] but_last = rest + ranks[7:4], anywhere = but_last + ranks[3:0];
    wire [14:0] first_out;
    pile #(96'h2060a0e0b070201, 53, 15) of_first(.wires(first_pile), .out(first_out), .step(7'd0));

    // Third stage: numbers on top; minus one is all wires set.
    wire [6:0] lances = others[6:0], knights = others[13:7], others_anywhere = others[20:14];
    wire [8:0] once = kinds[0] ? others_anywhere : 9'd0;
    wire [8:0] more = kinds[2] ? {others_anywhere, 2'd0} : kinds[1] ? {1'b0, others_anywhere, 1'b0} : 9'd0;
    wire [9:0] less = condense_mate ? ~10'd0 : 10'd0;
    wire [4:0] tops [0:6];
    generate for (r = 0; r < 7; r = r + 1) begin : top
        assign tops[r] = {less[r], more[r], once[r], knights[r], lances[r]};
    end endgenerate
    wire [54:0] merged = {
        less[9], second_pile[14], less[8], more[8], second_pile[13], less[7], more[7], second_pile[12:10], tops[6],
        second_pile[9], tops[5], second_pile[8], tops[4], second_pile[7:6], tops[3], second_pile[5:4], tops[2],
        second_pile[3], tops[1], second_pile[2:1], tops[0], second_pile[0]
    };
    wire [15:0] merged_out;
    pile #(96'h2030506060707060706, 55, 16) of_merged(.wires(merged), .out(merged_out), .step(7'd0));

    // Fourth stage.
    wire [9:0] sum = third_pile[0] + third_pile[1] + 2 * third_pile[2] + 4 * (third_pile[3] + third_pile[4])
                     + 8 * third_pile[5] + 16 * (third_pile[6] + third_pile[7]) + 32 * third_pile[8] + 64 * third_pile[9]
                     + 128 * (third_pile[10] + third_pile[11]) + 256 * third_pile[12] + 512 * third_pile[13];

    // A clock later each.
    reg [3:0] begun = 0;
    reg [52:0] its_all;
    reg [35:0] its_ranks;
    reg [6:0] holds_1;
    reg its_mate;
    reg [14:0] its_first;
    reg [20:0] its_others;
    reg [2:0] its_kinds;
    reg [15:0] its_merged;
    reg its_some;
    reg [9:0] its_count;
    reg [21:0] tag_1, tag_2, tag_3, tag_4;
    reg mate_2, mate_3, mate_4;
    always @(posedge clock) begin
        begun <= {begun[2:0], 1'b1};
        its_all <= all_out;
        its_ranks <= {on_rank[8], on_rank[7], on_rank[6], on_rank[5], on_rank[4], on_rank[3], on_rank[2], on_rank[1],
                      on_rank[0]};
        holds_1 <= holds;
        its_mate <= mates != 0;
        its_first <= first_out;
        its_others <= {anywhere, its_holds[2] ? rest : 7'd0, its_holds[1] ? but_last : 7'd0};
        its_kinds <= its_holds[3] + its_holds[4] + its_holds[5] + its_holds[6];
        its_merged <= merged_out;
        its_some <= second_pile != 0 || lances != 0 || knights != 0 || (others_anywhere != 0 && kinds != 0);
        its_count <= merge_tag[4] ? {9'd0, some} : sum;
        {tag_4, tag_3, tag_2, tag_1} <= {tag_3, tag_2, tag_1, tag};
        {mate_4, mate_3, mate_2} <= {mate_3, mate_2, its_mate};
    end
    always @* begin
        if (begun[0]) begin
            assert (first_pile == its_all && ranks == its_ranks && its_holds == holds_1);
            assert (count_mate == its_mate && count_tag == tag_1);
        end
        if (begun[1]) begin
            assert (second_pile == its_first && others == its_others && kinds == its_kinds && kinds <= 4);
            assert (condense_mate == mate_2 && condense_tag == tag_2);
            // As many drops as kinds times squares.
            assert (once + more == kinds * others_anywhere);
        end
        if (begun[2]) begin
            assert (third_pile == its_merged && some == its_some);
            assert (merge_mate == mate_3 && merge_tag == tag_3);
        end
        if (begun[3]) begin
            assert (result == {its_count, tag_4[11:0]});
            assert (may_mate == mate_4);
        end
    end

    always @(posedge clock) begin
        cover (begun[3] && result[21:12] == 593 && !result[4] && may_mate);
        cover (begun[3] && result[21:12] == 1 && result[4] && result[1]);
    end
endmodule
