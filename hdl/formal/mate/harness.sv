// Any position, pins and checks in each clock: the pawn drop that is not tested is no mate.

module harness(
    input clock, input [21:0] tag, input [446:0] board, input [6:0] king_at, input [6:0] their_king_at,
    input [323:0] crossings, input [242:0] attacked, input [80:0] checkers
);
    `include "pieces.svh"
    wire [80:0] their_king = owner & is[KING], pawns = own & is[PAWN];
    wire [80:0] file_of_king = king | ((king >> 1) & ~RANK_I) | ((king << 1) & ~RANK_A);
    wire [80:0] beside_king = (file_of_king | (file_of_king >> 9) | (file_of_king << 9)) & ~king;
    always @* begin
        assume (king == (king_at < 81 ? 81'd1 << king_at : 81'd0));
        assume (their_king == (their_king_at < 81 ? 81'd1 << their_king_at : 81'd0));
    end
    wire [647:0] kinds = {knights, steppers[5], steppers[3], steppers[1], steppers[0], sliders[3], sliders[1], sliders[0]};
    wire [566:0] threats = {checkers, attacked, empty, beside_king, king};

    // The blocks, one after the other.
    wire [21:0] legality_tag, arrivals_tag, targets_tag, count_tag;
    wire [96:0] drop_rules, arrivals_drops;
    wire [2:0] checks, arrivals_checks;
    wire [1538:0] movers;
    wire [1376:0] near, arrivals;
    wire [485:0] reach, squares;
    wire [467:0] sums;
    wire [8:0] king_moves;
    wire [161:0] drops;
    wire [6:0] holds;
    wire [80:0] before_king, safe;
    wire may_mate;
    legality first(
        .clock(clock), .tag(tag), .board(board), .kinds(kinds), .crossings(crossings), .threats(threats),
        .tag_out(legality_tag), .drops(drop_rules), .checks(checks), .movers(movers), .near(near), .reach(reach)
    );
    arrivals second(
        .clock(clock), .tag(legality_tag), .drops(drop_rules), .checks(checks), .movers(movers), .near(near), .reach(reach),
        .tag_out(arrivals_tag), .drops_out(arrivals_drops), .checks_out(arrivals_checks), .squares(squares),
        .arrivals(arrivals)
    );
    targets third(
        .clock(clock), .tag(arrivals_tag), .drop_rules(arrivals_drops), .checks(arrivals_checks), .squares(squares),
        .arrivals(arrivals), .tag_out(targets_tag), .sums(sums), .king_moves(king_moves), .drops(drops), .holds(holds),
        .before_king(before_king), .safe(safe)
    );
    count last(
        .clock(clock), .tag(targets_tag), .sums(sums), .king_moves(king_moves), .drops(drops), .holds(holds),
        .before_king(before_king), .safe(safe), .tag_out(count_tag), .may_mate(may_mate)
    );

    // Squares that the mover's pieces attack where their rays pass these squares. A pin does not matter.
    function [80:0] ranks(input integer by); // that remain on the board behind a move by so many ranks
        integer i;
        for (i = 0; i < 81; i = i + 1) ranks[i] = i % 9 - by >= 0 && i % 9 - by <= 8;
    endfunction
    wire [80:0] front = (their_king << 1) & ~RANK_A;
    wire [80:0] now [0:8];
    wire [80:0] later [0:8];
    wire [80:0] jumpers = knights & own;
    localparam [80:0] JUMPED = ranks(-2);
    assign now[0] = ((jumpers >> 11) | (jumpers << 7)) & JUMPED;
    assign later[0] = now[0];
    generate for (d = 0; d < 8; d = d + 1) begin : by_direction
        localparam FILES = d == 0 || d == 7 ? 0 : d % 2 == 1 ? -1 : 1, RANKS = d <= 2 ? -1 : d <= 4 ? 0 : 1;
        wire [80:0] clear [1:9];
        wire [80:0] clear_later [1:9];
        wire [80:0] attacks [0:8];
        wire [80:0] attacks_later [0:8];
        assign {clear[1], clear_later[1]} = ~162'd0;
        assign {attacks[0], attacks_later[0]} = 162'd0;
        for (k = 1; k <= 8; k = k + 1) begin : from
            localparam DISTANCE = k * (9 * FILES + RANKS);
            localparam [80:0] MASK = ranks(k * RANKS);
            wire [80:0] attacker = own & (k == 1 ? sliders[d] | steppers[d] : sliders[d]);
            // After the drop the pawn is in the way, and their king is not: it has gone.
            wire [80:0] pass_later = (empty & ~front) | their_king;
            wire [80:0] coming, passed, passed_later;
            if (DISTANCE > 0) assign {coming, passed, passed_later} = {
                attacker << DISTANCE, empty << DISTANCE, pass_later << DISTANCE};
            else assign {coming, passed, passed_later} = {
                attacker >> -DISTANCE, empty >> -DISTANCE, pass_later >> -DISTANCE};
            assign attacks[k] = attacks[k - 1] | (clear[k] & coming & MASK);
            assign attacks_later[k] = attacks_later[k - 1] | (clear_later[k] & coming & MASK);
            assign clear[k + 1] = clear[k] & passed & MASK;
            assign clear_later[k + 1] = clear_later[k] & passed_later & MASK;
        end
        assign now[d + 1] = now[d] | attacks[8];
        assign later[d + 1] = later[d] | attacks_later[8];
    end endgenerate
    // The mover cannot take their king; else the position has a fault.
    always @* assume ((their_king & now[8]) == 0);

    // A pawn may be dropped in front of their king; then that may go to the square of the pawn, to its left or to its right.
    wire [80:0] crossed = crossings[80:0] | crossings[161:81] | crossings[242:162] | crossings[323:243];
    wire check = checkers != 0, several = (checkers & (checkers - 81'd1)) != 0;
    wire [80:0] landing = ~own & (several ? 81'd0 : check ? checkers | (empty & crossed) : ~81'd0);
    wire [8:0] open_files, front_in_file;
    generate for (s = 0; s < 9; s = s + 1) begin : of_file
        assign open_files[s] = pawns[9 * s +: 9] == 0;
        assign front_in_file[s] = front[9 * s +: 9] != 0;
    end endgenerate
    wire drop = (front & empty & landing) != 0 && (open_files & front_in_file) != 0 && board[409:405] != 0;
    wire [80:0] escapes = (front | (their_king << 9) | (their_king >> 9)) & ~(~empty & owner) & ~later[8];

    reg [3:0] drops_before = 0, escapes_before = 0, begun = 0;
    always @(posedge clock) begin
        begun <= {begun[2:0], 1'b1};
        drops_before <= {drops_before[2:0], drop};
        escapes_before <= {escapes_before[2:0], escapes != 0};
    end
    always @* if (begun[3]) begin
        assert (!may_mate || drops_before[3]);
        assert (may_mate || !drops_before[3] || escapes_before[3]);
    end

    always @(posedge clock) begin
        cover (begun[3] && may_mate && escapes_before[3]);
        cover (begun[3] && may_mate && !escapes_before[3]);
        cover (begun[3] && !may_mate && drops_before[3]);
    end
endmodule
