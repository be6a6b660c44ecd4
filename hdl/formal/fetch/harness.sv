// Any jobs while there is room, at any time, beside a queue of jobs that says what is read.

module harness(input clock, input [JOB - 1:0] job, input stop, input advance);
    // The port glue: all that depends on how the block is laid out.
    localparam NODE = 4, GROUP = 6, AIM = 8, JOB = NODE + 2 * GROUP + AIM;
    wire room;
    wire [NODE + GROUP - 1:0] at;
    wire [NODE + GROUP + AIM - 1:0] reading;
    wire [NODE + GROUP + AIM + GROUP + 2 * JOB - 1:0] state;
    fetch dut(
        .clock(clock), .job(job), .stop(stop), .advance(advance), .state_in(state), .reading(reading), .at(at), .room(room),
        .state(state)
    );
    wire [NODE - 1:0] node = reading[3:0];
    wire [GROUP - 1:0] group = reading[9:4];
    wire [AIM - 1:0] aim = reading[17:10];
    // What is wanted: leaves (bit 0) or one move (bit 2).
    wire reads = aim[0] || aim[2];
    wire comes = job[16] || job[18];
    wire [GROUP - 1:0] first = job[9:4], last = job[15:10];
    wire [GROUP - 1:0] kept_last = state[23:18];
    wire [JOB - 1:0] waits_0 = state[47:24], waits_1 = state[71:48];

    // The sender's promise.
    always @* if (comes) assume (room && first <= last);

    // The specification: the jobs that came and are not done, and the next group of the first of them.
    reg [1:0] jobs = 0;
    reg [JOB - 1:0] job_0, job_1, job_2;
    reg [GROUP - 1:0] next;
    wire done = reads && advance && next == job_0[15:10];
    wire [1:0] left = jobs - done;
    wire [JOB - 1:0] left_0 = done ? job_1 : job_0, left_1 = done ? job_2 : job_1;
    always @(posedge clock) begin
        jobs <= stop ? 2'd0 : left + comes;
        job_0 <= left == 0 ? job : left_0;
        job_1 <= left == 1 ? job : left_1;
        if (left != 3) job_2 <= job;
        if (left == 0) next <= first;
        else if (done) next <= job_1[9:4];
        else if (reads && advance) next <= next + 1'd1;
    end

    reg started = 0;
    always @(posedge clock) started <= 1;

    // The group that is read is the next one of the first job. There is one, but for the clock after a job came to none.
    reg none_before = 1;
    always @(posedge clock) none_before <= stop || left == 0;
    always @* begin
        assert (reads == (jobs != 0 && !none_before));
        if (reads) begin
            assert (node == job_0[3:0] && aim == job_0[23:16]);
            assert (group == next && next <= job_0[15:10]);
            assert (at == {node, group});
        end
        // There is room for a third job; not in the first clock after power-on.
        assert (room == (started && jobs != 3));
    end
    // Room is there two clocks later if no job comes: what `schedule` relies on.
    reg [1:0] room_before = 0;
    always @(posedge clock) room_before <= {room_before[0], room} & {2{!comes}};
    always @* if (room_before[1]) assert (room);

    // What holds in between (for induction): the places are filled one after the other.
    wire waits_0_valid = waits_0[16] || waits_0[18], waits_1_valid = waits_1[16] || waits_1[18];
    always @* begin
        assert (reading == state[17:0]);
        assert (reads + waits_0_valid + waits_1_valid == jobs);
        if (waits_1_valid) assert (reads && waits_0_valid && waits_1 == job_2);
        if (waits_0_valid) assert (waits_0 == (reads ? job_1 : job_0));
        if (jobs != 0) assert (job_0[9:4] <= job_0[15:10] && (job_0[16] || job_0[18]));
        if (jobs > 1) assert (job_1[9:4] <= job_1[15:10] && (job_1[16] || job_1[18]));
        if (jobs > 2) assert (job_2[9:4] <= job_2[15:10] && (job_2[16] || job_2[18]));
        if (reads) assert (kept_last == job_0[15:10]);
        else if (jobs != 0) assert (next == job_0[9:4] && jobs == 1);
        assert (room_before[1] <= room && (room_before[0] <= room || jobs == 3));
    end

    always @(posedge clock) begin
        // Two jobs follow each other without a pause, and a third one waits.
        cover (jobs == 3 && done && job_0[9:4] + 3 == job_0[15:10] && job_1 != job_0);
        cover (reads && $past(reads) && $past(done) && job_0[9:4] == 5 && jobs == 2 && $past(jobs) == 2);
        cover (jobs == 0 && $past(jobs) == 3);
    end
endmodule
