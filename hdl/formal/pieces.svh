// The pieces of `board`, for the harnesses: planes of kinds, and what goes in each direction. Included in their modules.

localparam [80:0] RANK_A = 81'h1008040201008040201, RANK_I = 81'h100804020100804020100;
// Ranks that remain on the board behind a move by so many ranks.
function [80:0] ranks(input integer by);
    integer i;
    for (i = 0; i < 81; i = i + 1) ranks[i] = i % 9 - by >= 0 && i % 9 - by <= 8;
endfunction
localparam PAWN = 1, LANCE = 2, KNIGHT = 3, SILVER = 4, GOLD = 5, BISHOP = 6, ROOK = 7, KING = 8, HORSE = 14, DRAGON = 15;
// Planes of kinds.
wire [80:0] is [0:15];
wire [80:0] empty = is[0], owner = board[404:324], own = ~empty & ~owner, king = own & is[KING], knights = is[KNIGHT];
wire [80:0] golds = is[GOLD] | is[9] | is[10] | is[11] | is[12], any_way = golds | is[KING] | is[HORSE];
// Directions: north, north-east, north-west, east, west, south-east, south-west, south. Steppers go no more than a step.
wire [80:0] sliders [0:7];
wire [80:0] steppers [0:7];
genvar s, d, k;
generate for (k = 0; k < 16; k = k + 1) begin : of_kind
    localparam [3:0] KIND = k;
    assign is[k] = ~((KIND[0] ? 81'd0 : board[80:0]) | (KIND[1] ? 81'd0 : board[161:81])
                     | (KIND[2] ? 81'd0 : board[242:162]) | (KIND[3] ? 81'd0 : board[323:243]))
                   & (KIND[0] ? board[80:0] : ~81'd0) & (KIND[1] ? board[161:81] : ~81'd0)
                   & (KIND[2] ? board[242:162] : ~81'd0) & (KIND[3] ? board[323:243] : ~81'd0);
end
for (d = 0; d < 8; d = d + 1) begin : of_direction
    localparam STRAIGHT = d == 0 || d == 3 || d == 4 || d == 7;
    assign sliders[d] = STRAIGHT ? is[ROOK] | is[DRAGON] | (d == 0 ? is[LANCE] : 81'd0) : is[BISHOP] | is[HORSE];
    assign steppers[d] = STRAIGHT ? any_way | (d == 0 ? is[PAWN] | is[SILVER] : 81'd0)
                         : is[SILVER] | is[KING] | is[DRAGON] | (d <= 2 ? golds : 81'd0);
end endgenerate
