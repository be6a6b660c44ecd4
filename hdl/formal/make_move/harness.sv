// Any move on any board, or none: the square of each change, the hands, and the pieces counted one square a clock.

module harness(
    input clock, input now, input [80:0] other_to, input [323:0] other_rays, input [6:0] other_kind, input other_promote,
    input [TAG - 1:0] other_tag, input [446:0] other_board
);
    // The port glue. In the clock `now` the watched move goes in; in all others, anything.
    localparam TAG = 22;
    (* anyconst *) wire [511:0] image;
    (* anyconst *) wire [6:0] origin; // a square, or 81 to 87: a drop of pawn, lance, knight, silver, gold, bishop, rook
    (* anyconst *) wire [6:0] target;
    (* anyconst *) wire null_move; // turns the position, and nothing else
    (* anyconst *) wire promotes;
    (* anyconst *) wire [TAG - 1:0] tag;
    wire promote = promotes && !null_move;
    wire drop = origin >= 81 && !null_move;
    wire [80:0] from = drop || null_move ? 81'd0 : 81'd1 << origin;
    wire [80:0] to = null_move ? 81'd0 : 81'd1 << target;
    wire [6:0] dropped = drop ? 7'd1 << (origin - 81) : 7'd0;
    (* anyconst *) wire [323:0] rays; // which meet one own piece, that on the origin
    wire origin_promote;
    wire [80:0] origin_to, origin_from;
    wire [6:0] origin_kind;
    wire [3:0] origin_moved, origin_captured;
    wire [TAG - 1:0] origin_tag, tag_out;
    wire [31:0] record;
    wire [446:0] origin_board, child_out;
    wire [80:0] own;
    wire [446:0] board; // five planes, then the hands
    genvar s, i;
    generate for (s = 0; s < 81; s = s + 1) begin : of_square
        assign own[s] = image[5 * s +: 4] != 0 && !image[5 * s + 4];
        for (i = 0; i < 5; i = i + 1) begin : of_bit
            assign board[81 * i + s] = image[5 * s + i];
        end
    end endgenerate
    assign board[425:405] = image[428:408];
    assign board[446:426] = image[452:432];
    origin first(
        .clock(clock), .to(now ? to : other_to), .rays(now ? rays : other_rays), .kind(now ? dropped : other_kind),
        .promote(now ? promote : other_promote), .tag(now ? tag : other_tag), .board(now ? board : other_board),
        .to_out(origin_to), .from(origin_from), .kind_out(origin_kind), .promote_out(origin_promote), .tag_out(origin_tag),
        .board_out(origin_board), .moved(origin_moved), .captured(origin_captured)
    );
    make_move dut(
        .clock(clock), .to(origin_to), .from(origin_from), .kind(origin_kind), .promote(origin_promote),
        .moved(origin_moved), .captured(origin_captured), .tag(origin_tag), .board(origin_board), .record(record),
        .child(child_out), .tag_out(tag_out)
    );
    wire [80:0] met = rays[80:0] | rays[161:81] | rays[242:162] | rays[323:243];
    always @* assume ((met & own) == from);

    // The watched move is behind the first block, behind both; the position after it is kept, to be counted.
    reg between = 0, made = 0, counting = 0;
    reg [446:0] kept;
    always @(posedge clock) begin
        between <= now;
        made <= between;
        if (made && !counting) kept <= child_out;
    end
    wire [446:0] child = counting ? kept : child_out;

    // Codes and hands of the board before, and of the one after (which is turned: square s is found at 80 - s).
    function [4:0] before(input [6:0] s);
        before = image[5 * s +: 5];
    endfunction
    function [4:0] after(input [6:0] s);
        after = {child[324 + 80 - s], child[243 + 80 - s], child[162 + 80 - s], child[81 + 80 - s], child[80 - s]};
    endfunction
    function [4:0] held(input [20:0] hand, input [3:0] kind);
        case (kind)
            1: held = hand[4:0];
            2: held = hand[7:5];
            3: held = hand[10:8];
            4: held = hand[13:11];
            5: held = hand[16:14];
            6: held = hand[18:17];
            7: held = hand[20:19];
            default: held = 0;
        endcase
    endfunction
    wire [20:0] own_hand = image[428:408], their_hand = image[452:432];
    wire [20:0] own_hand_after = child[446:426], their_hand_after = child[425:405];

    // A kind without its promotion; kings are of kind 8, and 0 is no piece.
    function [3:0] base(input [3:0] kind);
        base = kind == 8 ? 4'd8 : kind[2:0];
    endfunction
    function [4:0] full_set(input [3:0] kind);
        full_set = kind == 1 ? 5'd18 : kind <= 5 ? 5'd4 : 5'd2;
    endfunction

    // What the generator guarantees: an own piece goes to a square that is not its own, or a held piece to an empty one.
    wire [4:0] mover = before(origin);
    wire [4:0] captured = null_move ? 5'd0 : before(target);
    wire [3:0] moved = drop ? origin - 80 : mover[3:0];
    always @* begin
        assume (target < 81 && origin < 88);
        if (drop) begin
            assume (held(own_hand, moved) != 0);
            assume (captured == 0);
            assume (!promote);
        end else if (!null_move) begin
            assume (mover != 0 && mover != 13 && !mover[4]);
            // Theirs, of a kind that there is, and not the king.
            assume (captured == 0 || (captured > 16 && captured != 29 && captured != 24));
            if (promote) assume (mover < 8 && mover != 5);
        end
        // A full set at most, of which one is on the target square.
        if (captured != 0) assume (held(own_hand, base(captured[3:0])) < full_set(base(captured[3:0])));
    end

    // Each square; each count of the hands, by a watched kind.
    (* anyconst *) wire [3:0] kind;
    wire [3:0] placed = promote ? moved | 4'd8 : moved;
    wire gained = captured != 0 && base(captured[3:0]) == kind;
    wire spent = drop && moved == kind;
    generate for (s = 0; s < 81; s = s + 1) begin : of_change
        // A piece of the mover's is, turned, one of theirs.
        always @* if (made || counting) begin
            if (!null_move && s == target) assert (after(s) == {1'b1, placed});
            else if (!null_move && s == origin) assert (after(s) == 0);
            else if (before(s) % 16 == 0) assert (after(s) == 0);
            else assert (after(s) == (before(s) ^ 5'd16));
        end
    end endgenerate
    always @* begin
        assume (kind >= 1 && kind <= 8);
        if (made || counting) begin
            assert (own_hand_after == own_hand || captured != 0 || drop);
            assert (held(own_hand_after, kind) == held(own_hand, kind) + gained - spent);
            assert (their_hand_after == their_hand);
        end
        if (made) assert (tag_out == tag);
        if (made && !null_move) begin
            // The record.
            assert (record[6:0] == target);
            assert (record[13:7] == origin);
            assert (record[14] == promote);
            assert (record[15] == 0);
            assert (record[23:16] == {4'd0, drop, 1'b0, promote, captured != 0});
            assert (record[27:24] == moved);
            assert (record[31:28] == captured[3:0]);
        end
    end

    // Pieces of the watched kind, promoted or not, on the board and in both hands: counted before and after.
    function is(input [4:0] code);
        is = code[3:0] != 0 && base(code[3:0]) == kind;
    endfunction
    reg [6:0] square = 0;
    reg [7:0] count_before, count_after;
    always @(posedge clock) begin
        if (made && !counting) begin
            counting <= 1;
            count_before <= held(own_hand, kind) + held(their_hand, kind);
            count_after <= held(own_hand_after, kind) + held(their_hand_after, kind);
        end else if (counting && square < 81) begin
            square <= square + 1;
            count_before <= count_before + is(before(square));
            count_after <= count_after + is(after(square));
        end
    end
    always @* if (counting && square == 81) assert (count_after == count_before);

    // What holds in between (for induction): the counts differ by what changed up to here.
    wire [7:0] by_hand = gained - spent;
    wire [7:0] by_origin = !drop && !null_move && square > origin ? is(mover) : 1'b0;
    wire [7:0] by_target = !null_move && square > target ? is({1'b0, moved}) - is(captured) : 8'd0;
    always @* begin
        if (between) begin
            assert (origin_to == to && origin_from == from && origin_kind == dropped && origin_promote == promote);
            assert (origin_moved == (drop || null_move ? 4'd0 : moved) && origin_captured == captured[3:0]);
            assert (origin_tag == tag && origin_board == board);
        end
        assert (counting || square == 0);
        assert (square <= 81);
        if (counting) assert (count_after == count_before + by_hand - by_origin + by_target);
    end

    always @(posedge clock) begin
        cover (made && promote && captured == 5'd30 && kind == 6);
        cover (made && drop && moved == 7 && target == 40);
        cover (made && null_move && after(40) == 5'd14);
    end
endmodule
