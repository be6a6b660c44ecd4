// Any planes in each clock: what is told of them to the counting stages and to the bank.

module harness(
    input clock, input [21:0] tag, input [96:0] drop_rules, input [2:0] checks, input [485:0] squares, input [6:0] king_at,
    input [1376:0] arrivals, input stays
);
    localparam [80:0] RANK_A = 81'h1008040201008040201, RANK_I = 81'h100804020100804020100;
    wire [21:0] tag_out;
    wire loads;
    wire [467:0] sums;
    wire [8:0] king_classes;
    wire [161:0] drops;
    wire [6:0] holds;
    wire [80:0] before_king, safe;
    wire [1718:0] kept;
    targets dut(
        .clock(clock), .tag(tag), .drop_rules(drop_rules), .checks(checks), .squares(squares), .arrivals(arrivals),
        .tag_out(tag_out), .sums(sums), .king_moves(king_classes), .drops(drops), .holds(holds), .before_king(before_king),
        .safe(safe), .loads(loads)
    );
    keep keeper(.clock(clock), .stays(stays), .arrivals(arrivals), .squares(squares), .kept_in(kept), .kept(kept));

    wire [80:0] king = squares[80:0], king_moves = squares[161:81], landing = squares[242:162], empty = squares[323:243];
    wire [80:0] theirs = squares[404:324], closed = squares[485:405];
    wire [80:0] knights = arrivals[1376:1296];
    // What the planes have in common, as harness.sv shows.
    wire [80:0] its_file = king | ((king >> 1) & ~RANK_I) | ((king << 1) & ~RANK_A);
    wire [80:0] zone;
    genvar s, d;
    generate for (s = 0; s < 81; s = s + 1) begin : of_zone
        assign zone[s] = s % 9 <= 2;
    end
    for (d = 0; d < 8; d = d + 1) begin : in_common
        wire [80:0] without = arrivals[81 * d +: 81] | (d == 0 ? RANK_A : 81'd0), with_it = arrivals[81 * (8 + d) +: 81];
        always @* begin
            assume ((with_it & ~without) == 0);
            if (d < 5) assume ((with_it & ~zone) == 0);
        end
    end endgenerate
    always @* begin
        assume (king == (king_at < 81 ? 81'd1 << king_at : 81'd0));
        assume ((king_moves & ~(its_file | (its_file >> 9) | (its_file << 9)) & ~king) == 0);
        assume ((king_moves & king) == 0);
        assume (stays == !(tag[1] && !tag[4]));
    end

    // One square, and one square beside the king, of which the king's moves are counted.
    (* anyconst *) wire [6:0] at;
    always @* assume (at < 81);
    wire [3:0] file = at / 9, rank = at % 9;
    function [4:0] ones(input [15:0] bits);
        integer k;
        begin
            ones = 0;
            for (k = 0; k < 16; k = k + 1) ones = ones + bits[k];
        end
    endfunction
    function of(input [80:0] plane, input [6:0] square);
        of = square < 81 && plane[square];
    endfunction
    wire [15:0] arrives;
    generate for (d = 0; d < 16; d = d + 1) begin : of_direction
        assign arrives[d] = of(arrivals[81 * d +: 81], at);
    end endgenerate
    // A knight's jump has two moves on the third rank, where it may promote, and one elsewhere.
    wire jump_east = rank <= 6 && file <= 7 && of(knights, at + 7'd11);
    wire jump_west = rank <= 6 && file >= 1 && of(knights, at - 7'd7);
    wire [1:0] jumps = jump_east + jump_west;
    wire [4:0] number = of(landing, at) ? ones(arrives) + jumps + (rank == 2 ? jumps : 2'd0) : 5'd0;
    // The moves of the king, square by square around it.
    wire [3:0] king_file = king_at / 9, king_rank = king_at % 9;
    wire [8:0] king_goes;
    generate for (d = 0; d < 9; d = d + 1) begin : around
        localparam FILES = d / 3 - 1, RANKS = d % 3 - 1;
        wire [3:0] to_file = king_file + FILES, to_rank = king_rank + RANKS; // one off the board is 15 or 9
        assign king_goes[d] = king_at < 81 && to_file < 9 && to_rank < 9 && of(king_moves, 9 * to_file + to_rank);
    end endgenerate
    // Drops: empty squares where pieces may land; a pawn on a file without one, not on the last rank.
    wire free = of(landing, at) && of(empty, at);
    wire [6:0] held = drop_rules[15:9];
    wire pawn_drop = free && held[0] && drop_rules[file] && rank != 0, other_drop = free && held[6:1] != 0;
    wire is_safe = arrives == 0 && jumps == 0 && !of(closed, at);
    function [8:0] classes(input [80:0] squares);
        integer i;
        begin
            classes = 0;
            for (i = 0; i < 81; i = i + 1) classes[i / 9 % 3 * 3 + i % 3] = classes[i / 9 % 3 * 3 + i % 3] | squares[i];
        end
    endfunction

    // A clock later.
    reg begun = 0, loaded = 0; // a position came; a node came once
    reg [4:0] its_number, its_king_number;
    reg its_pawn_drop, its_other_drop, its_safe;
    reg [21:0] its_tag;
    reg [80:0] its_before_king;
    reg [6:0] its_holds;
    // Of the last node: its planes, and what is looked at.
    reg [80:0] node_king, node_king_moves, node_landing, node_theirs, looked_at, king_looked_at;
    reg [1376:0] node_arrivals;
    always @(posedge clock) begin
        begun <= 1;
        its_number <= number;
        its_king_number <= ones({7'd0, king_goes});
        its_pawn_drop <= pawn_drop;
        its_other_drop <= other_drop;
        its_safe <= is_safe;
        its_tag <= {tag[21:12], checks[0], tag[10:0]};
        its_before_king <= drop_rules[96:16];
        its_holds <= held;
        if (!stays) begin
            loaded <= 1;
            node_king <= king;
            node_king_moves <= king_moves;
            node_landing <= landing;
            node_theirs <= theirs;
            node_arrivals <= arrivals;
            looked_at <= landing & theirs;
            king_looked_at <= king_moves & theirs;
        end else begin
            looked_at <= node_landing & ~node_theirs;
            king_looked_at <= node_king_moves & ~node_theirs;
        end
    end
    wire [4:0] told = of(sums[80:0], at) + (of(sums[188:108], at) + of(sums[269:189], at)) * 5'd2
                      + (of(sums[350:270], at) + of(sums[431:351], at)) * 5'd4
                      + (rank <= 2 ? sums[81 + 3 * file + rank] + sums[432 + 3 * file + rank] * 5'd4 : 5'd0)
                      + (rank == 2 ? sums[459 + file] * 5'd4 : 5'd0);
    always @* if (begun) begin
        assert (told == its_number);
        assert (ones({7'd0, king_classes}) == its_king_number);
        assert (of(drops[80:0], at) == its_pawn_drop && of(drops[161:81], at) == its_other_drop);
        assert (of(safe, at) == its_safe);
        assert (tag_out == its_tag && before_king == its_before_king && holds == its_holds);
        assert (loads == (its_tag[1] && !its_tag[4]));
    end
    // The bank's assumptions about what is kept.
    always @* if (loaded) begin
        assert (kept[1376:0] == node_arrivals && kept[1385:1377] == classes(node_king));
        assert (kept[1628:1386] == {node_theirs, node_landing, node_king_moves});
        assert (kept[1718:1629] == {looked_at, classes(king_looked_at)});
    end

    always @(posedge clock) cover (begun && its_number == 15 && its_king_number == 8 && its_other_drop && !its_pawn_drop);
endmodule
