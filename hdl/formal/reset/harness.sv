// The networks of a unit in a reset, from any state, as an upset may leave it: what they get from the control blocks is that of a
// reset, all else is arbitrary. Afterwards nothing is under way, and nothing comes of it.

module harness(
    input clock, input room, input picked, input left, input stored, input [5:0] groups, input [23:0] job, input advance,
    input [4:0] command, input [23:0] order, input [98:0] group
);
    localparam HELD = 5; // last clocks of the reset, for all but pick
    reg [3:0] clocks = 0;
    always @(posedge clock) if (clocks != 15) clocks <= clocks + 1;
    wire reset = clocks < HELD;

    // The schedule: no walk, no root; and after the reset no move is picked and no node stored, see below.
    (* anyconst *) wire [2:0] last_ply, shared_ply;
    (* anyconst *) wire shares;
    (* anyconst *) wire [1:0] unit, last_unit;
    wire [23:0] next_job;
    wire idle;
    wire [239:0] schedule_state;
    schedule schedule_dut(
        .clock(clock), .active(1'b0), .stopping(reset), .last_ply(last_ply), .shares(shares), .shared_ply(shared_ply),
        .unit(unit), .last_unit(last_unit), .begins(1'b0), .room(room), .picked(picked && reset), .left(left),
        .stored(stored && reset), .groups(groups), .state_in(schedule_state), .job(next_job), .idle(idle), .state(schedule_state)
    );
    always @* if (!reset) assert (idle && next_job[18:16] == 0);

    // Fetch: no job comes after the reset.
    wire [17:0] reading;
    wire [9:0] at;
    wire fetch_room;
    wire [71:0] fetch_state;
    wire [23:0] no_job = {job[23:19], reset ? job[18:16] : 3'b0, job[15:0]};
    fetch fetch_dut(
        .clock(clock), .job(no_job), .stop(reset), .advance(advance), .state_in(fetch_state), .reading(reading), .at(at),
        .room(fetch_room), .state(fetch_state)
    );
    always @* if (!reset) assert (reading[12:10] == 0 && fetch_room);

    // The bank: no planes come in the last clocks of the reset, in which the pipeline is empty, nor after it.
    wire valid, bank_stored;
    wire [98:0] bank_group;
    wire [9:0] bank_at;
    wire [5:0] bank_groups;
    wire [553:0] bank_state;
    wire [5:0] bank_command = {reset, command[4:1], command[0] && clocks < 2};
    bank bank_dut(
        .clock(clock), .command(bank_command), .node(4'd0), .kept(1701'd0), .drops(162'd0), .holds(7'd0), .before_king(81'd0),
        .valid_in(valid), .group_in(bank_group), .state_in(bank_state), .valid(valid), .group(bank_group), .at(bank_at),
        .stored(bank_stored), .groups(bank_groups), .state(bank_state)
    );
    always @* if (!reset) assert (!valid && !bank_stored);

    // Pick has no reset. What it holds is emptied by one move in each clock without an order, and by so many at most.
    localparam MOST = 84 + 82 + 82;
    wire [158:0] pick_state;
    wire [98:0] rest;
    wire makes, pick_picked, pick_left, more, next_valid, coming_valid;
    wire [121:0] op;
    wire [3:0] rest_node, next_node;
    wire [9:0] rest_at, coming_at;
    pick pick_dut(
        .clock(clock), .order(order), .reading(18'd0), .group(group), .state_in(pick_state), .rest_in(rest), .op(op),
        .makes(makes), .picked(pick_picked), .left(pick_left), .state(pick_state), .rest(rest), .more(more),
        .next_valid(next_valid), .coming_valid(coming_valid), .rest_node(rest_node), .next_node(next_node),
        .rest_at(rest_at), .coming_at(coming_at)
    );
    wire [7:0] held = (pick_state[12:10] != 0 ? 8'd84 : 8'd0)
        + (pick_state[129:127] != 0 ? 8'd1 + $countones(pick_state[98:18]) : 8'd0)
        + (pick_state[153] ? 8'd1 + $countones(rest[80:0]) : 8'd0);
    reg [7:0] held_before;
    reg ordered;
    always @(posedge clock) begin
        held_before <= held;
        ordered <= order[0];
    end
    // One step from any state shows it for all.
    always @* begin
        if (clocks == 0) assert (held <= MOST);
        if (clocks == 1) begin
            if (ordered) assert (held <= held_before);
            else assert (held < held_before || held == 0);
            if (held_before == 0) assert (makes == ordered);
        end
    end

    always @(posedge clock) cover (clocks == 1 && held == 0 && held_before == 1 && advance);
endmodule
