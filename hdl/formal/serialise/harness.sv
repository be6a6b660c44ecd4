// A move is watched, any: a group of the canonical order and a square. Planes and hands are arbitrary, and so is
// when commands come.

module harness(
    input clock, input [2:0] command, input [1619:0] moves, input [161:0] drops, input [6:0] holds
);
    // The port glue: all that depends on how the block is laid out.
    // Their squares, and the square in front of their king: the same at each load.
    (* anyconst *) wire [80:0] theirs, before_king;
    wire valid;
    wire [80:0] square;
    wire [9:0] direction;
    wire [6:0] kind;
    wire promote;
    wire [2353:0] state;
    serialise dut(
        .clock(clock), .command(command), .moves(moves), .drops(drops), .holds(holds),
        .theirs({before_king, theirs}), .state_in(state), .valid(valid), .square(square), .direction(direction), .kind(kind),
        .promote(promote), .state(state)
    );
    wire load = command[0], start = command[1], uchifuzume = command[1] & command[2];
    wire [1619:0] kept_moves = state[1619:0];
    wire [161:0] kept_drops = state[1781:1620];
    wire [6:0] kept_holds = state[1788:1782];
    wire [80:0] kept_theirs = state[1869:1789];
    wire [80:0] kept_before_king = state[1950:1870];
    wire [1:0] taken = state[1952:1951];
    wire [46:0] found = state[1999:1953];
    wire [46:0] left = state[2046:2000];
    wire [46:0] ahead = state[2093:2047];
    wire ahead_valid = state[2094], ahead_quiet = state[2095];
    wire [80:0] next = state[2176:2096];
    wire [46:0] next_group = state[2223:2177];
    wire next_valid = state[2224];
    wire [80:0] rest = state[2305:2225];
    wire more = state[2306];
    wire [46:0] group = state[2353:2307];
    localparam START_CLOCKS = 3, FIRST_MOVE_CLOCKS = 4;

    // Clocks since the load, no more than three, and zero before the first; since the start, no more than four, and zero
    // while nothing is being taken out.
    reg [1:0] age = 0;
    reg [2:0] since = 0;
    always @(posedge clock) begin
        if (load) age <= 1; else if (age != 0 && age < START_CLOCKS) age <= age + 1;
        if (load) since <= 0; else if (start) since <= 1;
        else if (since != 0 && since < FIRST_MOVE_CLOCKS) since <= since + 1;
    end
    // Commands come when nothing is being taken out; the start not before its time.
    wire idle = since == 0 || (since == FIRST_MOVE_CLOCKS && !valid);
    always @* begin
        if (load) assume (idle && !start);
        if (start) assume (idle && age == START_CLOCKS);
    end

    // The specification.
    wire [80:0] dead_lance, dead_knight;
    genvar s;
    generate for (s = 0; s < 81; s = s + 1) begin : of_square
        assign dead_lance[s] = s % 9 == 0;
        assign dead_knight[s] = s % 9 <= 1;
    end endgenerate

    // Moves of a group. Groups 0-9 captures with promotion, 10-19 captures, 20-29 promotions, 30-39 others, by direction;
    // then drops of pawn, lance, knight, silver, gold, bishop, rook.
    function [80:0] plane(input [1619:0] moves, input [161:0] drops, input [6:0] holds, input [80:0] theirs,
                          input [5:0] group);
        reg [80:0] arrivals;
        begin
            arrivals = moves[81 * (group % 10 + (group / 10 % 2 == 0 ? 10 : 0)) +: 81];
            if (group < 20) plane = arrivals & theirs;
            else if (group < 40) plane = arrivals & ~theirs;
            else if (group == 40) plane = drops[80:0];
            else plane = holds[group - 40] ? drops[161:81] : 81'd0;
            if (group == 41) plane = plane & ~dead_lance;
            if (group == 42) plane = plane & ~dead_knight;
        end
    endfunction

    // The watched move.
    (* anyconst *) wire [5:0] its_group;
    (* anyconst *) wire [6:0] its_square;
    always @* assume (its_group < 47 && its_square < 81);
    wire [46:0] nonempty, loaded, kept;
    genvar g;
    generate for (g = 0; g < 47; g = g + 1) begin : of_group
        wire [80:0] offered = plane(moves, drops, holds, theirs, g);
        wire [80:0] stored = plane(kept_moves, kept_drops, kept_holds, theirs, g);
        assign nonempty[g] = |stored;
        assign loaded[g] = offered[its_square];
        assign kept[g] = stored[its_square];
    end endgenerate

    // Whether it is legal, whether it comes out, and whether it has before this clock; and what came out before.
    reg legal = 0, seen = 0;
    wire out = valid && group[its_group] && square[its_square];
    reg valid_before = 0;
    reg [2:0] since_before = 0;
    reg [46:0] group_before;
    reg [80:0] square_before;
    always @(posedge clock) begin
        if (load) legal <= loaded[its_group];
        else if (uchifuzume && its_group == 40 && before_king[its_square]) legal <= 0;
        seen <= !start && (seen || out);
        valid_before <= valid;
        since_before <= since;
        group_before <= group;
        square_before <= square;
    end

    wire one_group = group != 0 && (group & (group - 47'd1)) == 0;
    wire one_square = square != 0 && (square & (square - 81'd1)) == 0;
    always @* if (since != 0) begin
        // Nothing but legal moves, none twice, each behind the one before it.
        if (valid) assert (one_group && one_square);
        if (out) assert (legal && !seen);
        if (valid && valid_before)
            assert (group > group_before || (group == group_before && square > square_before));
        // The first after four clocks; then one in each clock, until all are out.
        if (since < FIRST_MOVE_CLOCKS) assert (!valid);
        if (since == FIRST_MOVE_CLOCKS && !valid) assert (seen == legal);
        if (since == FIRST_MOVE_CLOCKS && !valid_before && valid) assert (since_before != FIRST_MOVE_CLOCKS);
    end
    // Where there is no move, there is no square and no group: the null move may be made.
    always @* begin
        if (since == 0) assert (!valid);
        if (!valid) assert (square == 0 && group == 0);
        // The group, said to the blocks behind: direction, kind dropped, promotion.
        assert (direction == (group[9:0] | group[19:10] | group[29:20] | group[39:30]));
        assert (kind == group[46:40] && promote == (group[9:0] != 0 || group[29:20] != 0));
    end

    // What holds in between (for induction). Bits up to the one set, which is included:
    wire [46:0] upto_ahead = ahead | (ahead - 47'd1);
    wire [46:0] upto_next = next_group | (next_group - 47'd1);
    wire [46:0] upto_group = group | (group - 47'd1);
    wire [80:0] upto_square = square | (square - 81'd1);
    // A legal move is in one place: not chosen, in the group ahead, in the next, in the one being emptied, at the output,
    // or out.
    wire [5:0] place = {seen, out, group[its_group] && rest[its_square],
                        next_group[its_group] && next[its_square], ahead[its_group] && kept[its_group],
                        left[its_group] && kept[its_group]};
    always @* begin
        assert (age <= START_CLOCKS && since <= FIRST_MOVE_CLOCKS);
        if (since != 0) assert (age == START_CLOCKS);
        if (age == 0) assert (taken == 0);
        else assert (legal == kept[its_group] && kept_theirs == theirs && kept_before_king == before_king);
        // Groups are found over two clocks; the pawn drops anew once the start took one out.
        if (age == 1) assert (taken[0]);
        if (age == 2) assert (taken == 2);
        if (age == 3) assert (taken == 0);
        if (age >= 2) assert (found[19:0] == nonempty[19:0] && found[46:41] == nonempty[46:41]);
        if (age == 3) assert (found[39:20] == nonempty[39:20]);
        if (age >= 2 && since != 1) assert (found[40] == nonempty[40]);

        // The registers hold one group each, with a move, and in order.
        assert (ahead_valid == (ahead != 0));
        assert (next_valid == (next_group != 0) && next_valid == (next != 0));
        assert (more == (rest != 0));
        if (more) assert (valid);
        assert ((ahead & (ahead - 47'd1)) == 0);
        assert ((next_group & (next_group - 47'd1)) == 0);
        assert ((group & (group - 47'd1)) == 0);
        assert (((left | ahead) & ~nonempty) == 0);
        if (ahead[19:0] != 0) assert (!ahead_quiet);
        if (ahead[39:20] != 0) assert (ahead_quiet);
        if (ahead != 0) assert ((left & upto_ahead) == 0);
        if (next != 0) assert (((left | ahead) & upto_next) == 0);
        if (valid) assert (((left | ahead | next_group) & upto_group) == 0 && (rest & upto_square) == 0);

        // They fill one after the other, and stay full as long as there is something for them.
        if (since == 0) assert (left == 0);
        if (since <= 1) assert (ahead == 0); else if (ahead == 0) assert (left == 0);
        if (since <= 2) assert (next == 0); else if (next == 0) assert (ahead == 0);
        if (since == FIRST_MOVE_CLOCKS && !valid) assert (next == 0);

        if (since != 0) begin
            assert ((place & (place - 6'd1)) == 0);
            assert ((place != 0) == legal);
        end
    end

    always @(posedge clock) begin
        // The watched move is out, a drop of a knight, behind another move and the last of all.
        cover (since == FIRST_MOVE_CLOCKS && !valid && seen && its_group == 42 && $past(valid_before));
    end
endmodule
