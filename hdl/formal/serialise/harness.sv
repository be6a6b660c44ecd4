// Two moves are watched, any two: each is a group of the canonical order and a square. Planes, hands and board are
// arbitrary, and so is when commands come.

module harness(
    input clock, input [2:0] command, input [1619:0] moves, input [161:0] drops, input [6:0] holds
);
    // The port glue: all that depends on how the block is laid out.
    (* anyconst *) wire [511:0] image; // stays while moves are taken out
    wire valid;
    wire [80:0] square;
    wire [46:0] group;
    wire [2091:0] state;
    serialise dut(
        .clock(clock), .command(command), .image(image), .moves(moves), .drops(drops), .holds(holds),
        .state_in(state), .valid(valid), .square(square), .group(group), .state(state)
    );
    wire load = command[0], start = command[1], uchifuzume = command[1] & command[2];
    wire [1619:0] kept_moves = state[1619:0];
    wire [161:0] kept_drops = state[1781:1620];
    wire [6:0] kept_holds = state[1788:1782];
    wire [46:0] left = state[1835:1789];
    wire [80:0] next = state[1916:1836];
    wire [46:0] next_group = state[1963:1917];
    wire [80:0] current = state[2044:1964];
    wire [46:0] current_group = state[2091:2045];

    // Planes are taken before the start; what was not loaded is not started.
    reg loaded = 0;
    always @(posedge clock) if (load) loaded <= 1;
    always @* assume (!(load && start) && !(start && !loaded));

    // The specification. Of the board: squares of theirs, and the square in front of their king.
    wire [80:0] theirs, dead_lance, dead_knight, king;
    genvar s;
    generate for (s = 0; s < 81; s = s + 1) begin : of_square
        assign theirs[s] = image[5 * s + 4] && image[5 * s +: 4] != 0;
        assign king[s] = image[5 * s +: 5] == 5'd24;
        assign dead_lance[s] = s % 9 == 0;
        assign dead_knight[s] = s % 9 <= 1;
    end endgenerate
    // One step south: the next rank of the same file.
    wire [80:0] before_king = (king << 1) & ~dead_lance;

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

    // Two watched moves, the first before the second in canonical order.
    (* anyconst *) wire [5:0] group_a, group_b;
    (* anyconst *) wire [6:0] square_a, square_b;
    always @* begin
        assume (square_a < 81 && square_b < 81);
        assume (group_b < 47 && (group_a < group_b || (group_a == group_b && square_a < square_b)));
    end
    wire [46:0] nonempty;
    wire [46:0] loaded_a, loaded_b, kept_a, kept_b;
    genvar g;
    generate for (g = 0; g < 47; g = g + 1) begin : of_group
        wire [80:0] in = plane(moves, drops, holds, theirs, g);
        wire [80:0] kept = plane(kept_moves, kept_drops, kept_holds, theirs, g);
        assign nonempty[g] = |kept;
        assign loaded_a[g] = in[square_a];
        assign loaded_b[g] = in[square_b];
        assign kept_a[g] = kept[square_a];
        assign kept_b[g] = kept[square_b];
    end endgenerate

    // Whether each is legal, and whether it has come out before this clock.
    reg legal_a = 0, legal_b = 0, seen_a = 0, seen_b = 0;
    // Clocks since the start, no more than four; zero while nothing is being taken out.
    reg [2:0] since = 0;
    wire out_a = valid && group[group_a] && square[square_a];
    wire out_b = valid && group[group_b] && square[square_b];
    always @(posedge clock) begin
        if (load) begin
            legal_a <= loaded_a[group_a];
            legal_b <= loaded_b[group_b];
        end else if (uchifuzume) begin
            if (group_a == 40 && before_king[square_a]) legal_a <= 0;
            if (group_b == 40 && before_king[square_b]) legal_b <= 0;
        end
        seen_a <= !start && (seen_a || out_a);
        seen_b <= !start && (seen_b || out_b);
        if (start) since <= 1;
        else if (load) since <= 0;
        else if (since != 0 && since < 4) since <= since + 1;
    end

    wire one_group = group != 0 && (group & (group - 47'd1)) == 0;
    wire one_square = square != 0 && (square & (square - 81'd1)) == 0;
    always @* if (since != 0) begin
        // Nothing but legal moves, none twice, in order.
        if (valid) assert (one_group && one_square);
        if (out_a) assert (legal_a && !seen_a);
        if (out_b && legal_a) assert (seen_a);
        // The first after four clocks; then one in each clock, until all are out.
        if (since < 4) assert (!valid);
        if (since == 4 && !valid) assert (seen_a == legal_a);
    end

    // What holds in between (for induction). Bits up to the one set, which is included:
    wire [46:0] upto_next = next_group | (next_group - 47'd1);
    wire [46:0] upto_current = current_group | (current_group - 47'd1);
    wire [46:0] upto_group = group | (group - 47'd1);
    wire [80:0] upto_square = square | (square - 81'd1);
    // Each legal move is in one place: not fetched, in the plane ahead, in the plane being emptied, at the output, or out.
    wire [4:0] place_a = {seen_a, out_a, current_group[group_a] && current[square_a],
                          next_group[group_a] && next[square_a], left[group_a] && kept_a[group_a]};
    wire [4:0] place_b = {seen_b, out_b, current_group[group_b] && current[square_b],
                          next_group[group_b] && next[square_b], left[group_b] && kept_b[group_b]};
    always @* begin
        assert (since <= 4);
        assert (since == 0 || loaded);
        if (loaded) assert (legal_a == kept_a[group_a] && legal_b == kept_b[group_b]);
        if (since != 0) begin
            assert (place_a == 0 || (place_a & (place_a - 5'd1)) == 0);
            assert (place_b == 0 || (place_b & (place_b - 5'd1)) == 0);
            assert ((place_a != 0) == legal_a);
            assert ((place_b != 0) == legal_b);
            if (legal_a && legal_b) assert (place_a >= place_b);
            if (seen_b && legal_a) assert (seen_a);
            assert ((left & ~nonempty) == 0);
            assert ((next_group & (next_group - 47'd1)) == 0);
            assert ((current_group & (current_group - 47'd1)) == 0);
            assert ((next != 0) == (next_group != 0));
            assert ((current != 0) == (current_group != 0));
            if (next != 0) assert ((left & upto_next) == 0);
            if (current != 0) assert (((left | next_group) & upto_current) == 0);
            if (valid) begin
                assert (((left | next_group) & upto_group) == 0);
                if (current_group == group) assert ((current & upto_square) == 0);
                else assert ((current_group & upto_group) == 0);
            end
            if (since == 1) assert (next == 0 && current == 0);
            if (since == 2) assert (current == 0);
            if (since >= 2 && next == 0) assert (left == 0);
            if (since >= 3 && current == 0) assert (next == 0);
            if (since == 4 && !valid) assert (current == 0);
        end
    end

    always @(posedge clock) begin
        // Both watched moves are out, the later one a drop of a knight and the last of all.
        cover (since == 4 && !valid && seen_a && seen_b && group_b == 42 && $past(seen_b, 1) == 0);
    end
endmodule
