// One record, of any move, is watched from its arrival until it is taken, or a reset; the pipeline, the caller and resets are
// arbitrary.

module harness(
    input clock, input reset, input [511:0] position, input start, input want_records, input record_next, input watch_now
);
    wire ready, done, record_valid;
    wire [4:0] faults;
    wire [9:0] count;
    wire [15:0] result;
    wire [31:0] record;
    movegen_unit dut(
        .clock(clock), .reset(reset), .position(position), .start(start), .requests$want_records(want_records),
        .requests$ready(ready), .requests$done(done), .requests$faults(faults), .requests$count(count),
        .requests$result(result), .records$data(record), .records$valid(record_valid), .records$take(record_next),
        .walk$start(1'b0), .walk$depth(4'd0), .walk$stop(1'b0)
    );
    // The block's own, see the script.
    wire [2:0] state;
    wire [31:0] made;
    wire [31:0] on_the_way_0, on_the_way_1, on_the_way_2, on_the_way_3, on_the_way_4;
    wire arrives, in_check, fetched;
    wire [9:0] moves_left, write_at, read_at;
    localparam STORE = 3, GIVE = 4;

    // The specification: records that arrived and that were taken since the start.
    reg [9:0] arrived = 0, taken = 0;
    wire takes = record_valid && record_next;
    wire begins = ready && start;
    always @(posedge clock) begin
        arrived <= begins || reset ? 10'd0 : arrived + arrives;
        taken <= begins || reset ? 10'd0 : taken + takes;
    end
    // As many records arrive as there are moves (proofs bank, fetch and pick), while they are being taken out.
    // No record comes in the last clock of a reset, in whose clocks no more is looked at.
    always @* if (arrives) assume (state == GIVE && arrived < count && !reset);

    // The watched record: that of the position which entered the pipeline five clocks ago, and in its flags whether the
    // move checks.
    reg [159:0] made_before = 0;
    always @(posedge clock) made_before <= {made_before[127:0], made};
    reg watched = 0;
    reg [9:0] place;
    reg [31:0] its_record;
    always @(posedge clock) begin
        if (begins || reset) watched <= 0;
        else if (!watched && arrives && watch_now) begin
            watched <= 1;
            place <= arrived;
            its_record <= made_before[159:128] | (in_check ? 32'h0004_0000 : 32'd0);
        end
    end

    // It comes out in its turn, unchanged; nothing comes out that has not arrived; what has arrived shows after two
    // clocks at most; and the unit is ready again once all are out.
    reg [1:0] waits = 0; // clocks without `record_valid` though there is a record
    always @(posedge clock) waits <= begins || reset || record_valid || taken == arrived ? 2'd0 : waits + (waits != 3);
    wire giving = state == GIVE;
    always @* begin
        if (takes && watched && taken == place) assert (record == its_record);
        if (record_valid) assert (taken < arrived);
        assert (waits < 2);
        if (giving) assert (moves_left == count - taken && taken <= count);
        else assert (taken == arrived);
        if (state == STORE) assert (moves_left == count && taken == 0);
    end
    reg giving_before = 0, all_taken_before = 0;
    always @(posedge clock) begin
        giving_before <= giving && !reset;
        all_taken_before <= taken == count;
    end
    always @* if (giving_before) assert (ready == all_taken_before);

    // What holds in between (for induction).
    reg [31:0] peek_buffer [0:1023];
    wire [31:0] stored = peek_buffer[place];
    always @* begin
        assert ({on_the_way_4, on_the_way_3, on_the_way_2, on_the_way_1, on_the_way_0} == made_before);
        assert (state <= GIVE && ready == (state == 0));
        assert (arrived == write_at && taken == read_at);
        if (!giving && !ready) assert (arrived == 0);
        assert (taken <= arrived);
        if (giving) assert (arrived <= count);
        if (fetched) assert (giving && taken < arrived);
        if (watched) begin
            assert (place < arrived);
            if (giving) assert (stored == its_record);
        end
        assert (!record_valid || fetched);
        if (waits != 0) assert (!giving || record_valid);
    end

    always @(posedge clock) begin
        cover (takes && watched && place == 2 && taken == 2 && its_record == 32'h1234_5678);
        cover (ready && giving_before && count == 3);
    end
endmodule
