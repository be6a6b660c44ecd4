// Any position, any pins, checks and attacked squares, in each clock: the rules, restated square by square.

module harness(
    input clock, input [21:0] tag, input [446:0] board, input [6:0] king_at, input [323:0] crossings,
    input [242:0] attacked, input [80:0] checkers
);
    `include "pieces.svh"
    wire [80:0] their_king = owner & is[KING], pawns = own & is[PAWN];
    wire [80:0] zone = RANK_A | (RANK_A << 1) | (RANK_A << 2);
    wire [80:0] promotables = is[PAWN] | is[LANCE] | is[KNIGHT] | is[SILVER] | is[BISHOP] | is[ROOK];
    wire [80:0] file_of_king = king | ((king >> 1) & ~RANK_I) | ((king << 1) & ~RANK_A);
    wire [80:0] beside_king = (file_of_king | (file_of_king >> 9) | (file_of_king << 9)) & ~king;
    always @* assume (king == (king_at < 81 ? 81'd1 << king_at : 81'd0));
    wire [647:0] kinds = {knights, steppers[5], steppers[3], steppers[1], steppers[0], sliders[3], sliders[1], sliders[0]};
    wire [566:0] threats = {checkers, attacked, empty, beside_king, king};

    // The blocks, one after the other.
    wire [21:0] legality_tag, arrivals_tag;
    wire [96:0] drop_rules, arrivals_drops;
    wire [2:0] checks, arrivals_checks;
    wire [1538:0] movers;
    wire [1376:0] near, arrivals;
    wire [485:0] reach, squares;
    wire stays;
    legality first(
        .clock(clock), .tag(tag), .board(board), .kinds(kinds), .crossings(crossings), .threats(threats),
        .tag_out(legality_tag), .drops(drop_rules), .checks(checks), .movers(movers), .near(near), .reach(reach)
    );
    arrivals dut(
        .clock(clock), .tag(legality_tag), .drops(drop_rules), .checks(checks), .movers(movers), .near(near), .reach(reach),
        .tag_out(arrivals_tag), .stays(stays), .drops_out(arrivals_drops), .checks_out(arrivals_checks), .squares(squares),
        .arrivals(arrivals)
    );

    // The rules. Where own pieces other than the king arrive by a direction: the first piece behind the square, if it moves so
    // and no pin on another axis holds it.
    wire [80:0] free [0:3];
    wire [80:0] crossed = crossings[80:0] | crossings[161:81] | crossings[242:162] | crossings[323:243];
    wire [80:0] plain [0:7];
    wire [80:0] promoting [0:7];
    generate for (d = 0; d < 4; d = d + 1) begin : of_axis
        assign free[d] = own & ~king & ~((d == 0 ? 0 : crossings[80:0]) | (d == 1 ? 0 : crossings[161:81])
                                         | (d == 2 ? 0 : crossings[242:162]) | (d == 3 ? 0 : crossings[323:243]));
    end
    for (d = 0; d < 8; d = d + 1) begin : by_direction
        localparam FILES = d == 0 || d == 7 ? 0 : d % 2 == 1 ? -1 : 1, RANKS = d <= 2 ? -1 : d <= 4 ? 0 : 1;
        localparam AXIS = d < 4 ? d : 7 - d;
        wire [80:0] slide = free[AXIS] & sliders[d], step = free[AXIS] & steppers[d], forced = is[PAWN] | is[LANCE];
        wire [80:0] clear [1:9];
        wire [80:0] arrives [0:8];
        wire [80:0] promotes [0:8];
        assign clear[1] = ~81'd0;
        assign arrives[0] = 0;
        assign promotes[0] = 0;
        for (k = 1; k <= 8; k = k + 1) begin : from
            // Squares so many steps behind: MASK has those that are on the board.
            localparam DISTANCE = k * (9 * FILES + RANKS);
            localparam [80:0] MASK = ranks(k * RANKS);
            wire [80:0] mover = k == 1 ? slide | step : slide;
            wire [80:0] coming, promotable, forced_there, in_zone, passed;
            if (DISTANCE > 0) assign {coming, promotable, forced_there, in_zone, passed} = {
                mover << DISTANCE, promotables << DISTANCE, forced << DISTANCE, zone << DISTANCE, empty << DISTANCE};
            else assign {coming, promotable, forced_there, in_zone, passed} = {
                mover >> -DISTANCE, promotables >> -DISTANCE, forced >> -DISTANCE, zone >> -DISTANCE, empty >> -DISTANCE};
            wire [80:0] comes = clear[k] & coming & MASK;
            // On the last rank pawns and lances must promote.
            assign arrives[k] = arrives[k - 1] | (comes & ~(RANK_A & forced_there));
            assign promotes[k] = promotes[k - 1] | (comes & promotable & (zone | in_zone));
            assign clear[k + 1] = clear[k] & passed & MASK;
        end
        assign plain[d] = arrives[8];
        assign promoting[d] = promotes[8];
    end endgenerate
    wire check = checkers != 0, several = (checkers & (checkers - 81'd1)) != 0;
    wire [80:0] landing = ~own & (several ? 81'd0 : check ? checkers | (empty & crossed) : ~81'd0);
    wire [80:0] king_moves = beside_king & ~own & ~(attacked[80:0] | attacked[161:81] | attacked[242:162]);
    wire [80:0] theirs = ~empty & ~own;
    wire [80:0] closed = theirs | ((own & crossed) != 0 ? ~81'd0 : beside_king);
    wire [80:0] front = (their_king << 1) & ~RANK_A;
    wire [6:0] held = {board[425:424] != 0, board[423:422] != 0, board[421:419] != 0, board[418:416] != 0,
                       board[415:413] != 0, board[412:410] != 0, board[409:405] != 0};
    wire [8:0] open_files;
    generate for (s = 0; s < 9; s = s + 1) begin : of_file
        assign open_files[s] = pawns[9 * s +: 9] == 0;
    end endgenerate
    wire [1376:0] expected_arrivals = {
        knights & own & ~crossed, promoting[7], promoting[6], promoting[5], promoting[4], promoting[3], promoting[2],
        promoting[1], promoting[0], plain[7], plain[6], plain[5], plain[4], plain[3], plain[2], plain[1], plain[0]
    };
    localparam ALL = 1377 + 486 + 97 + 1 + 22;
    wire [ALL - 1:0] expected = {
        tag, check, front, held, open_files, closed, theirs, empty, landing, king_moves, king, expected_arrivals
    };
    // Two clocks later it is there.
    reg [ALL - 1:0] expected_1, expected_2;
    reg [6:0] king_at_1, king_at_2;
    reg check_1, check_2, several_1, several_2, pinned_1, pinned_2;
    reg [2:0] clocks = 0;
    always @(posedge clock) begin
        expected_1 <= expected;
        expected_2 <= expected_1;
        king_at_1 <= king_at;
        king_at_2 <= king_at_1;
        {check_2, several_2, pinned_2} <= {check_1, several_1, pinned_1};
        {check_1, several_1, pinned_1} <= {check && !several, several, (own & crossed) != 0};
        if (clocks != 7) clocks <= clocks + 1'd1;
    end
    wire [ALL - 1:0] arrived = {arrivals_tag, arrivals_checks[0], arrivals_drops[96:16], arrivals_drops[15:9],
                                arrivals_drops[8:0], squares, arrivals};
    always @* if (clocks >= 2) begin
        assert (arrived == expected_2);
        assert (stays == !(arrivals_tag[1] && !arrivals_tag[4]));
    end

    // What the planes have in common (assumed in sums.sv): whatever promotes could arrive without, but on the last rank; going
    // towards their side or across, it arrives in the zone. The king moves to squares beside it.
    wire [80:0] arrived_king = squares[80:0];
    wire [80:0] its_file = arrived_king | ((arrived_king >> 1) & ~RANK_I) | ((arrived_king << 1) & ~RANK_A);
    generate for (d = 0; d < 8; d = d + 1) begin : in_common
        wire [80:0] without = arrivals[81 * d +: 81] | (d == 0 ? RANK_A : 81'd0), with_it = arrivals[81 * (8 + d) +: 81];
        always @* if (clocks >= 2) begin
            assert ((with_it & ~without) == 0);
            if (d < 5) assert ((with_it & ~zone) == 0);
        end
    end endgenerate
    always @* if (clocks >= 2) begin
        assert ((squares[161:81] & ~(its_file | (its_file >> 9) | (its_file << 9))) == 0);
        assert (arrived_king == (king_at_2 < 81 ? 81'd1 << king_at_2 : 81'd0));
    end

    // A pin, a check that is parried on the way and a promotion; two checks; a knight; a lance that must promote.
    always @(posedge clock) begin
        cover (clocks >= 2 && check_2 && arrivals[648 + 40 - 38] && squares[162 + 2] && squares[243 + 2]);
        cover (clocks >= 2 && several_2 && squares[161:81] != 0 && squares[242:162] == 0 && arrivals[1376:1296] != 0);
        cover (clocks >= 2 && arrivals[648 + 36] && !arrivals[36] && squares[162 + 36] && pinned_2);
    end
endmodule
