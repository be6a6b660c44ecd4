// Any move on any board, or none: the square of each change, the hands, and the pieces counted one square a clock.

module harness(input clock, input valid);
    // The port glue.
    (* anyconst *) wire [511:0] image;
    (* anyconst *) wire [6:0] origin; // a square, or 81 to 87: a drop of pawn, lance, knight, silver, gold, bishop, rook
    (* anyconst *) wire [6:0] target;
    (* anyconst *) wire null_move; // turns the position, and nothing else
    (* anyconst *) wire promotes;
    wire promote = promotes && !null_move;
    wire drop = origin >= 81 && !null_move;
    wire [80:0] from = drop || null_move ? 81'd0 : 81'd1 << origin;
    wire [80:0] to = null_move ? 81'd0 : 81'd1 << target;
    wire [6:0] dropped = drop ? 7'd1 << (origin - 81) : 7'd0;
    (* anyconst *) wire [323:0] rays; // which meet one own piece, that on the origin
    wire origin_valid, origin_promote, valid_out, null_out;
    wire [80:0] origin_to, origin_from;
    wire [6:0] origin_kind;
    wire [3:0] origin_moved, origin_captured;
    wire [31:0] record;
    wire [446:0] child;
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
        .clock(clock), .valid(valid), .to(to), .rays(rays), .kind(dropped), .promote(promote), .board(board),
        .own(own), .hold(1'b0), .valid_out(origin_valid), .to_out(origin_to), .from(origin_from), .kind_out(origin_kind),
        .promote_out(origin_promote), .moved(origin_moved), .captured(origin_captured)
    );
    make_move dut(
        .clock(clock), .valid(origin_valid), .to(origin_to), .from(origin_from), .kind(origin_kind),
        .promote(origin_promote), .moved(origin_moved), .captured(origin_captured), .board(board), .hold(1'b0),
        .valid_out(valid_out), .record(record), .child(child), .null_move(null_out)
    );
    wire [80:0] met = rays[80:0] | rays[161:81] | rays[242:162] | rays[323:243];
    always @* assume ((met & own) == from);

    // What was offered two clocks ago is at the output.
    reg [1:0] clocks = 0;
    wire settled = clocks == 2;
    always @(posedge clock) if (!settled) clocks <= clocks + 1;

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

    // Each square, by a watched one; each count of the hands, by a watched kind.
    (* anyconst *) wire [6:0] watched;
    (* anyconst *) wire [3:0] kind;
    wire [3:0] placed = promote ? moved | 4'd8 : moved;
    wire gained = captured != 0 && base(captured[3:0]) == kind;
    wire spent = drop && moved == kind;
    always @* begin
        assume (watched < 81);
        assume (kind >= 1 && kind <= 8);
        if (valid_out) begin
            // A piece of the mover's is, turned, one of theirs.
            if (!null_move && watched == target) assert (after(watched) == {1'b1, placed});
            else if (!null_move && watched == origin) assert (after(watched) == 0);
            else if (before(watched) % 16 == 0) assert (after(watched) == 0);
            else assert (after(watched) == (before(watched) ^ 5'd16));
            assert (own_hand_after == own_hand || captured != 0 || drop);
            assert (held(own_hand_after, kind) == held(own_hand, kind) + gained - spent);
            assert (their_hand_after == their_hand);
        end else assert (child == 0);
        if (settled) assert (null_out == null_move);
        if (settled && !null_move) begin
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
    reg valid_before = 0;
    always @(posedge clock) valid_before <= valid;
    always @* assert (origin_valid == valid_before);
    reg valid_twice_before = 0;
    always @(posedge clock) valid_twice_before <= valid_before;
    always @* assert (valid_out == valid_twice_before);

    // Pieces of the watched kind, promoted or not, on the board and in both hands: counted before and after, in clocks
    // in which the position after the move is there.
    function is(input [4:0] code);
        is = code[3:0] != 0 && base(code[3:0]) == kind;
    endfunction
    reg [6:0] square = 0;
    reg [7:0] count_before, count_after;
    reg counting = 0;
    always @(posedge clock) begin
        if (valid_out && !counting) begin
            counting <= 1;
            count_before <= held(own_hand, kind) + held(their_hand, kind);
            count_after <= held(own_hand_after, kind) + held(their_hand_after, kind);
        end else if (valid_out && square < 81) begin
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
        assert (clocks <= 2);
        assert (settled || !valid_out);
        assert (clocks != 0 || !origin_valid);
        if (clocks != 0) begin
            assert (origin_to == to && origin_from == from && origin_kind == dropped && origin_promote == promote);
            assert (origin_moved == (drop || null_move ? 4'd0 : moved) && origin_captured == captured[3:0]);
        end
        assert (counting || square == 0);
        assert (square <= 81);
        if (counting) assert (count_after == count_before + by_hand - by_origin + by_target);
    end

    always @(posedge clock) begin
        cover (valid_out && promote && captured == 5'd30 && kind == 6);
        cover (valid_out && drop && moved == 7 && target == 40);
        cover (valid_out && null_out && after(40) == 5'd14);
    end
endmodule
