// Arbitrary bytes come in and requests are retired at arbitrary times; what becomes of each frame is compared with the
// rules of the protocol. The parts inside (slip, crc32, payload_buffer, descriptor_queue) have proofs of their own; here
// it is shown that the receiver keeps to what those assume.

module harness(input clock, input rx_valid, input [7:0] rx_data, input advance, input retire);
    wire waiting, frame_taken, frame_bad;
    wire [28:0] head;
    wire [11:0] length;
    wire [7:0] data;
    receiver dut(
        .clock(clock), .rx_valid(rx_valid), .rx_data(rx_data), .waiting(waiting), .head(head), .length(length),
        .data(data), .advance(advance), .retire(retire), .frame_taken(frame_taken), .frame_bad(frame_bad)
    );
    // The block's own, see the script.
    wire byte_valid, frame_end, broken, present, crc_valid, crc_clear, buffer_write, buffer_end, buffer_retire;
    wire queue_write, queue_full, queue_pop, lost;
    wire [7:0] byte_data, crc_data, buffer_data, opcode;
    wire [31:0] checksum;
    wire [11:0] buffer_keep, buffer_retire_length, queue_length, count;
    wire [28:0] queue_head;
    wire [15:0] seq, batch, claimed;
    wire [13:0] used;

    localparam HEADER = 8, CRC = 4, MAX_PAYLOAD = 2048, ROOM = 8192, ENTRY = 32;
    localparam OK = 4'd0, BAD_CRC = 4'd1, BAD_LENGTH = 4'd2, BUSY = 4'd4;

    // The specification. What waits: payload bytes and number of sound requests.
    reg [13:0] stored = 0;
    reg [9:0] requests = 0;
    wire [15:0] taken_up = stored + ENTRY * requests;
    // The present frame: bytes (no more than one too many are counted), its header, and whether room ran out.
    reg [11:0] bytes = 0;
    reg [63:0] header = 0;
    reg crowded = 0;
    wire [15:0] payload = bytes - (HEADER + CRC);
    wire [15:0] claim = header[63:48], positions = header[47:32];
    wire [3:0] status =
        bytes < HEADER + CRC || bytes > HEADER + CRC + MAX_PAYLOAD ? BAD_LENGTH :
        broken || checksum != 32'h2144DF1C ? BAD_CRC :
        claim != payload ? BAD_LENGTH :
        crowded || taken_up + payload + ENTRY > ROOM ? BUSY : OK;
    wire sound = frame_end && present && status == OK && !queue_full;
    wire batch_fits = positions != 0 && 64 * positions[9:0] == claim && positions < 1024;
    wire retires_sound = retire && head[27:24] == OK;
    wire too_crowded = byte_valid && bytes >= HEADER && taken_up + bytes - HEADER >= ROOM;
    always @(posedge clock) begin
        stored <= stored + (sound ? payload : 16'd0) - (retires_sound ? length : 12'd0);
        requests <= requests + sound - retires_sound;
        if (frame_end) begin
            bytes <= 0;
            header <= 0;
            crowded <= 0;
        end else if (byte_valid) begin
            if (bytes < HEADER) header[8 * bytes[2:0] +: 8] <= byte_data;
            if (bytes <= HEADER + CRC + MAX_PAYLOAD) bytes <= bytes + 1;
            if (too_crowded) crowded <= 1;
        end
    end

    // The dispatcher retires what waits; the queue gives back what was put in (proof descriptor_queue), so that no more
    // is retired than was stored.
    always @* begin
        if (retire) assume (waiting);
        if (retires_sound) assume (requests != 0 && length <= stored);
        if (retire && !retires_sound) assume (length == 0);
    end

    always @* begin
        // Every frame with a byte in it is either taken or bad, at its end.
        assert (frame_taken == sound);
        assert (frame_bad == (frame_end && present && !sound));
        // Its descriptor goes into the queue where there is a place.
        assert (queue_write == (frame_end && present && !queue_full));
        if (queue_write) begin
            assert (queue_head[7:0] == header[7:0]);
            assert (queue_head[23:8] == header[31:16]);
            assert (queue_head[27:24] == status);
            assert (queue_head[28] == batch_fits);
            assert (queue_length == (sound ? payload : 16'd0));
        end
        // Payload goes into the buffer byte for byte while there is room (the checksum behind it too; it is not kept).
        assert (buffer_write == (byte_valid && bytes >= HEADER && bytes < HEADER + CRC + MAX_PAYLOAD && !too_crowded));
        if (buffer_write) assert (buffer_data == byte_data);
        assert (buffer_end == frame_end && buffer_retire == retire && queue_pop == retire);
        assert (buffer_keep == (sound ? payload : 16'd0));
        if (retire) assert (buffer_retire_length == length);
        // The checksum is that of the frame's bytes.
        assert (crc_valid == byte_valid && crc_data == byte_data && crc_clear == frame_end);
        assert (!(byte_valid && frame_end));
    end

    // What payload_buffer assumes: room for each byte, no more kept than the frame has.
    reg [13:0] in_buffer = 0;
    always @(posedge clock) in_buffer <= frame_end ? 14'd0 : in_buffer + buffer_write;
    always @* begin
        if (buffer_write) assert (stored + in_buffer < ROOM && !buffer_end);
        if (buffer_end) assert (buffer_keep <= in_buffer);
        if (buffer_retire) assert (buffer_retire_length <= stored);
    end

    // What holds in between (for induction).
    always @* begin
        assert (taken_up <= ROOM && used == taken_up);
        assert (count == bytes && bytes <= HEADER + CRC + MAX_PAYLOAD + 1);
        assert ({claimed, batch, seq, opcode} == {header[63:16], header[7:0]});
        assert (lost == crowded);
        if (bytes < 8) assert (header >> 8 * bytes == 0 && !crowded);
        if (bytes <= HEADER) assert (in_buffer == 0);
        else begin
            assert (in_buffer <= bytes - HEADER);
            if (!crowded && bytes <= HEADER + CRC + MAX_PAYLOAD) assert (in_buffer == bytes - HEADER);
        end
    end

    always @(posedge clock) begin
        cover (frame_taken && $past(rx_valid) && header[7:0] == 8'h01);
        cover (frame_bad && status == BAD_CRC && bytes == 12);
    end
endmodule
