// Any tags in each clock: which position orders the test of a pawn drop, and what the bank is told of it.

module harness(
    input clock, input root_node, input root_leaf, input turn, input [1:0] slot, input [21:0] counted, input may_mate,
    input loads, input [21:0] result, input write_back, input begins
);
    wire [23:0] order;
    wire valid, tests_node;
    wire [5:0] from, command;
    orders first(
        .clock(clock), .root_node(root_node), .root_leaf(root_leaf), .turn(turn), .slot(slot), .counted(counted),
        .may_mate(may_mate), .order(order), .valid(valid), .from(from), .tests_node(tests_node)
    );
    bank_commands second(
        .loads(loads), .result(result), .tests_node(tests_node), .write_back(write_back), .begins(begins), .command(command)
    );
    // Of a tag: leaf, node, child, turned, mate, row, check, count.
    wire of_leaf = counted[0], of_node = counted[1], of_child = counted[2], is_test = counted[4];
    // A test has no test of its own. Of the position after a move only whether it has an answer counts.
    wire tests = may_mate && !is_test && (of_node || (of_leaf && !of_child));
    always @* assume (tests + turn + (root_node || root_leaf) <= 1);

    reg begun = 0, tested, ordered, of_root, turns, node, leaf;
    reg [5:0] row;
    always @(posedge clock) begin
        begun <= 1;
        tested <= tests;
        of_root <= root_node || root_leaf;
        turns <= turn;
        node <= tests ? of_node : root_node;
        leaf <= tests ? of_leaf : root_leaf;
        row <= tests ? counted[10:5] : {4'd0, slot};
    end
    always @* if (begun) begin
        assert (valid == (tested || of_root || turns) && valid == order[0]);
        if (valid) begin
            // The order: inject, leaf, node, no child, turned, mate, row; not yet check and count.
            assert (order[1] == of_root && order[3:2] == {node, leaf} && !order[4] && order[5] == turns);
            assert (order[6] == tested && order[12:7] == row && order[23:13] == 0 && from == row);
        end
        assert (tests_node == (tested && node));
        // The bank waits where a drop of a node is tested; it is told the result of that test, and mate where no answer is.
        assert (command[0] == loads && command[1] == tests_node && command[4] == write_back && command[5] == begins);
        assert (command[2] == (result[4] && result[1]));
        assert (command[3] == (result[4] && result[1] && result[21:12] == 0));
    end

    always @(posedge clock) begin
        cover (begun && tested && node && command[3] && !command[0]);
        cover (begun && tested && leaf && from == 6'd37);
    end
endmodule
