// Any planes and hands, at any time; a move is watched, any: a group of the canonical order and a square.

module harness(
    input clock, input [1:0] command, input [1619:0] moves, input [161:0] drops, input [6:0] holds, input [446:0] board
);
    // The port glue: all that depends on how the block is laid out.
    // Their squares, and the square in front of their king: the same at each load.
    (* anyconst *) wire [80:0] theirs, before_king;
    wire [2080:0] planes;
    wire [446:0] board_out;
    wire [80:0] empty;
    bank dut(
        .clock(clock), .command(command), .moves(moves), .drops(drops), .holds(holds), .theirs({before_king, theirs}),
        .board(board), .planes_in(planes), .board_in(board_out), .empty_in(empty), .planes(planes),
        .board_out(board_out), .empty(empty)
    );
    wire load = command[0], uchifuzume = command[1];
    wire [1781:0] kept = planes[1781:0];
    wire [80:0] kept_theirs = planes[1862:1782], kept_before_king = planes[1990:1910];
    wire [46:0] found = planes[1909:1863];
    wire [6:0] kept_holds = planes[1997:1991];
    wire [1:0] taken = planes[1999:1998];
    wire [80:0] among = planes[2080:2000];
    localparam FOUND_CLOCKS = 3;

    // The specification.
    wire [80:0] dead_lance, dead_knight;
    genvar s;
    generate for (s = 0; s < 81; s = s + 1) begin : of_square
        assign dead_lance[s] = s % 9 == 0;
        assign dead_knight[s] = s % 9 <= 1;
    end endgenerate

    // Moves of a group. Groups 0-9 captures with promotion, 10-19 captures, 20-29 promotions, 30-39 others, by direction;
    // then drops of pawn, lance, knight, silver, gold, bishop, rook.
    function [80:0] plane(input [1781:0] planes, input [80:0] theirs, input [5:0] group);
        reg [80:0] arrivals;
        begin
            arrivals = planes[81 * (group % 10 + (group / 10 % 2 == 0 ? 10 : 0)) +: 81];
            if (group < 20) plane = arrivals & theirs;
            else if (group < 40) plane = arrivals & ~theirs;
            else if (group == 40) plane = planes[1700:1620];
            else plane = planes[1781:1701];
            if (group == 41) plane = plane & ~dead_lance;
            if (group == 42) plane = plane & ~dead_knight;
        end
    endfunction

    // Clocks since the load, no more than three, and zero before the first; since the pawn drop that mates was taken out.
    reg [1:0] age = 0, since = 2;
    always @(posedge clock) begin
        if (load) age <= 1; else if (age != 0 && age < FOUND_CLOCKS) age <= age + 1;
        since <= uchifuzume ? 1 : 2;
    end
    always @* assume (!(load && uchifuzume));

    (* anyconst *) wire [5:0] its_group;
    (* anyconst *) wire [6:0] its_square;
    always @* assume (its_group < 47 && its_square < 81);
    wire [46:0] nonempty, loaded, stored;
    genvar g;
    generate for (g = 0; g < 47; g = g + 1) begin : of_group
        wire [80:0] offered = plane({drops, moves}, theirs, g);
        wire [80:0] here = plane(kept, kept_theirs, g);
        assign nonempty[g] = |here && (g < 41 || kept_holds[g < 40 ? 0 : g - 40]);
        assign loaded[g] = offered[its_square];
        assign stored[g] = here[its_square];
    end endgenerate
    reg legal = 0;
    reg [6:0] held = 0;
    reg [446:0] position = 0;
    always @(posedge clock) begin
        if (load) begin
            legal <= loaded[its_group];
            held <= holds;
            position <= board;
        end else if (uchifuzume && its_group == 40 && before_king[its_square]) legal <= 0;
    end
    wire occupied = position[its_square] | position[81 + its_square] | position[162 + its_square]
                    | position[243 + its_square];

    always @* if (age != 0) begin
        // What was loaded, without the pawn drop that mates; and the position beside it.
        assert (stored[its_group] == legal && kept_holds == held);
        assert (board_out == position && empty[its_square] == !occupied);
        // Groups are found: three clocks after the load, two after a pawn drop was taken out.
        if (age == FOUND_CLOCKS && since == 2) assert (found == nonempty);
    end
    // What holds in between (for induction).
    always @* begin
        if (age == 0) assert (taken == 0);
        else assert (kept_theirs == theirs && kept_before_king == before_king);
        if (age == 1) assert (taken[0] && among == theirs);
        if (age == 2) assert (taken == 2 && among == ~theirs);
        if (age == 3) assert (taken == 0);
        if (age >= 2 && since == 2) assert (found[46:40] == nonempty[46:40]);
        if (age >= 2) assert (found[19:0] == nonempty[19:0] && found[46:41] == nonempty[46:41]);
        if (age == 3) assert (found[39:20] == nonempty[39:20]);
    end

    always @(posedge clock) cover (age == 3 && since == 2 && $past(since) == 1 && found[40] && !legal && $past(legal, 2));
endmodule
