// Any walk of any tree, beside a list of the children that one node, any, has left.

module harness(
    input clock, input active, input stopping, input begins, input room, input picked, input left, input stored,
    input [5:0] groups
);
    // The port glue: all that depends on how the block is laid out.
    localparam PLIES = 6, STATE = 240;
    (* anyconst *) wire [2:0] last_ply, shared_ply;
    (* anyconst *) wire shares;
    (* anyconst *) wire [1:0] unit, last_unit;
    always @* assume (last_ply <= PLIES && unit <= last_unit);
    wire [23:0] job;
    wire idle;
    wire [STATE - 1:0] state;
    schedule dut(
        .clock(clock), .active(active), .stopping(stopping), .last_ply(last_ply), .shares(shares), .shared_ply(shared_ply),
        .unit(unit), .last_unit(last_unit), .begins(begins), .room(room), .picked(picked), .left(left),
        .stored(stored), .groups(groups), .state_in(state), .job(job), .idle(idle), .state(state)
    );
    // A node's number is its ply, with its context above.
    wire [3:0] job_node = job[3:0], job_to = job[22:19];
    wire [5:0] job_first = job[9:4], job_last = job[15:10];
    wire job_leaf = job[16], job_one = job[18], job_skip = job[23];
    wire walks = job_leaf || job_one;

    // What the others do. The root comes outside a walk, and a walk begins with it. A walk ends when the schedule is idle. One
    // move is picked for each job for one; then its node is stored, unless it is another unit's. Outside a walk other nodes
    // may be stored, those of requests.
    reg active_before = 0, stopping_before = 0, begins_before = 0;
    reg asked = 0, awaited = 0, is_root = 0, skips;
    reg [3:0] parent, to;
    wire comes = stored && awaited;
    always @(posedge clock) begin
        active_before <= active;
        stopping_before <= stopping;
        begins_before <= begins;
        if (job_one) begin
            asked <= 1;
            skips <= job_skip;
            parent <= job_node;
            to <= job_to;
        end
        if (picked) begin
            asked <= 0;
            awaited <= !skips;
        end
        if (comes) awaited <= 0;
        if (stopping) {asked, awaited} <= 0;
        if (begins) {asked, awaited} <= 1;
        if (begins || job_one) is_root <= begins;
    end
    always @* begin
        if (active && !active_before) assume (begins_before);
        if (!active && active_before) assume (idle);
        if (begins) assume (!active);
        if (stopping) assume (active);
        if (stopping_before && active) assume (stopping);
        if (picked) assume (asked);
        if (stored) assume (awaited || !active);
        assume (groups <= 47);
    end

    // Jobs of a walk come three clocks apart, each where there was room two clocks before, and for one thing; never one for
    // a node while another node is under way.
    reg [1:0] since = 3; // clocks since the last one
    reg [1:0] room_before = 0;
    reg [1:0] landed = 3; // clocks since a node was stored, or a move of another unit's picked
    always @(posedge clock) begin
        landed <= comes || (picked && skips) ? 2'd1 : landed + (landed != 3);
        since <= walks ? 2'd1 : since + (since != 3);
        room_before <= {room_before[0], room};
    end
    always @* begin
        assert (job_leaf + job_one <= 1 && !job[17]);
        if (walks) assert (since == 3 && room_before[1] && active_before && !stopping_before);
        if (job_one) assert (!asked && !awaited);
        // The next one is three clocks later (constant NEXT_NODE of the bank).
        if (job_one) assert (landed == 3);
        // A child is one ply below its node, of the same context; the root is all contexts'.
        if (walks) assert (job_node[2:0] <= last_ply && (job_node[2:0] != 0 || job_node == 0));
        if (job_one) assert (job_to[2:0] == job_node[2:0] + 1 && (job_node == 0 || job_to[3] == job_node[3]));
        // Children of the nodes of the last ply are leaves, and no others.
        if (walks) assert (job_leaf == (job_node[2:0] == last_ply));
    end

    // The watched node: the group of its next child, the last one, and the unit that the child belongs to.
    (* anyconst *) wire [3:0] watched;
    always @* assume (watched[2:0] <= PLIES && (watched[2:0] != 0 || watched == 0));
    reg live = 0; // it has children that are not taken
    reg stopped = 0;
    reg [5:0] next, last;
    reg [1:0] turn;
    wire lands = comes && (is_root ? watched == 0 : to == watched);
    wire taken = picked && parent == watched;
    wire gone = job_leaf && job_node == watched;
    wire [1:0] flight_turn;
    always @(posedge clock) begin
        stopped <= !begins && (stopped || stopping);
        if (taken) begin
            turn <= turn == last_unit ? 2'd0 : turn + 1'd1;
            if (!left) next <= next + 1'd1;
            if (!left && next == last) live <= 0;
        end
        if (gone) live <= 0;
        if (lands) begin
            live <= active && groups != 0;
            next <= 0;
            last <= groups - 1'd1;
            turn <= is_root ? 2'd0 : flight_turn;
        end
        if (begins || stopping) live <= 0;
    end
    always @* begin
        // Its next child becomes a node, or all its children are leaves.
        if (walks && job_node == watched && !stopped) assert (live && job_first == next && job_last == (job_one ? next : last));
        // The child is left out if it is another unit's.
        if (job_one && job_node == watched && !stopped)
            assert (job_skip == (shares && watched[2:0] == shared_ply && turn != unit));
        // Another node takes its place only when all its children are taken; so does the end of the walk.
        if (lands) assert (!live);
        if (idle) assert (!live);
    end

    // A stop leaves nothing.
    reg [1:0] stop_clocks = 0;
    always @(posedge clock) stop_clocks <= stopping ? stop_clocks + (stop_clocks != 3) : 2'd0;
    always @* if (stop_clocks == 3) assert (idle && !walks);

    // Where there is room and no node is under way, there is a job in time, as long as a context has something to look at.
    wire flies;
    wire [1:0] waits, steps;
    wire [2:0] ply_0, ply_1;
    reg [5:0] dry = 0;
    wire [5:0] above = (waits[0] ? ply_0 + 6'd1 : 6'd0) + (waits[1] ? ply_1 + 6'd1 : 6'd0);
    always @(posedge clock) begin
        if (!active || !room || stopping || flies || walks || waits == 0) dry <= 0;
        else if (dry != 0 || steps == 0) dry <= dry + 1'd1;
    end
    always @* assert (dry <= 3 * 2 * (PLIES + 1) + 1);

    // What holds in between (for induction).
    wire [1:0] inner = {state[5], state[0]}, leaves = {state[6], state[1]};
    assign ply_0 = state[4:2], ply_1 = state[9:7];
    assign flies = state[205];
    wire flight_root = state[206], flight_skip = state[212];
    wire [1:0] flight_context = state[208:207];
    wire [2:0] flight_ply = state[211:209];
    assign flight_turn = state[214:213];
    wire [14:0] kept_parent = state[229:215];
    assign steps = state[233:232];
    wire [1:0] chosen = state[235:234];
    wire chosen_inner = state[236];
    wire [2:0] chosen_ply = state[239:237];
    wire [14:0] node = watched == 0 ? state[24:10] : state[15 * (watched[2:0] - 1 + (watched[3] ? PLIES : 0)) + 25 +: 15];
    wire acts = steps[0], rests = steps[1];
    assign waits = inner | leaves;
    wire [1:0] below = flies && !flight_root ? flight_context : 2'd0; // their nodes are under way
    wire [1:0] there = waits | below;
    wire its_there = watched[3] ? there[1] : there[0];
    wire [2:0] its_ply = watched[3] ? ply_1 : ply_0;
    wire has = live && !gone; // it has children, and they are not asked for in this clock
    // The node is of the way down to where its context is.
    wire on_way = watched == 0 ? there != 0 : its_there && watched[2:0] <= its_ply;
    always @* begin
        assert (flies == (job_one || asked || awaited));
        if (flies) assert (flight_root == (is_root && !job_one));
        if (flies && !flight_root) begin
            assert (flight_context == 1 || flight_context == 2);
            assert (flight_skip == (job_one ? job_skip : skips));
            assert ((job_one ? job_to : to) == {flight_context[1], flight_ply + 3'd1});
            assert ((job_one ? job_node : parent) == (flight_ply == 0 ? 4'd0 : {flight_context[1], flight_ply}));
            assert (flight_ply < last_ply && flight_ply == (flight_context[1] ? ply_1 : ply_0));
            if (awaited) assert (!flight_skip);
        end
        if (asked) assert (!awaited && !is_root);
        if (flies && flight_root) assert (waits == 0 && steps == 0);
        assert ((inner & leaves) == 0 && (waits & below) == 0);
        if (waits[0]) assert (leaves[0] == (ply_0 == last_ply));
        if (waits[1]) assert (leaves[1] == (ply_1 == last_ply));
        assert (ply_0 <= last_ply && ply_1 <= last_ply);
        assert (steps != 3);
        if (acts) begin
            assert ((chosen == 1 || chosen == 2) && (stopping_before || (chosen & waits) == chosen));
            if (!stopping_before) begin
                assert (chosen_inner == ((chosen & inner) != 0) && chosen_ply == (chosen[1] ? ply_1 : ply_0));
                assert (room_before[0]);
            end
            if (chosen_inner) assert (!flies && landed >= 2);
            assert (since >= 2);
        end
        if (last_ply == 0) assert (!waits[1] && below == 0);
        if (walks) assert (rests);
        if (steps == 0) assert (since != 0);
        if (!active || !active_before) assert (waits == 0 && steps == 0 && below == 0);
        if (idle && !begins_before) assert (waits == 0 && steps == 0 && (!flies || flight_root));
        if (stopped || stopping_before) assert (waits == 0 && !flies && !live);
        if (stop_clocks != 0) assert (!acts);
        if (stop_clocks > 1) assert (steps == 0);
        if (stop_clocks != 0) assert (!walks && stopped);

        // The watched node.
        if (has) assert (active_before && on_way && next <= last && next == node[5:0] && last == node[11:6]);
        if (has) assert (!node[12] && turn == node[14:13]);
        if (on_way && watched[2:0] != last_ply) assert (node[12] == !live);
        if (on_way && watched[2:0] == last_ply) assert (has && next == 0);
        if (flies && !flight_root && (job_one || asked) && (job_one ? job_node : parent) == watched)
            assert (live && kept_parent == node);
        if (dry != 0) assert (dry + 3 * above <= 3 * 2 * (PLIES + 1) + (acts ? 1 : rests ? -1 : 0));
    end

    always @(posedge clock) begin
        cover (job_leaf && job_node == 4'b1001 && watched == 4'b1001 && last == 4);
        cover (job_one && job_skip);
        cover (idle && active && !stopped && taken_some && last_ply == 1);
    end
    reg taken_some = 0;
    always @(posedge clock) taken_some <= taken_some || (taken && watched == 4'd0 && next == 2);
endmodule
