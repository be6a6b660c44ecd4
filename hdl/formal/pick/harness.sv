// Any readings of any groups, and any orders between, beside a queue of groups that says what is picked.

module harness(
    input clock, input [1 + 1 + TAG - 1:0] order, input [READING - 1:0] reading, input [GROUP - 1:0] read_group
);
    // The port glue: all that depends on how the block is laid out.
    localparam NODE = 4, NUMBER = 6, AIM = 8, READING = NODE + NUMBER + AIM, TAG = 22, GROUP = 81 + 10 + 7 + 1, RING = 5;
    wire [GROUP + 1 + TAG - 1:0] op;
    wire makes, picked, left, more, next_valid, coming_valid;
    wire [2 * READING + GROUP + READING + 1 + RING - 1:0] state;
    wire [GROUP - 1:0] rest;
    wire [NODE - 1:0] rest_node, next_node;
    wire [NODE + NUMBER - 1:0] rest_at, coming_at;
    reg [GROUP - 1:0] group;
    pick dut(
        .clock(clock), .order(order), .reading(reading), .group(group), .state_in(state), .rest_in(rest), .op(op),
        .makes(makes), .picked(picked), .left(left), .state(state), .rest(rest), .more(more), .next_valid(next_valid),
        .coming_valid(coming_valid), .rest_node(rest_node), .next_node(next_node), .rest_at(rest_at), .coming_at(coming_at)
    );
    wire ordering = order[0], order_inject = order[1];
    wire [TAG - 1:0] order_tag = order[TAG + 1:2];
    wire order_mate = order_tag[4];
    wire [READING - 1:0] coming_of = state[17:0], next_of = state[134:117], rest_of = state[152:135];
    wire [GROUP - 1:0] next = state[116:18];
    wire [RING - 1:0] ring = state[158:154];
    wire [80:0] op_squares = op[80:0];
    wire [17:0] op_rest = op[98:81]; // direction, kind, promotion
    wire op_inject = op[99];
    wire [TAG - 1:0] op_tag = op[TAG + 99:100];
    function wanted(input [READING - 1:0] of);
        wanted = of[10] || of[12]; // leaves or one move
    endfunction
    function [9:0] address(input [READING - 1:0] of);
        address = {of[3:0], of[9:4]};
    endfunction

    // The unit: a reading is taken when the group before it moves on; else the same group is read again.
    wire next_free = !next_valid || (!ordering && !more);
    wire coming_free = next_free || !coming_valid;
    wire taken = coming_free && wanted(reading);
    always @(posedge clock) if (coming_free) group <= read_group;

    // A reading has one aim, children are leaves, and its group has a move.
    function proper(input [READING - 1:0] of);
        proper = !(of[10] && of[12]) && (of[10] || !of[11]);
    endfunction
    always @* if (wanted(reading)) begin
        assume (proper(reading));
        assume (read_group[80:0] != 0);
    end

    // The specification: the groups that were taken, without the squares that are out, and whose they are.
    reg [1:0] groups = 0;
    reg [GROUP - 1:0] group_0, group_1, group_2;
    reg [READING - 1:0] of_0, of_1, of_2;
    reg fresh = 0; // the last of them came a clock ago
    wire moves = !ordering && groups > fresh;
    wire one = of_0[12];
    wire [80:0] lowest = group_0[80:0] & (~group_0[80:0] + 81'd1);
    wire [80:0] others = group_0[80:0] & ~lowest;
    wire done = moves && (one || others == 0);
    wire [1:0] stay = groups - done;
    wire [GROUP - 1:0] left_0 = moves ? {group_0[98:81], others} : group_0;
    reg [RING - 1:0] leaves = 0;
    always @(posedge clock) begin
        groups <= stay + taken;
        fresh <= taken;
        group_0 <= stay == 0 ? read_group : done ? group_1 : left_0;
        of_0 <= stay == 0 ? reading : done ? of_1 : of_0;
        group_1 <= stay == 1 ? read_group : done ? group_2 : group_1;
        of_1 <= stay == 1 ? reading : done ? of_2 : of_1;
        if (stay != 3) group_2 <= read_group;
        if (stay != 3) of_2 <= reading;
        if (moves && of_0[10]) leaves <= leaves + 1'd1;
    end

    // What was due a clock ago is at the output: an order at once, else a move if there is a group.
    reg ordered = 0, moved = 0, inject, mate, several, last_one;
    reg [TAG - 1:0] tag;
    reg [GROUP - 1:0] move, remains;
    reg [9:0] move_at;
    always @(posedge clock) begin
        ordered <= ordering;
        moved <= moves;
        inject <= order_inject;
        mate <= order_mate;
        several <= others != 0;
        last_one <= one;
        move <= {group_0[98:81], lowest};
        remains <= {group_0[98:81], others};
        move_at <= address(of_0);
        tag <= 0;
        if (ordering) tag <= order_tag;
        else if (moves) begin
            tag[0] <= of_0[10]; // a leaf, which has the next row of the ring
            tag[1] <= one && !of_0[17]; // a node, but for a move that is another unit's
            tag[2] <= of_0[11]; // a child
            tag[10:5] <= of_0[10] ? {1'b1, leaves} : {2'b00, of_0[16:13]};
        end
    end
    always @* begin
        assert (makes == (ordered || moved));
        if (ordered) begin
            // An order moves nothing: the null move, or a pawn drop that is found later.
            assert (op_squares == 0 && op_rest == {7'd0, mate, 10'd0});
            assert (op_inject == inject && op_tag == tag);
            assert (!picked);
        end else if (moved) begin
            assert ({op_rest, op_squares} == move);
            assert (!op_inject && {op_tag[21:11], op_tag[4:0]} == {tag[21:11], tag[4:0]});
            if (op_tag[2:0] != 0 && !op_tag[2]) assert (op_tag[10:5] == tag[10:5]);
            assert (picked == last_one);
            // The rest of a group from which one move was wanted.
            if (picked) assert (left == several && rest == remains && rest_at == move_at);
        end else assert (!picked && !op_inject && op_tag[4:0] == 0);
    end
    // The position is read for the right node.
    always @* if (moves) assert ((more ? rest_node : next_node) == of_0[3:0]);
    // The unit reads again what it must.
    wire [READING - 1:0] newest_of = groups == 3 ? of_2 : of_1;
    always @* if (!coming_free) assert (coming_at == address(newest_of));

    // What holds in between (for induction): the groups are in the rest, the next one and the one that comes, in order.
    wire [1:0] at_next = more, at_coming = more + next_valid;
    wire [GROUP - 1:0] next_group = more ? group_1 : group_0;
    wire [READING - 1:0] its_next_of = more ? of_1 : of_0;
    wire [GROUP - 1:0] coming_group = at_coming == 0 ? group_0 : at_coming == 1 ? group_1 : group_2;
    wire [READING - 1:0] its_coming_of = at_coming == 0 ? of_0 : at_coming == 1 ? of_1 : of_2;
    always @* begin
        assert (next_valid == wanted(next_of) && coming_valid == wanted(coming_of) && more == state[153]);
        assert (rest_node == rest_of[3:0] && next_node == next_of[3:0] && coming_at == address(coming_of));
        assert (more + next_valid + coming_valid == groups);
        assert (ring == leaves);
        if (more) assert (rest == group_0 && rest_of == of_0 && !one);
        if (next_valid) assert (next == next_group && next_of == its_next_of);
        if (coming_valid) assert (group == coming_group && coming_of == its_coming_of);
        if (more) assert (next_valid || !coming_valid || fresh);
        if (coming_valid && !fresh) assert (next_valid);
        if (fresh) assert (coming_valid);
        if (groups > 0) assert (wanted(of_0) && group_0[80:0] != 0 && proper(of_0));
        if (groups > 1) assert (wanted(of_1) && group_1[80:0] != 0 && proper(of_1));
        if (groups > 2) assert (wanted(of_2) && group_2[80:0] != 0 && proper(of_2));
    end

    always @(posedge clock) begin
        // Three groups of one leaf each in three clocks, one of several moves from which one is picked, an order between.
        cover (moved && $past(moved) && $past(moved, 2) && tag[0] && $past(tag[0]) && move != $past(move) && leaves == 3);
        cover (picked && left && rest[80:0] == 81'h1_0000_0000 && op_tag[1] && $past(ordered) && $past(moved, 2));
        cover (groups == 3 && ordering);
    end
endmodule
