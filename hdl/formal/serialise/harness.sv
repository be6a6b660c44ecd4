// A move is watched, any: a group of the canonical order and a square, of any one of the positions that follow each other.
// Planes are arbitrary, and so is when they are offered.

module harness(input clock, input offer, input [2080:0] bank, input watch_now);
    // The port glue: all that depends on how the block is laid out.
    wire valid, first, taken, promote;
    wire [80:0] square;
    wire [9:0] direction;
    wire [6:0] kind;
    wire [2245:0] state;
    serialise dut(
        .clock(clock), .hold(1'b0), .offer(offer), .bank(bank), .state_in(state), .valid(valid), .square(square),
        .direction(direction), .kind(kind), .promote(promote), .first(first), .taken(taken), .state(state)
    );
    wire loading = state[2221];
    wire [23:0] ahead_select = state[2245:2222];
    wire [1781:0] bank_planes = bank[1781:0];
    wire [80:0] bank_theirs = bank[1862:1782];
    // The planes follow a clock after their groups.
    wire [1781:0] kept_planes = loading ? bank_planes : state[1781:0];
    wire [80:0] kept_theirs = loading ? bank_theirs : state[1862:1782];
    wire [46:0] found = bank[1909:1863];
    wire [46:0] left = state[1909:1863];
    wire left_first = state[1910], some_left = state[2220];
    wire [46:0] ahead = state[1957:1911];
    wire ahead_valid = state[1958], ahead_quiet = state[1959], ahead_first = state[1960];
    wire [80:0] next = state[2041:1961];
    wire [46:0] next_group = state[2088:2042];
    wire next_valid = state[2089], next_first = state[2090];
    wire [80:0] rest = state[2171:2091];
    wire more = state[2172];
    wire [46:0] group = state[2219:2173];

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

    // The watched move.
    (* anyconst *) wire [5:0] its_group;
    (* anyconst *) wire [6:0] its_square;
    always @* assume (its_group < 47 && its_square < 81);
    wire [46:0] offered_some, some, offered_it, has_it;
    genvar g;
    generate for (g = 0; g < 47; g = g + 1) begin : of_group
        wire [80:0] offered = plane(bank_planes, bank_theirs, g);
        wire [80:0] stored = plane(kept_planes, kept_theirs, g);
        assign offered_some[g] = |offered;
        assign some[g] = |stored;
        assign offered_it[g] = offered[its_square];
        assign has_it[g] = stored[its_square];
    end endgenerate

    // The bank's word (proof bank): groups with a move; of drops those that are in hand. There is one, or there is no offer,
    // and the next offer waits for the first move of the position before. In the clock after they were taken the planes
    // are still there.
    wire pending = left_first || ahead_first || next_first;
    reg taken_before = 0;
    reg [1862:0] bank_before;
    always @(posedge clock) begin
        taken_before <= taken;
        bank_before <= bank[1862:0];
    end
    always @* begin
        assume (found[40:0] == offered_some[40:0] && (found[46:41] & ~offered_some[46:41]) == 0);
        if (loading) assume (bank[1862:0] == bank_before);
        if (offer) assume (found != 0 && !taken_before && (taken || !pending));
    end

    // When planes are taken, and when a position's first move is given.
    wire take = offer && left == 0 && (!(more && next_valid) || !ahead_valid);
    wire begins = !more && next_first;
    reg take_before = 0, begins_before = 0;
    always @(posedge clock) begin
        take_before <= take;
        begins_before <= begins;
    end

    // The watched position: 0 none yet, 1 taken, 2 its moves are given, 3 they were; and whether the planes are another's.
    reg [1:0] phase = 0;
    reg replaced = 0, legal = 0, seen = 0;
    wire out = phase == 2 && valid && group[its_group] && square[its_square];
    reg given_before = 0;
    reg [46:0] group_before;
    reg [80:0] square_before;
    always @(posedge clock) begin
        if (phase == 0 && take && watch_now) begin
            phase <= 1;
            legal <= found[its_group] && offered_it[its_group];
        end else if (phase != 0) begin
            if (take) replaced <= 1;
            if (begins && phase != 3) phase <= phase + 1;
        end
        seen <= seen || out;
        given_before <= phase == 2 && valid;
        group_before <= group;
        square_before <= square;
    end

    wire one_group = group != 0 && (group & (group - 47'd1)) == 0;
    wire one_square = square != 0 && (square & (square - 81'd1)) == 0;
    always @* begin
        assert (taken == take_before && first == begins_before);
        if (valid) assert (one_group && one_square);
        // Nothing but legal moves, none twice, each behind the one before it.
        if (out) assert (legal && !seen);
        if (phase == 2 && valid && given_before)
            assert (group > group_before || (group == group_before && square > square_before));
        // One in each clock; when there is none, or when the next position's begin, all are out.
        if (phase == 2 && !valid) assert (seen == legal);
        if (phase == 2 && begins) assert ((seen || out) == legal);
        // The first move of a position is one.
        if (first) assert (valid);
        // Where there is no move, there is no square and no group: the null move may be made.
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
    wire next_is_its = (phase == 1) == next_first;
    wire [5:0] place = {seen, out, phase == 2 && group[its_group] && rest[its_square],
                        next_is_its && next_group[its_group] && next[its_square],
                        !replaced && ahead[its_group] && has_it[its_group],
                        !replaced && left[its_group] && has_it[its_group]};
    always @* begin
        // The registers hold one group each, with a move, and in order.
        assert (ahead_valid == (ahead != 0));
        assert (next_valid == (next_group != 0) && next_valid == (next != 0));
        assert (more == (rest != 0));
        if (more) assert (valid);
        assert ((ahead & (ahead - 47'd1)) == 0);
        assert ((next_group & (next_group - 47'd1)) == 0);
        assert ((group & (group - 47'd1)) == 0);
        assert (((left | ahead) & ~some) == 0);
        if (ahead[19:0] != 0) assert (!ahead_quiet);
        if (ahead[39:20] != 0) assert (ahead_quiet);
        if (ahead != 0) assert ((left & upto_ahead) == 0);
        if (next != 0 && !left_first && !ahead_first) assert (((left | ahead) & upto_next) == 0);
        if (valid) assert ((rest & upto_square) == 0);
        if (valid && !next_first) assert ((next_group & upto_group) == 0);
        if (valid && !pending) assert (((left | ahead) & upto_group) == 0);

        // They fill one after the other, and stay full as long as there is something for them.
        assert (some_left == (left != 0));
        if (left_first) assert (left != 0 && ahead == 0);
        if (ahead_first) assert (ahead != 0);
        if (next_first) assert (next != 0);
        assert (left_first + ahead_first + next_first <= 1);
        if (ahead == 0) assert (left == 0 || left_first);
        if (next == 0) assert (ahead == 0 || ahead_first);
        if (!valid) assert (next == 0 || next_first);
        if (taken) assert (left_first);
        assert (loading == taken);
        assert (ahead_select[9:0] == (ahead[19:10] | ahead[39:30]) && ahead_select[19:10] == (ahead[9:0] | ahead[29:20]));
        assert (ahead_select[21:20] == {ahead[46:43] != 0, ahead[40]});
        assert (ahead_select[23:22] == {ahead[46:41] != 0, ahead[46:43] != 0 || ahead[41]});
        if (loading) assert (ahead == 0);

        // Whose they are.
        if (phase < 2) assert (!replaced && !seen);
        if (phase == 1) assert (pending);
        if (phase == 2) assert (replaced == pending);
        if (phase == 1 || phase == 2) begin
            assert ((place & (place - 6'd1)) == 0);
            assert ((place != 0) == legal);
        end
    end

    always @(posedge clock) begin
        // The watched move is out, a drop of a knight; the next position's moves follow without a pause.
        cover (phase == 3 && seen && its_group == 42 && $past(phase) == 2 && $past(valid) && valid && first);
    end
endmodule
