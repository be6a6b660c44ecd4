// Any move on any board, or none: the square of each change, the hands, and the pieces counted one square a clock.

module harness(
    input clock, input now, input [OP - 1:0] other_op, input [446:0] other_board, input [80:0] other_empty
);
    // The port glue. In the clock `now` the watched move goes in; in all others, anything.
    localparam TAG = 22, OP = 81 + 10 + 7 + 1 + 1 + TAG;
    (* anyconst *) wire [511:0] image;
    (* anyconst *) wire [6:0] origin; // a square, or 81 to 87: a drop of pawn, lance, knight, silver, gold, bishop, rook
    (* anyconst *) wire [6:0] target;
    (* anyconst *) wire null_move; // turns the position, and nothing else
    (* anyconst *) wire promotes;
    (* anyconst *) wire [TAG - 1:0] tag;
    wire promote = promotes && !null_move;
    wire drop = origin >= 81 && !null_move;
    wire mate = tag[4]; // a pawn drop in front of their king
    wire [80:0] from = drop || null_move ? 81'd0 : 81'd1 << origin;
    wire [80:0] to = null_move ? 81'd0 : 81'd1 << target;
    wire [6:0] dropped = drop ? 7'd1 << (origin - 81) : 7'd0;
    (* anyconst *) wire [3:0] direction; // north, north-east, …, the knight's jumps
    wire [9:0] directions = drop || null_move ? 10'd0 : 10'd1 << direction;
    wire [OP - 1:0] op = {tag, 1'b0, promote, dropped, directions, mate ? 81'd0 : to};
    wire [647:0] near;
    wire [80:0] traced_to, traced_empty, origin_to, origin_from;
    wire [9:0] traced_direction;
    wire [6:0] traced_kind, origin_kind;
    wire traced_promote, origin_promote;
    wire [3:0] origin_captured;
    wire [TAG - 1:0] traced_tag, origin_tag, tag_out;
    wire [31:0] record;
    wire [446:0] traced_board, origin_board, child_out;
    wire [80:0] empty;
    wire [446:0] board; // five planes, then the hands
    genvar s, i;
    generate for (s = 0; s < 81; s = s + 1) begin : of_square
        assign empty[s] = image[5 * s +: 4] == 0;
        for (i = 0; i < 5; i = i + 1) begin : of_bit
            assign board[81 * i + s] = image[5 * s + i];
        end
    end endgenerate
    assign board[425:405] = image[428:408];
    assign board[446:426] = image[452:432];
    trace first(
        .clock(clock), .op(now ? op : other_op), .board(now ? board : other_board), .empty(now ? empty : other_empty),
        .to(traced_to), .near(near), .direction(traced_direction), .kind_out(traced_kind), .promote_out(traced_promote),
        .tag_out(traced_tag), .board_out(traced_board), .empty_out(traced_empty)
    );
    origin second(
        .clock(clock), .to(traced_to), .near(near), .direction(traced_direction), .kind(traced_kind), .promote(traced_promote),
        .tag(traced_tag), .board(traced_board), .empty(traced_empty),
        .to_out(origin_to), .from(origin_from), .kind_out(origin_kind), .promote_out(origin_promote), .tag_out(origin_tag),
        .board_out(origin_board), .captured(origin_captured)
    );
    make_move dut(
        .clock(clock), .to(origin_to), .from(origin_from), .kind(origin_kind), .promote(origin_promote),
        .captured(origin_captured), .tag(origin_tag), .board(origin_board), .record(record), .child(child_out),
        .tag_out(tag_out)
    );

    // A move on the board: so many steps in the direction, over empty squares, from the origin to the target.
    (* anyconst *) wire [3:0] origin_file, origin_rank, target_file, target_rank, steps;
    wire signed [5:0] files = direction == 2 || direction == 4 || direction == 6 || direction == 9 ? 1 :
        direction == 0 || direction == 7 ? 0 : -1;
    wire signed [5:0] ranks = direction >= 8 ? -2 : direction <= 2 ? -1 : direction <= 4 ? 0 : 1;
    wire signed [9:0] length = {6'd0, steps};
    wire signed [9:0] file = {6'd0, target_file}, rank = {6'd0, target_rank};
    always @* begin
        assume (target_file < 9 && target_rank < 9 && target == 9 * target_file + target_rank);
        if (origin < 81 && !null_move) begin
            assume (direction < 10);
            assume (steps > 0 && steps < 9 && (steps == 1 || direction < 8));
            assume (origin_file < 9 && origin_rank < 9 && origin == 9 * origin_file + origin_rank);
            assume (file == $signed({6'd0, origin_file}) + length * files);
            assume (rank == $signed({6'd0, origin_rank}) + length * ranks);
        end
    end
    genvar k;
    generate for (s = 0; s < 81; s = s + 1) begin : of_path
        for (k = 1; k < 8; k = k + 1) begin : of_step
            always @* if (origin < 81 && !null_move && k < steps && s / 9 == file - k * files && s % 9 == rank - k * ranks)
                assume (empty[s]);
        end
        // The drop that may be mate: there is one king of theirs, on the square to the north.
        always @* if (mate) assume ((image[5 * s +: 5] == 5'd24) == (s + 1 == target && target_rank != 0));
    end endgenerate
    always @* if (mate) assume (origin == 81 && !null_move && target_rank != 0);

    // The watched move is behind the first block, the second, the third; the position after it is kept, to be counted.
    reg traced = 0, between = 0, made = 0, counting = 0;
    reg [446:0] kept;
    always @(posedge clock) begin
        traced <= now;
        between <= traced;
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
            assert (origin_captured == captured[3:0] && origin_tag == tag && origin_board == board);
        end
        assert (counting || square == 0);
        assert (square <= 81);
        if (counting) assert (count_after == count_before + by_hand - by_origin + by_target);
    end

    always @(posedge clock) begin
        cover (made && promote && captured == 5'd30 && kind == 6);
        cover (made && drop && moved == 7 && target == 40);
        cover (made && mate && target == 40);
        cover (made && steps == 8 && direction == 7);
        cover (made && null_move && after(40) == 5'd14);
    end
endmodule
