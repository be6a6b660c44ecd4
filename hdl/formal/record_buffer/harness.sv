// One record, of any move, is watched from its arrival until it is taken; the pipeline and the caller are arbitrary.

module harness(
    input clock, input [511:0] position, input start, input want_records, input record_next, input watch_now
);
    wire ready, done, record_valid;
    wire [4:0] faults;
    wire [9:0] count;
    wire [15:0] result;
    wire [31:0] record;
    movegen_unit dut(
        .clock(clock), .position(position), .start(start), .requests$want_records(want_records),
        .requests$ready(ready), .requests$done(done), .requests$faults(faults), .requests$count(count),
        .requests$result(result), .records$data(record), .records$valid(record_valid), .records$take(record_next),
        .walk$start(1'b0), .walk$depth(4'd0), .walk$stop(1'b0)
    );
    // The block's own, see the script.
    wire [2:0] state;
    wire [47:0] checked;
    wire arrives, fetched;
    wire [9:0] moves_left, write_at, read_at;
    localparam SERIALISE = 4;

    // The specification: records that arrived and that were taken since the start.
    reg [9:0] arrived = 0, taken = 0;
    wire takes = record_valid && record_next;
    wire begins = ready && start;
    always @(posedge clock) begin
        arrived <= begins ? 10'd0 : arrived + arrives;
        taken <= begins ? 10'd0 : taken + takes;
    end
    // As many records arrive as there are moves (proof serialise), while they are being taken out.
    always @* if (arrives) assume (state == SERIALISE && arrived < count);

    // The watched record: the one in the tag, and in its flags whether the move checks.
    reg watched = 0;
    reg [9:0] place;
    reg [31:0] its_record;
    always @(posedge clock) begin
        if (begins) watched <= 0;
        else if (!watched && arrives && watch_now) begin
            watched <= 1;
            place <= arrived;
            its_record <= checked[47:16] | (checked[3] ? 32'h0004_0000 : 32'd0);
        end
    end

    // It comes out in its turn, unchanged; nothing comes out that has not arrived; what has arrived shows after two
    // clocks at most; and the unit is ready again once all are out.
    reg [1:0] waits = 0; // clocks without `record_valid` though there is a record
    always @(posedge clock) waits <= begins || record_valid || taken == arrived ? 2'd0 : waits + (waits != 3);
    wire serialising = state == SERIALISE;
    always @* begin
        if (takes && watched && taken == place) assert (record == its_record);
        if (record_valid) assert (taken < arrived);
        assert (waits < 2);
        if (serialising) assert (moves_left == count - taken && taken <= count);
        else assert (taken == arrived);
    end
    reg serialising_before = 0, all_taken_before = 0;
    always @(posedge clock) begin
        serialising_before <= serialising;
        all_taken_before <= taken == count;
    end
    always @* if (serialising_before) assert (ready == all_taken_before);

    // What holds in between (for induction).
    reg [31:0] peek_buffer [0:1023];
    wire [31:0] stored = peek_buffer[place];
    always @* begin
        assert (state <= SERIALISE && ready == (state == 0));
        assert (arrived == write_at && taken == read_at);
        if (!serialising && !ready) assert (arrived == 0);
        assert (taken <= arrived);
        if (serialising) assert (arrived <= count);
        if (fetched) assert (serialising && taken < arrived);
        if (watched) begin
            assert (place < arrived);
            if (serialising) assert (stored == its_record);
        end
        assert (!record_valid || fetched);
        if (waits != 0) assert (!serialising || record_valid);
    end

    always @(posedge clock) begin
        cover (takes && watched && place == 2 && taken == 2 && its_record == 32'h1234_5678);
        cover (ready && serialising_before && count == 3);
    end
endmodule
