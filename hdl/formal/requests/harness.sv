// Any positions, requested at any time that the handshake allows, beside lists of those that are under way. The pipeline, the bank,
// the answers and resets are arbitrary.

module harness(
    input clock, input reset, input start, input want_records, input blocked, input retire, input loads, input stored,
    input [5:0] groups, input room, input decided, input [9:0] moves, input with_scores, input [10:0] base, input [10:0] complete
);
    localparam PLACES = 1024, MAX_MOVES = 593, AIM = 8'b11; // leaf, child
    wire ready, root_node, root_leaf, turn, faults_found, waits, gives, scoring, node_free;
    wire [1:0] start_slot, slot, fault_slot, oldest, given;
    wire [23:0] job;
    request_entry entry(
        .clock(clock), .reset(reset), .start(start), .want_records(want_records), .blocked(blocked), .node_free(node_free),
        .job_given(gives), .retire(retire), .ready(ready), .start_slot(start_slot), .root_node(root_node), .root_leaf(root_leaf),
        .turn(turn), .slot(slot), .faults_found(faults_found), .fault_slot(fault_slot), .oldest(oldest), .waits(waits)
    );
    request_jobs jobs(
        .clock(clock), .reset(reset), .start(start), .want_records(want_records), .loads(loads), .stored(stored),
        .groups(groups), .room(room), .decided(decided), .moves(moves), .with_scores(with_scores), .base(base),
        .complete(complete), .job(job), .gives(gives), .scoring(scoring), .given(given), .node_free(node_free)
    );
    wire enters = root_node || root_leaf;

    // Clocks since the last start and job, up to 15; since the last clock that was blocked, up to seven.
    reg [3:0] since_start = 15, since_job = 15;
    reg [2:0] since_blocked = 7;
    always @(posedge clock) begin
        since_start <= reset ? 4'd15 : start ? 4'd1 : since_start + (since_start != 15);
        since_job <= reset ? 4'd15 : gives ? 4'd1 : since_job + (since_job != 15);
        since_blocked <= blocked ? 3'd1 : since_blocked + (since_blocked != 7);
    end

    // The specification: positions that are under way (the last ones of those that started), and those among them that were not
    // looked at; which of them wants its moves.
    reg [2:0] alive = 0, waiting = 0;
    reg [1:0] last = 3; // slot of the last one
    reg [3:0] wants = 0;
    wire [1:0] next = last + 2'd1, looked_at = next - waiting[1:0], first = next - alive[1:0];
    // All is known of the one that is looked at; since when, up to three clocks.
    wire known = waiting != 0 && decided;
    reg [1:0] known_clocks = 0;
    wire looks = known && known_clocks == 3;
    wire passes = looks && moves == 0;
    wire done = gives || passes;
    always @(posedge clock) begin
        alive <= reset ? 3'd0 : alive + start - retire;
        waiting <= reset ? 3'd0 : waiting + start - done;
        last <= reset ? 2'd3 : last + start;
        if (start) wants[next] <= want_records;
        known_clocks <= reset || done || !known ? 2'd0 : known_clocks + (known_clocks != 3);
    end
    // The position that is to enter; the null move that is to follow, and clocks since the entry, up to seven.
    reg to_enter = 0, to_turn = 0;
    reg [1:0] turn_slot;
    reg [2:0] turn_clocks = 0;
    always @(posedge clock) begin
        to_enter <= !reset && (start || (to_enter && !enters));
        to_turn <= !reset && (enters || (to_turn && !turn));
        if (enters) turn_slot <= last;
        turn_clocks <= enters ? 3'd1 : turn_clocks + (turn_clocks != 7);
    end
    // The node: the position whose moves are still to be made.
    reg node = 0, to_load = 0, node_loaded, node_stored;
    reg [5:0] node_groups;
    always @(posedge clock) begin
        to_load <= !reset && (root_node || (to_load && !loads));
        if (loads) node_loaded <= 1;
        if (stored && node_loaded && !node_stored) begin
            node_stored <= 1;
            node_groups <= groups;
        end
        if (done && waiting == 1) node <= 0;
        if (start && want_records) begin
            node <= 1;
            {node_loaded, node_stored} <= 0;
        end
        if (reset) node <= 0;
    end
    // Moves of all jobs, and whether those of the last one have scores.
    reg [10:0] total = 0;
    reg scored = 0;
    always @(posedge clock) begin
        if (gives) scored <= with_scores;
        total <= reset ? 11'd0 : gives ? total + moves : total;
    end

    // What the others do. The client starts two clocks behind `ready` or later.
    reg offered = 0, may_start = 0;
    always @(posedge clock) begin
        offered <= ready && !start && !reset;
        may_start <= (may_start || offered) && !start && !reset;
    end
    // What is known of a position stays, until the next one is looked at. It comes after all that happens to it; moves are listed where
    // they were wanted. The answers are retired in order, each after its moves. A position that enters blocks the way once, a fixed
    // number of clocks later. The bank takes the planes of each node once.
    reg known_before = 0, reset_before = 1, with_scores_before;
    reg [9:0] moves_before;
    reg [10:0] base_before, complete_before, total_before;
    always @(posedge clock) begin
        known_before <= known && !done && !reset;
        moves_before <= moves;
        with_scores_before <= with_scores;
        base_before <= base;
        complete_before <= complete;
        total_before <= total;
        reset_before <= reset;
    end
    wire [10:0] asked = total - base, made = complete - base; // moves of the answers that are not done with
    wire [10:0] asked_before = total_before - base_before, made_before = complete_before - base_before;
    wire [10:0] base_grows = base - base_before, made_grows = complete - complete_before;
    always @* begin
        if (start) assume (may_start);
        if (known_before) assume (decided && moves == moves_before && with_scores == with_scores_before);
        if (known && waiting == 1) assume (!to_enter && !to_turn && !to_load);
        if (known) assume (moves <= MAX_MOVES && (moves == 0 || wants[looked_at]));
        if (retire) assume (alive > waiting);
        if (blocked) assume (since_blocked == 7);
        if (loads) assume (to_load);
        if (reset_before) assume (base == 0 && complete == 0);
        else assume (base_grows <= made_before && made_grows <= asked_before - made_before);
    end

    // Entry. Starts are nine clocks apart, in free slots in turn; each position enters once, never while blocked; its null move
    // follows once, six clocks later or more, in its slot. (So positions enter at least seven clocks apart, and so do their blocked
    // clocks.) All this is over within ten clocks. Faults are known eleven clocks after the start.
    reg [10:0] starts = 0;
    reg [21:0] start_slots;
    always @(posedge clock) begin
        starts <= reset ? 11'd0 : {starts[9:0], start};
        start_slots <= {start_slots[19:0], next};
    end
    reg [2:0] since_entry = 7;
    always @(posedge clock) since_entry <= enters || reset ? (reset ? 3'd7 : 3'd1) : since_entry + (since_entry != 7);
    always @* begin
        if (start) assert (since_start >= 9 && since_job >= 12 && start_slot == next && alive < 4);
        if (start) assert (!to_enter && !(to_turn && !turn));
        assert (!(root_node && root_leaf) && !(enters && turn));
        if (enters) assert (to_enter && slot == last && root_node == wants[last] && !blocked && since_entry == 7);
        if (turn) assert (to_turn && slot == turn_slot && !blocked && turn_clocks >= 6);
        if (to_enter) assert (since_start <= 2);
        if (to_turn) assert (since_start <= 9);
        assert (waits == (alive != 0) && alive <= 4);
        if (waits) assert (oldest == first);
        assert (faults_found == starts[10]);
        if (faults_found) assert (fault_slot == start_slots[21:20]);
    end
    // A position may start soon after nothing speaks against it.
    reg [3:0] free_clocks = 0;
    always @(posedge clock)
        free_clocks <= reset || start || gives || node || alive == 4 ? 4'd0 : free_clocks + (free_clocks != 10);
    always @* if (free_clocks == 10) assert (ready);

    // Jobs: of each node once, in order, when all is known of it and stored, with places for its moves and room; moves with
    // scores follow moves without, and the other way, only when these are complete.
    wire [10:0] asked_then = asked + moves;
    wire may_give =
        known && moves != 0 && node_stored && asked_then <= PLACES && (scored == with_scores || complete == total) && room;
    reg [2:0] may_give_clocks = 0;
    always @(posedge clock)
        may_give_clocks <= may_give && !gives && !reset ? may_give_clocks + (may_give_clocks != 4) : 3'd0;
    always @* begin
        if (gives) assert (may_give && node && waiting == 1 && job == {AIM, node_groups - 6'd1, 6'd0, 2'd0, looked_at});
        if (may_give && may_give_clocks == 4) assert (gives);
        assert (given == looked_at && scoring == scored);
        assert (node_free == !node && waiting <= alive);
        if (start) assert (!node);
    end

    // What holds in between (for induction).
    wire [1:0] dut_next, dut_entering, dut_faulted, dut_first, dut_node, dut_age;
    wire [2:0] dut_alive, dut_waiting, dut_turn_in;
    wire [3:0] dut_pause;
    wire dut_enters, dut_keeps, dut_turns, dut_fits, dut_drained, dut_any_moves, dut_any_scores, dut_pending;
    wire [10:0] dut_starts, dut_total, dut_total_next;
    wire [5:0] dut_groups;
    integer i;
    reg [1:0] faulted, one;
    always @* begin
        assert (dut_next == next && dut_alive == alive && dut_waiting == waiting && dut_first == first);
        assert (dut_starts == starts && dut_total == total && dut_age == known_clocks);
        faulted = next;
        for (i = 0; i < 11; i = i + 1) begin
            faulted = faulted - starts[i];
            if (starts[i]) assert (start_slots[2 * i +: 2] == faulted);
        end
        assert (dut_faulted == faulted);
        for (i = 0; i < 11; i = i + 1) assert (starts[i] == (since_start == i + 1) || (i > 8 && since_start < i - 7));
        assert (since_start != 0 && since_job != 0 && since_blocked != 0 && since_entry != 0 && turn_clocks <= 7);

        // Entry.
        assert (dut_enters == to_enter && !(to_enter && to_turn));
        if (to_enter) assert (dut_keeps == wants[last] && dut_entering == last && since_entry == 7);
        if (to_enter) assert (since_start == 1 || (since_start == 2 && since_blocked == 1));
        if (to_turn) assert (dut_entering == turn_slot && turn_slot == last && since_entry == turn_clocks && turn_clocks != 0);
        assert (dut_turn_in == (to_turn && turn_clocks < 6 ? 3'd6 - turn_clocks : 3'd0));
        assert (dut_turns == (to_turn && turn_clocks >= 6));
        if (to_turn && turn_clocks < 7)
            assert (since_start == turn_clocks + 1 || (since_start == turn_clocks + 2 && since_blocked == (turn_clocks + 1)));
        if (to_turn && turn_clocks == 7) assert ((since_start == 8 || since_start == 9) && since_blocked == 1);
        if (!to_turn && !to_enter) assert (since_start >= 8 && since_entry == 7);
        assert (since_job == 15 || since_start == 15 || since_start >= since_job + 8 || since_job >= since_start + 12);
        assert (dut_pause == (since_start < 6 ? 4'd6 - since_start : since_job < 9 ? 4'd9 - since_job : 4'd0));
        if (ready) assert (alive < 4 && !node && since_start >= 7 && since_job >= 10);
        if (offered) assert (alive < 4 && !node && since_start >= 8 && since_job >= 11);
        if (may_start) assert (alive < 4 && !node && since_start >= 9 && since_job >= 12);
        assert (free_clocks <= 10);
        if (free_clocks >= 1) assert (since_start > free_clocks && since_job > free_clocks);

        // Jobs.
        assert (asked <= PLACES && made <= asked);
        for (i = 0; i < 4; i = i + 1) begin
            one = looked_at + i;
            if (i < waiting && wants[one]) assert (node && i + 1 == waiting);
        end
        if (node) assert (waiting != 0 && wants[last]);
        assert (dut_node == (!node ? 2'd0 : !node_loaded ? 2'd1 : !node_stored ? 2'd2 : 2'd3));
        if (node && node_stored) assert (dut_groups == node_groups && node_loaded);
        if (node && !node_loaded) assert (to_load || (to_enter && wants[last]));
        if (to_load) assert (!to_enter && node && !node_loaded);
        if (to_enter || to_turn || to_load) assert (waiting != 0);
        if (to_enter && wants[last]) assert (node && !node_loaded);
        if (known_clocks != 0) assert (known_before);
        if (known_clocks >= 1) assert (dut_total_next == total + moves_before && (!dut_drained || complete == total));
        if (known_clocks >= 2 && dut_fits) assert (asked + moves_before <= PLACES);
        if (known_clocks >= 1) assert (dut_any_moves == (moves_before != 0) && dut_any_scores == with_scores_before);
        if (dut_pending) assert (known_clocks == 3 && node && node_stored && dut_any_moves && dut_fits);
        if (dut_pending) assert (dut_drained || scored == with_scores_before);
        if (may_give_clocks >= 1) assert (known_clocks >= may_give_clocks || known_clocks == 3);
        if (may_give_clocks == 4) assert (dut_pending);
        if (may_give_clocks >= 2) assert (dut_fits && (dut_drained || scored == with_scores_before));
        if (known_before && waiting == 1) assert (!to_enter && !to_turn && !to_load);
    end

    always @(posedge clock) begin
        cover (alive == 4 && waiting == 3 && to_turn && turn_clocks == 7);
        cover (gives && looked_at == 1 && node_groups == 7);
        cover (start && since_job == 12 && alive == 1);
        cover (passes && node && !node_stored);
    end
endmodule
