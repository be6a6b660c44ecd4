// Any position in each clock: attacked squares, checks, and where the king and an enemy slider see the same square.

module harness(input clock, input [21:0] tag, input [446:0] board, input [6:0] king_at);
    `include "pieces.svh"
    wire [80:0] theirs = ~empty & owner;
    // One king of the mover's at most; an empty square is nobody's.
    always @* begin
        assume (king == (king_at < 81 ? 81'd1 << king_at : 81'd0));
        assume ((empty & owner) == 0);
    end

    wire [21:0] entry_tag, tag_out;
    wire [446:0] entry_board, board_out;
    wire [890:0] decoded;
    wire [1295:0] near;
    wire [647:0] kinds;
    wire [323:0] crossings;
    wire [566:0] threats;
    entry first(
        .clock(clock), .tag(tag), .board(board), .tag_out(entry_tag), .board_out(entry_board), .decoded(decoded), .near(near)
    );
    rays dut(
        .clock(clock), .tag(entry_tag), .board(entry_board), .decoded(decoded), .near(near), .tag_out(tag_out),
        .board_out(board_out), .kinds_out(kinds), .crossings(crossings), .threats(threats)
    );

    // The rules. Their pieces go the opposite way; an attack goes on behind the king, which would step back into it.
    wire [80:0] attacked [0:8]; // up to a direction
    wire [80:0] checkers [0:8];
    wire [80:0] beside [0:8];
    wire [80:0] slid [0:7]; // where their sliders come in a direction
    wire [80:0] seen [0:7]; // from the king
    wire [80:0] crossed [0:7]; // where the king looks, and a slider comes the other way
    wire [80:0] jumpers = knights & theirs;
    localparam [80:0] JUMPED = ranks(2), JUMPING = ranks(-2);
    assign attacked[0] = ((jumpers << 11) | (jumpers >> 7)) & JUMPED;
    assign checkers[0] = jumpers & ((king >> 11) | (king << 7)) & JUMPING;
    assign beside[0] = 0;
    generate for (d = 0; d < 8; d = d + 1) begin : by_direction
        localparam FILES = d == 0 || d == 7 ? 0 : d % 2 == 1 ? -1 : 1, RANKS = d <= 2 ? -1 : d <= 4 ? 0 : 1;
        wire [80:0] slide = theirs & sliders[7 - d], step = theirs & steppers[7 - d];
        wire [80:0] clear [1:9];
        wire [80:0] clear_of_all [1:9];
        wire [80:0] slides [0:8];
        wire [80:0] sees [0:8];
        wire [80:0] stepped, next_to;
        assign {clear[1], clear_of_all[1]} = ~162'd0;
        assign {slides[0], sees[0]} = 162'd0;
        for (k = 1; k <= 8; k = k + 1) begin : from
            // Squares so many steps behind: MASK has those that are on the board.
            localparam DISTANCE = k * (9 * FILES + RANKS);
            localparam [80:0] MASK = ranks(k * RANKS);
            wire [80:0] sliding, stepping, from_king, passed;
            if (DISTANCE > 0) assign {sliding, stepping, from_king, passed} = {
                slide << DISTANCE, step << DISTANCE, king << DISTANCE, empty << DISTANCE};
            else assign {sliding, stepping, from_king, passed} = {
                slide >> -DISTANCE, step >> -DISTANCE, king >> -DISTANCE, empty >> -DISTANCE};
            assign slides[k] = slides[k - 1] | (clear[k] & sliding & MASK);
            assign sees[k] = sees[k - 1] | (clear_of_all[k] & from_king & MASK);
            assign clear[k + 1] = clear[k] & (passed | from_king) & MASK;
            assign clear_of_all[k + 1] = clear_of_all[k] & passed & MASK;
            if (k == 1) assign {stepped, next_to} = {stepping & MASK, from_king & MASK};
        end
        assign slid[d] = slides[8];
        assign seen[d] = sees[8];
        assign attacked[d + 1] = attacked[d] | slides[8] | stepped;
        // A piece that is seen in a direction gives check if it moves the opposite way, which is that direction of the mover's.
        assign checkers[d + 1] = checkers[d] | (theirs & ((sees[8] & sliders[d]) | (next_to & steppers[d])));
        assign beside[d + 1] = beside[d] | next_to;
        assign crossed[d] = seen[d] & slid[7 - d];
    end endgenerate
    localparam ALL = 648 + 4 * 81 + 5 * 81 + 447 + 22;
    wire [ALL - 1:0] expected = {
        tag, board, checkers[8], attacked[8], empty, beside[8], king,
        crossed[3] | crossed[4], crossed[2] | crossed[5], crossed[1] | crossed[6], crossed[0] | crossed[7],
        knights, steppers[5], steppers[3], steppers[1], steppers[0], sliders[3], sliders[1], sliders[0]
    };
    // Two clocks later it is there.
    reg [ALL - 1:0] expected_1, expected_2;
    reg [1:0] begun = 0;
    always @(posedge clock) begin
        begun <= {begun[0], 1'b1};
        expected_1 <= expected;
        expected_2 <= expected_1;
    end
    wire [80:0] told_attacked = threats[323:243] | threats[404:324] | threats[485:405];
    always @* if (begun[1])
        assert ({tag_out, board_out, threats[566:486], told_attacked, threats[242:0], crossings, kinds} == expected_2);

    // Two checks, a pin on a diagonal, a far slider behind the king.
    always @(posedge clock) begin
        cover (begun[1] && threats[486 + 44] && threats[486 + 47] && threats[40]);
        cover (begun[1] && crossings[81 + 20] && !threats[162 + 20] && threats[566:486] == 0);
        cover (begun[1] && threats[36] && told_attacked[27] && threats[486 + 72] && crossings[243 + 63]);
    end
endmodule
