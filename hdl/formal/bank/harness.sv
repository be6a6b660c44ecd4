// Any planes and hands, loaded at any time, and any commands, beside a list of the groups that are to be written.

module harness(
    input clock, input [5:0] command, input [3:0] node, input [1376:0] arrivals, input [6:0] king_at,
    input [80:0] king_goes, input [80:0] landing, input [80:0] theirs, input [161:0] drops, input [6:0] holds,
    input [80:0] before_king
);
    // The port glue: all that depends on how the block is laid out.
    localparam STATE = 644;
    wire load = command[0], may_mate = command[1], tested = command[2], uchifuzume = command[3];
    wire stall = command[4], drop = command[5];
    wire [1718:0] kept;
    wire valid, stored;
    wire [98:0] group;
    wire [9:0] at;
    wire [5:0] groups;
    wire [STATE - 1:0] state;
    bank dut(
        .clock(clock), .command(command), .node(node), .kept(kept), .drops(drops), .holds(holds),
        .before_king(before_king), .valid_in(valid), .group_in(group), .state_in(state), .valid(valid), .group(group),
        .at(at), .stored(stored), .groups(groups), .state(state)
    );
    wire [80:0] squares = group[80:0];
    wire [9:0] direction = group[90:81];
    wire [6:0] kind = group[97:91];
    wire promote = group[98];

    // The planes stay from the load on. There is one king, or none.
    reg [1376:0] its_arrivals;
    reg [6:0] its_king_at;
    reg [80:0] its_king_goes, its_landing, its_theirs, its_pawn_drops, its_drops, its_before_king;
    reg [6:0] its_holds;
    reg [3:0] its_node;
    reg mates = 0; // a clock ago it was found that the pawn drop would be mate
    always @(posedge clock) if (load) begin
        its_arrivals <= arrivals;
        its_king_at <= king_at;
        its_king_goes <= king_goes;
        its_landing <= landing;
        its_theirs <= theirs;
        {its_drops, its_pawn_drops} <= drops;
        its_before_king <= before_king;
        its_holds <= holds;
        its_node <= node;
    end else if (mates) its_pawn_drops <= its_pawn_drops & ~its_before_king;
    function [80:0] one_square(input [6:0] at);
        one_square = at < 81 ? 81'd1 << at : 81'd0;
    endfunction
    localparam [80:0] RANK_A = 81'h1008040201008040201, RANK_I = 81'h100804020100804020100;
    function [80:0] around(input [80:0] king);
        reg [80:0] file;
        begin
            file = king | ((king >> 1) & ~RANK_I) | ((king << 1) & ~RANK_A);
            around = (file | (file >> 9) | (file << 9)) & ~king;
        end
    endfunction
    wire [80:0] king = one_square(its_king_at), king_moves = its_king_goes & around(king);
    wire [80:0] knights = its_arrivals[1376:1296];
    wire [80:0] loaded_king = one_square(king_at);
    // Classes of squares: file and rank modulo three. Captures are looked at first.
    function [8:0] classes(input [80:0] squares);
        integer i;
        begin
            classes = 0;
            for (i = 0; i < 81; i = i + 1) classes[i / 9 % 3 * 3 + i % 3] = classes[i / 9 % 3 * 3 + i % 3] | squares[i];
        end
    endfunction
    wire [80:0] loaded_moves = king_goes & around(loaded_king);
    wire [89:0] looked_at = load ? {landing & theirs, classes(loaded_moves & theirs)}
                                 : {its_landing & ~its_theirs, classes(king_moves & ~its_theirs)};
    assign kept = load ? {looked_at, theirs, landing, loaded_moves, classes(loaded_king), arrivals}
                       : {looked_at, its_theirs, its_landing, king_moves, classes(king), its_arrivals};

    // The specification.
    wire [80:0] dead_lance, dead_knight, zone;
    wire [80:0] steps [0:9]; // where the king, and for 8 and 9 the knights, step to
    genvar s, d;
    generate for (s = 0; s < 81; s = s + 1) begin : of_square
        assign dead_lance[s] = s % 9 == 0;
        assign dead_knight[s] = s % 9 <= 1;
        assign zone[s] = s % 9 <= 2;
        // A step in a direction: files, then ranks.
        for (d = 0; d < 10; d = d + 1) begin : of_direction
            localparam FILES = d == 0 || d == 7 ? 0 : d == 1 || d == 3 || d == 5 || d == 8 ? -1 : 1;
            localparam RANKS = d <= 2 ? -1 : d <= 4 ? 0 : d <= 7 ? 1 : -2;
            localparam FILE = s / 9 - FILES, RANK = s % 9 - RANKS; // where it comes from
            if (FILE < 0 || FILE > 8 || RANK < 0 || RANK > 8) assign steps[d][s] = 0;
            else if (d < 8) assign steps[d][s] = king[9 * FILE + RANK];
            else assign steps[d][s] = knights[9 * FILE + RANK];
        end
    end endgenerate
    // Moves of a group. Groups 0-9 captures with promotion, 10-19 captures, 20-29 promotions, 30-39 others, by direction;
    // then drops of pawn, lance, knight, silver, gold, bishop, rook.
    wire [80:0] plane [0:46];
    wire [46:0] some;
    genvar g;
    generate for (g = 0; g < 47; g = g + 1) begin : of_group
        if (g < 40) begin
            localparam D = g % 10, PROMOTES = g / 10 % 2 == 0;
            wire [80:0] moves;
            if (D < 8) begin
                wire [80:0] plain = its_arrivals[81 * (PROMOTES ? D + 8 : D) +: 81];
                assign moves = (plain & its_landing) | (PROMOTES ? 81'd0 : steps[D] & king_moves);
            end else assign moves = steps[D] & its_landing & (PROMOTES ? zone : ~dead_knight);
            assign plane[g] = g < 20 ? moves & its_theirs : moves & ~its_theirs;
            assign some[g] = plane[g] != 0;
        end else begin
            assign plane[g] = g == 40 ? its_pawn_drops : g == 41 ? its_drops & ~dead_lance
                              : g == 42 ? its_drops & ~dead_knight : its_drops;
            // The plane of pawn drops is empty where there is no pawn.
            assign some[g] = plane[g] != 0 && (g == 40 || its_holds[g - 40]);
        end
    end endgenerate

    // The planes come; two clocks later a pawn drop may have to be tested; then the groups are written.
    localparam NOTHING = 0, LOADED = 1, LOOKING = 2, WAITING = 3, TESTED = 4, WRITING = 5, MASKED = 6, READY = 7;
    reg [2:0] phase = NOTHING;
    reg [1:0] clocks = 0; // of writing, no more than two
    reg [46:0] written = 0;
    reg [5:0] number = 0;
    wire [46:0] to_write = some & ~written;
    wire [46:0] its_group = to_write & (~to_write + 47'd1);
    wire writes = valid && !stall;
    always @(posedge clock) begin
        clocks <= phase == WRITING ? clocks + (clocks != 2) : 2'd0;
        if (writes) begin
            written <= written | its_group;
            number <= number + 1'd1;
        end
        case (phase)
            LOADED: phase <= LOOKING;
            LOOKING: phase <= may_mate ? WAITING : WRITING;
            WAITING: if (tested) phase <= TESTED;
            TESTED: phase <= MASKED;
            MASKED: phase <= READY;
            READY: phase <= WRITING;
            WRITING: if (to_write == 0) phase <= NOTHING;
        endcase
        if (drop) phase <= NOTHING;
        if (load) begin
            phase <= LOADED;
            written <= 0;
            number <= 0;
        end
    end
    always @(posedge clock) mates <= phase == WAITING && tested && uchifuzume && !load && !drop;

    reg [80:0] its_squares;
    integer i;
    always @* begin
        its_squares = 0;
        for (i = 0; i < 47; i = i + 1) if (its_group[i]) its_squares = its_squares | plane[i];
    end
    always @* begin
        // The groups that have a move are written, and no others, in their order, to consecutive numbers of the node; one
        // in each clock without a stall, from the third clock on.
        assert (valid == (phase == WRITING && clocks == 2 && to_write != 0));
        if (valid) begin
            assert (squares == its_squares && squares != 0);
            assert (direction == (its_group[9:0] | its_group[19:10] | its_group[29:20] | its_group[39:30]));
            assert (kind == its_group[46:40]);
            assert (promote == (its_group[9:0] != 0 || its_group[29:20] != 0));
            assert (at == {its_node, number});
        end
    end

    // What holds in between (for induction): the steps, what was kept, and the groups on their way.
    wire [1:0] in_loaded = state[5:4];
    wire waiting = state[6], writing = state[11], begun = state[12];
    wire [2:0] was_tested = state[9:7];
    wire was_mate = state[10];
    wire [80:0] kept_pawn_drops = state[94:14], kept_drops = state[175:95];
    wire [80:0] kept_before_king = state[256:176];
    wire [6:0] kept_holds = state[263:257];
    wire [227:0] move_parts = state[491:264];
    wire [20:0] drop_parts = state[512:492];
    wire [46:0] left = state[559:513], chosen = state[606:560];
    wire [23:0] select = state[630:607];
    wire quiet = state[631];
    wire [5:0] next_number = state[637:632];
    // Whether there are moves, by eight squares: to squares that are theirs, and to others.
    wire [227:0] capture_parts, quiet_parts;
    wire [20:0] its_drop_parts;
    wire [62:0] rest;
    genvar p, q;
    generate
        for (p = 0; p < 28; p = p + 1) begin : of_plane
            // Of the king, the groups without promotion tell.
            localparam D = p % 20 % 10, PROMOTES = p / 10 % 2;
            if (p < 20) begin
                wire [80:0] to;
                if (D < 8) assign to = its_arrivals[81 * (PROMOTES ? D + 8 : D) +: 81] & its_landing;
                else assign to = steps[D] & its_landing & (PROMOTES ? zone : ~dead_knight);
                for (q = 0; q < 11; q = q + 1) begin : of_part
                    localparam WIDTH = q == 10 ? 1 : 8;
                    assign capture_parts[11 * p + q] = |(to[8 * q +: WIDTH] & its_theirs[8 * q +: WIDTH]);
                    assign quiet_parts[11 * p + q] = |(to[8 * q +: WIDTH] & ~its_theirs[8 * q +: WIDTH]);
                end
            end else begin
                assign capture_parts[200 + p] = |(steps[p - 20] & king_moves & its_theirs);
                assign quiet_parts[200 + p] = |(steps[p - 20] & king_moves & ~its_theirs);
            end
        end
        for (q = 0; q < 63; q = q + 1) assign rest[q] = its_drops[q / 7 * 9 + q % 7 + 2];
        for (q = 0; q < 8; q = q + 1) assign its_drop_parts[13 + q] = |rest[8 * q +: (q == 7 ? 7 : 8)];
        for (q = 0; q < 11; q = q + 1) assign its_drop_parts[q] = |its_pawn_drops[8 * q +: (q == 10 ? 1 : 8)];
    endgenerate
    assign its_drop_parts[11] = |(its_drops & dead_lance);
    assign its_drop_parts[12] = |(its_drops & dead_knight & ~dead_lance);
    wire [46:0] behind_group = to_write & ~its_group;
    wire [46:0] second_group = behind_group & (~behind_group + 47'd1);
    always @* begin
        assert (in_loaded == {phase == LOOKING, phase == LOADED} && waiting == (phase == WAITING));
        assert (was_tested == {phase == READY, phase == MASKED, phase == TESTED});
        assert (mates == was_mate && (!mates || phase == TESTED));
        assert (writing == (phase == WRITING) && begun == (writing && clocks != 0));
        if (phase != NOTHING) begin
            assert (kept_pawn_drops == its_pawn_drops && kept_drops == its_drops && kept_holds == its_holds);
            assert (kept_before_king == its_before_king && state[3:0] == its_node);
            assert (next_number == number);
        end
        if (phase == LOADED) assert (move_parts == capture_parts);
        if (phase == LOOKING) assert (move_parts == quiet_parts);
        if (phase == LOOKING || phase == WAITING || phase == TESTED || phase == READY) assert (drop_parts == its_drop_parts);
        if (phase == LOOKING) assert (left[19:0] == some[19:0]);
        if (phase == WAITING || was_tested != 0) assert (left[39:0] == some[39:0]);
        if (phase == LOOKING || phase == WAITING || was_tested != 0) assert (chosen == 0 && clocks == 0);
        if (phase != WRITING && phase != NOTHING) assert (written == 0 && number == 0);
        if (phase == WRITING) begin
            assert (clocks <= 2);
            if (clocks == 0) assert (left == some && chosen == 0 && written == 0);
            if (clocks == 1) assert (left == (some & ~chosen) && written == 0);
            if (clocks <= 1) assert (number == 0);
            if (clocks == 1) assert (chosen == its_group);
            if (clocks == 2) assert (chosen == second_group && left == (behind_group & ~second_group));
            if (chosen != 0) begin
                assert (quiet == (chosen[19:0] == 0));
                assert (select[9:0] == (chosen[19:10] | chosen[39:30]) && select[19:10] == (chosen[9:0] | chosen[29:20]));
                assert (select[21:20] == {chosen[46:43] != 0, chosen[40]});
                assert (select[23:22] == {chosen[46:41] != 0, chosen[46:43] != 0 || chosen[41]});
            end
        end
        assert (at == {state[3:0], next_number});
    end

    always @(posedge clock) begin
        // Captures and drops, but no pawn drop: it would mate.
        cover (phase == NOTHING && number == 4 && written[46:40] == 7'b0010100 && some[3] && its_before_king != 0);
        // The king takes; a group waits.
        cover (writes && $past(valid) && $past(stall) && its_group[17] && squares == 81'h400 && its_king_at == 9);
    end
endmodule
