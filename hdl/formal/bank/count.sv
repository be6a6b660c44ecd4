// How many groups there are, and when they are written: with any planes, in any clock, and any commands.

module harness(
    input clock, input [5:0] command, input [3:0] node, input [1718:0] kept, input [161:0] drops, input [6:0] holds,
    input [80:0] before_king
);
    // The port glue: all that depends on how the block is laid out.
    localparam FEW = 15, STATE = 644;
    wire load = command[0], may_mate = command[1], tested = command[2], stall = command[4], drop = command[5];
    wire valid, stored;
    wire [98:0] group;
    wire [9:0] at;
    wire [5:0] groups;
    wire [STATE - 1:0] state;
    bank dut(
        .clock(clock), .command(command), .node(node), .kept(kept), .drops(drops), .holds(holds),
        .before_king(before_king), .valid_in(valid), .group_in(group), .state_in(state), .valid(valid), .group(group),
        .at(at), .stored(stored), .groups(groups), .state(state)
    );
    wire [1:0] loaded = state[5:4];
    wire [2:0] tests = state[9:7];
    wire waiting = state[6], was_tested = |tests;
    wire writing = state[11], begun = state[12], few = state[13];
    wire [46:0] left = state[559:513], chosen = state[606:560];
    wire [5:0] next_number = state[637:632];
    function [5:0] count(input [46:0] set);
        integer k;
        begin
            count = 0;
            for (k = 0; k < 47; k = k + 1) count = count + set[k];
        end
    endfunction

    // The specification: groups written since the load, and what is told of them.
    wire forgets = load || drop, writes = valid && !stall;
    wire [5:0] to_write = writing ? count(left) + (chosen != 0) + valid : 6'd0;
    reg [5:0] number = 0;
    reg known = 0; // a node came, and was not forgotten
    reg told = 0, stalled = 0;
    reg [5:0] its_groups;
    // Clocks without a stall since it was stored, the clock before included; no more than 31.
    reg [4:0] progress = 0;
    always @(posedge clock) begin
        number <= load ? 6'd0 : number + writes;
        known <= load || (known && !drop);
        told <= known && !forgets && (told || stored);
        stalled <= valid && stall;
        if (stored) its_groups <= groups;
        if (stored) progress <= 5'd1 + !stalled - (valid && stall);
        else if (!(valid && stall) && progress != 31) progress <= progress + 1'd1;
    end
    always @* begin
        // The node is stored once, when few groups are to be written, and is told how many there are.
        if (stored) begin
            assert (known && !told && to_write <= FEW + stalled);
            assert (groups == to_write + number);
        end
        // So many are written.
        if (told && !writing) assert (number == its_groups);
        // The rest is written in time (constant NEXT_NODE of the block).
        if (told && progress > FEW) assert (to_write == 0 || stored);
    end

    // What holds in between (for induction).
    always @* begin
        assert (loaded[0] + loaded[1] + waiting + tests[0] + tests[1] + tests[2] + writing <= 1);
        assert (groups == state[643:638]);
        if (loaded != 0 || waiting || was_tested) assert (chosen == 0 || loaded[0]);
        if (loaded != 0 || waiting || was_tested) assert (known && !valid && !told && !stored && !few && number == 0);
        if (loaded != 0 || waiting || was_tested || writing) assert (known && next_number == number);
        if (begun) assert (writing);
        if (writing) begin
            if (begun) assert (groups == to_write + number && few == (told || stored));
            else assert (chosen == 0 && !valid && !told && !stored && !few && number == 0);
            if (told) assert (its_groups == groups);
            if (few) assert (count(left) < FEW);
            if (begun && !few) assert (count(left) >= FEW - 1);
            if (told && to_write != 0) assert (to_write + progress <= FEW + 1);
            // The first group is on its way, or all are written.
            if (begun && !valid) assert (chosen != 0 ? number == 0 && !told : left == 0);
            if (begun && chosen == 0) assert (left == 0);
            if (begun && !valid && few) assert (to_write < FEW);
        end
        if (stored && !writing) assert (number == 0 && groups == 0);
        if (!writing) assert (!valid);
    end

    always @(posedge clock) cover (told && !writing && its_groups == 17 && $past(valid && stall, 4));
endmodule
