// Any position in each clock, and a step of its king or a drop: it is found legal if the king could not be taken after it.

module harness(
    input clock, input [21:0] tag, input [446:0] board, input [6:0] king_at, input [6:0] origin, input [2:0] direction,
    input drop
);
    `include "pieces.svh"
    wire [80:0] theirs = ~empty & owner;
    // One king of the mover's at most; an empty square is nobody's.
    always @* begin
        assume (king == (king_at < 81 ? 81'd1 << king_at : 81'd0));
        assume ((empty & owner) == 0);
    end

    wire [21:0] entry_tag, rays_tag, legality_tag, arrivals_tag;
    wire [446:0] entry_board, rays_board;
    wire [890:0] decoded;
    wire [1295:0] rays_near;
    wire [647:0] kinds;
    wire [323:0] crossings;
    wire [566:0] threats;
    wire [96:0] drop_rules;
    wire [2:0] checks, arrivals_checks;
    wire [1538:0] movers;
    wire [1376:0] near, arrivals;
    wire [485:0] reach, squares;
    entry first(
        .clock(clock), .tag(tag), .board(board), .tag_out(entry_tag), .board_out(entry_board), .decoded(decoded),
        .near(rays_near)
    );
    rays second(
        .clock(clock), .tag(entry_tag), .board(entry_board), .decoded(decoded), .near(rays_near), .tag_out(rays_tag),
        .board_out(rays_board), .kinds_out(kinds), .crossings(crossings), .threats(threats)
    );
    legality third(
        .clock(clock), .tag(rays_tag), .board(rays_board), .kinds(kinds), .crossings(crossings), .threats(threats),
        .tag_out(legality_tag), .drops(drop_rules), .checks(checks), .movers(movers), .near(near), .reach(reach)
    );
    arrivals last(
        .clock(clock), .tag(legality_tag), .drops(drop_rules), .checks(checks), .movers(movers), .near(near), .reach(reach),
        .tag_out(arrivals_tag), .checks_out(arrivals_checks), .squares(squares), .arrivals(arrivals)
    );

    // A drop on the square `origin`, or a step of the king from it.
    wire [80:0] from = origin < 81 ? 81'd1 << origin : 81'd0;
    wire [80:0] to [0:7];
    generate for (d = 0; d < 8; d = d + 1) begin : by_direction
        localparam FILES = d == 0 || d == 7 ? 0 : d % 2 == 1 ? -1 : 1, RANKS = d <= 2 ? -1 : d <= 4 ? 0 : 1;
        localparam DISTANCE = 9 * FILES + RANKS;
        localparam [80:0] MASK = ranks(RANKS);
        if (DISTANCE > 0) assign to[d] = (from << DISTANCE) & MASK;
        else assign to[d] = (from >> -DISTANCE) & MASK;
    end endgenerate
    wire [80:0] there = drop ? from : to[direction];
    wire possible = there != 0 && (drop ? (there & empty) != 0 : (from & king) != 0 && (there & own) == 0);

    // After it: does a piece of theirs attack the king?
    wire [80:0] empty_after = (drop ? empty : empty | from) & ~there, theirs_after = theirs & ~there;
    wire [80:0] king_after = drop ? king : there;
    wire [80:0] checkers [0:8];
    localparam [80:0] JUMPING = ranks(-2);
    assign checkers[0] = knights & theirs_after & ((king_after >> 11) | (king_after << 7)) & JUMPING;
    generate for (d = 0; d < 8; d = d + 1) begin : from_king
        localparam FILES = d == 0 || d == 7 ? 0 : d % 2 == 1 ? -1 : 1, RANKS = d <= 2 ? -1 : d <= 4 ? 0 : 1;
        wire [80:0] clear [1:9];
        wire [80:0] sees [0:8];
        wire [80:0] next_to;
        assign clear[1] = ~81'd0;
        assign sees[0] = 81'd0;
        for (k = 1; k <= 8; k = k + 1) begin : step
            localparam DISTANCE = k * (9 * FILES + RANKS);
            localparam [80:0] MASK = ranks(k * RANKS);
            wire [80:0] seen, passed;
            if (DISTANCE > 0) assign {seen, passed} = {king_after << DISTANCE, empty_after << DISTANCE};
            else assign {seen, passed} = {king_after >> -DISTANCE, empty_after >> -DISTANCE};
            assign sees[k] = sees[k - 1] | (clear[k] & seen & MASK);
            assign clear[k + 1] = clear[k] & passed & MASK;
            if (k == 1) assign next_to = seen & MASK;
        end
        assign checkers[d + 1] = checkers[d] | (theirs_after & ((sees[8] & sliders[d]) | (next_to & steppers[d])));
    end endgenerate
    wire legal = checkers[8] == 0;

    // Four clocks later.
    reg [3:0] begun = 0, legal_before, possible_before = 0, drop_before;
    reg [80:0] there_1, there_2, there_3, there_4;
    always @(posedge clock) begin
        begun <= {begun[2:0], 1'b1};
        legal_before <= {legal_before[2:0], legal};
        possible_before <= {possible_before[2:0], possible};
        drop_before <= {drop_before[2:0], drop};
        {there_4, there_3, there_2, there_1} <= {there_3, there_2, there_1, there};
    end
    wire told = ((drop_before[3] ? squares[242:162] : squares[161:81]) & there_4) != 0;
    wire now = begun[3] && possible_before[3];
    always @* if (now) assert (told == legal_before[3]);

    always @(posedge clock) begin
        cover (now && !told && drop_before[3]);
        cover (now && !told && !drop_before[3] && there_4[40]);
        cover (now && told && drop_before[3] && arrivals_checks[0]);
        cover (now && told && !drop_before[3] && arrivals_checks[1]);
    end
endmodule
