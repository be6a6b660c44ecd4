// One entry, written at any moment, is watched from there to its end or a reset; all traffic and resets are arbitrary.

module harness(
    input clock, input reset, input write, input pop, input [28:0] write_head, input [11:0] write_length, input watch_now
);
    wire full, waiting;
    wire [28:0] head;
    wire [11:0] length;
    descriptor_queue dut(
        .clock(clock), .reset(reset), .write(write), .write_head(write_head), .write_length(write_length), .full(full),
        .waiting(waiting), .head(head), .length(length), .pop(pop)
    );
    wire [9:0] written, popped; // the block's own, see the script
    wire fetched;

    // The rest of the chip keeps to the handshake.
    always @* begin
        assume (!(write && full));
        assume (!(pop && !waiting));
    end

    // The specification: how many entries there are, and where among them the watched one is.
    reg [9:0] entries = 0;
    reg watched = 0;
    reg [9:0] ahead;
    reg [28:0] its_head;
    reg [11:0] its_length;
    wire leaves = watched && pop && ahead == 0;
    always @(posedge clock) begin
        entries <= entries + write - pop;
        if (!watched && write && watch_now) begin
            watched <= 1;
            ahead <= entries - pop;
            its_head <= write_head;
            its_length <= write_length;
        end else if (watched && pop) begin
            ahead <= ahead - 1;
            if (leaves) watched <= 0;
        end
        if (reset) begin
            entries <= 0;
            watched <= 0;
        end
    end

    // The flags are exact: an entry that has been the oldest for two clocks waits.
    reg oldest = 0, offered = 0;
    always @(posedge clock) begin
        oldest <= entries != 0 && !pop && !reset;
        offered <= oldest && !pop && !reset;
    end
    always @* begin
        assert (waiting == offered);
        assert (full == (entries == 512));
    end

    // The oldest entry shows while it waits.
    always @* if (waiting && watched && ahead == 0) begin
        assert (head == its_head);
        assert (length == its_length);
    end

    // What holds in between (for induction).
    wire [9:0] place = popped + ahead;
    reg [28:0] peek_heads [0:511];
    reg [11:0] peek_lengths [0:511];
    wire [28:0] stored_head = peek_heads[place[8:0]];
    wire [11:0] stored_length = peek_lengths[place[8:0]];
    always @* begin
        assert (entries <= 512);
        assert (entries == (written - popped) % 1024);
        if (oldest || offered) assert (entries != 0);
        if (offered) assert (oldest);
        assert (fetched == oldest);
        if (watched) begin
            assert (ahead < entries);
            assert (stored_head == its_head);
            assert (stored_length == its_length);
        end
    end

    always @(posedge clock) begin
        cover (leaves && its_head == 29'h1234567 && its_length == 12'h9ab && entries == 3);
    end
endmodule
