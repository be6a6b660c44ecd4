// One byte, written at any moment, is watched from there until its frame is forgotten or retired, or a reset; all traffic and
// resets are arbitrary.

module harness(
    input clock, input reset, input write, input [7:0] write_data, input frame_end, input [11:0] keep, input advance, input retire,
    input [11:0] retire_length, input watch_now
);
    wire [7:0] read_data;
    payload_buffer dut(
        .clock(clock), .reset(reset), .write(write), .write_data(write_data), .frame_end(frame_end), .keep(keep), .advance(advance),
        .retire(retire), .retire_length(retire_length), .read_data(read_data)
    );
    wire [12:0] kept, tail, base, cursor; // the block's own, see the script

    // The specification: bytes kept and not retired, bytes of the present frame, and how far the reader is.
    reg [13:0] stored = 0, present = 0;
    reg [12:0] reader = 0;
    always @(posedge clock) begin
        stored <= stored + (frame_end ? keep : 14'd0) - (retire ? retire_length : 14'd0);
        present <= frame_end ? 14'd0 : present + write;
        reader <= retire ? 13'd0 : reader + advance;
        if (reset) {stored, present, reader} <= 0;
    end

    // What the receiver sees to: there is room for each byte, and no frame keeps or gives up more than it has.
    always @* begin
        if (write) assume (stored + present < 8192 && !frame_end);
        if (frame_end) assume (keep <= present);
        if (retire) assume (retire_length <= stored);
    end

    // The watched byte: where it lies, counted from the oldest one that is stored and from the start of its frame.
    reg watched = 0, pending;
    reg [13:0] place, in_frame;
    reg [7:0] its_data;
    always @(posedge clock) begin
        if (!watched) begin
            if (write && watch_now) begin
                watched <= 1;
                pending <= 1;
                place <= stored + present - (retire ? retire_length : 14'd0);
                in_frame <= present;
                its_data <= write_data;
            end
        end else begin
            if (retire) place <= place - retire_length;
            if (frame_end && pending) begin
                pending <= 0;
                if (in_frame >= keep) watched <= 0;
            end
            if (retire && !pending && place < retire_length) watched <= 0;
        end
        if (reset) watched <= 0;
    end

    // Once its frame is kept, the byte shows where it belongs and nowhere else, one clock after the reader got there by
    // `advance`, two after `retire`.
    reg retired = 0;
    always @(posedge clock) retired <= retire;
    always @* if (watched && !pending && !retired && reader == place) assert (read_data == its_data);

    // What holds in between (for induction).
    wire [12:0] address = base + place;
    reg [7:0] peek_ram [0:8191];
    wire [7:0] its_byte = peek_ram[address];
    always @* begin
        assert (stored + present <= 8192 && stored <= 8192 && present <= 8192);
        assert ((kept - base) % 8192 == stored % 8192);
        assert ((tail - kept) % 8192 == present % 8192);
        assert ((cursor - base) % 8192 == reader);
        if (watched) begin
            assert (its_byte == its_data);
            if (pending) assert (in_frame < present && place == stored + in_frame);
            else assert (place < stored);
        end
    end

    always @(posedge clock) begin
        cover (watched && !pending && !retired && reader == place && place == 2 && its_data == 8'ha5 && present == 2);
        cover (retired && watched && !pending && place == 1);
    end
endmodule
