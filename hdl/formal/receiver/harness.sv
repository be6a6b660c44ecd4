// Arbitrary bytes come in, and requests are retired and resets come at arbitrary times; what becomes of each frame is compared with the
// rules of the protocol. The parts inside (slip, crc32, payload_buffer, descriptor_queue) have proofs of their own; here
// it is shown that the receiver keeps to what those assume.

module harness(input clock, input reset, input rx_valid, input [7:0] rx_data, input advance, input retire);
    wire waiting, frame_taken, frame_bad;
    wire [28:0] head;
    wire [11:0] length;
    wire [63:0] data;
    receiver dut(
        .clock(clock), .reset(reset), .rx_valid(rx_valid), .rx_data(rx_data), .waiting(waiting), .head(head), .length(length),
        .data(data), .advance(advance), .retire(retire), .frame_taken(frame_taken), .frame_bad(frame_bad)
    );
    // The block's own, see the script. First what the decoder gives, then the same in the next clock, where frames are
    // put together: all below is told from there.
    wire slip_valid, slip_end, slip_broken, slip_present, byte_valid, frame_end, broken, present;
    wire [7:0] slip_data, byte_data;
    wire crc_valid, crc_clear, buffer_write, buffer_write_word, buffer_end, buffer_advance, buffer_retire, queue_write, queue_full, queue_pop, lost;
    wire [7:0] crc_data, buffer_data, opcode;
    wire [31:0] checksum;
    wire [63:0] buffer_read;
    wire [11:0] buffer_keep, buffer_retire_length, queue_length, count;
    wire [28:0] queue_head;
    wire [15:0] seq, batch, claimed;
    wire [13:0] used;

    localparam HEADER = 8, CRC = 4, MAX_PAYLOAD = 2048, LONGEST = HEADER + CRC + MAX_PAYLOAD, ROOM = 8192, ENTRY = 32;
    localparam OK = 4'd0, BAD_CRC = 4'd1, BAD_LENGTH = 4'd2, BUSY = 4'd4;

    // The specification. What is held: payload bytes and number of sound requests, those too that were retired in the
    // last clock.
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
        bytes < HEADER + CRC || bytes > LONGEST ? BAD_LENGTH :
        broken || checksum != 32'h2144DF1C ? BAD_CRC :
        claim != payload ? BAD_LENGTH :
        crowded || taken_up + payload + ENTRY > ROOM ? BUSY : OK;
    wire batch_fits = positions != 0 && 64 * positions[9:0] == claim && positions < 1024;
    wire retires_sound = retire && head[27:24] == OK;
    wire behind_header = byte_valid && bytes >= HEADER;
    wire too_crowded = behind_header && taken_up + bytes - HEADER >= ROOM;
    always @(posedge clock) begin
        if (frame_end) begin
            bytes <= 0;
            header <= 0;
            crowded <= 0;
        end else if (byte_valid) begin
            if (bytes < HEADER) header[8 * bytes[2:0] +: 8] <= byte_data;
            if (bytes <= LONGEST) bytes <= bytes + 1;
            if (too_crowded) crowded <= 1;
        end
        if (reset) begin
            bytes <= 0;
            header <= 0;
            crowded <= 0;
        end
    end

    // The same one clock later (`_1`), where a byte is stored and a frame's descriptor written, and two clocks later,
    // where its payload is kept.
    reg end_1 = 0, present_1 = 0, crowded_1 = 0, store_1 = 0, end_2 = 0, present_2 = 0, crowded_2 = 0, sound_2 = 0;
    reg [11:0] bytes_1 = 0, bytes_2 = 0;
    reg [63:0] header_1 = 0, header_2 = 0;
    reg [3:0] status_1, status_2;
    reg batch_fits_1;
    reg [7:0] byte_1;
    reg freed_1 = 0;
    reg [11:0] freed_length_1 = 0;
    wire [15:0] payload_1 = bytes_1 - (HEADER + CRC), payload_2 = bytes_2 - (HEADER + CRC);
    wire sound_1 = end_1 && present_1 && status_1 == OK && !queue_full;
    always @(posedge clock) begin
        end_1 <= frame_end;
        present_1 <= present;
        bytes_1 <= bytes;
        header_1 <= header;
        crowded_1 <= crowded;
        status_1 <= status;
        batch_fits_1 <= batch_fits;
        store_1 <= behind_header && bytes < LONGEST && !too_crowded;
        byte_1 <= byte_data;
        end_2 <= end_1;
        present_2 <= present_1;
        bytes_2 <= bytes_1;
        header_2 <= header_1;
        crowded_2 <= crowded_1;
        status_2 <= status_1;
        sound_2 <= sound_1;
        freed_1 <= retires_sound;
        freed_length_1 <= length;
        stored <= stored + (sound_2 ? payload_2 : 16'd0) - (freed_1 ? freed_length_1 : 12'd0);
        requests <= requests + sound_2 - freed_1;
        if (reset) begin
            {end_1, present_1, crowded_1, store_1, end_2, present_2, crowded_2, sound_2, freed_1} <= 0;
            {bytes_1, bytes_2, header_1, header_2, stored, requests} <= 0;
        end
    end

    // The dispatcher retires what waits; the queue gives back what was put in, three clocks later at the earliest (proof
    // descriptor_queue), so that no more is retired than was stored. In words, what is left is that of the other requests: each
    // takes up no more than its bytes and an entry.
    reg [10:0] words_stored = 0;
    wire [8:0] retired_words = (length + 12'd7) / 8;
    wire [13:0] held = stored - (freed_1 ? freed_length_1 : 12'd0);
    wire [9:0] held_requests = requests - freed_1;
    wire [15:0] held_up = taken_up - (freed_1 ? freed_length_1 + ENTRY : 16'd0);
    always @* begin
        if (retire) assume (waiting);
        if (retires_sound) assume (held_requests != 0 && length <= held && retired_words <= words_stored);
        if (retires_sound) assume (8 * (words_stored - retired_words) <= held_up - length - ENTRY);
        if (retire && !retires_sound) assume (length == 0);
    end

    // Nothing that the decoder gives is lost.
    reg was_valid = 0, was_end = 0, was_broken = 0, was_present = 0;
    reg [7:0] was_data = 0;
    always @(posedge clock)
        {was_valid, was_end, was_broken, was_present, was_data} <=
            {slip_valid, slip_end && !reset, slip_broken, slip_present, slip_data};
    always @* begin
        assert ({byte_valid, frame_end, broken, present, byte_data} ==
            {was_valid, was_end, was_broken, was_present, was_data});
        assert (!(byte_valid && frame_end));
    end

    always @* begin
        // The checksum is that of the frame's bytes.
        assert (crc_valid == byte_valid && crc_data == byte_data && crc_clear == (frame_end || reset));
        // A reset leaves nothing in the decoder.
        if (reset) assert (slip_end && !slip_valid);
        // Payload goes into the buffer byte for byte while there is room (the checksum behind it too; it is not kept).
        assert (buffer_write == store_1);
        if (buffer_write) assert (buffer_data == byte_1);
        // The frame's descriptor goes into the queue where there is a place.
        assert (queue_write == (end_1 && present_1 && !queue_full));
        if (queue_write && !reset) begin
            assert (queue_head[7:0] == header_1[7:0]);
            assert (queue_head[23:8] == header_1[31:16]);
            assert (queue_head[27:24] == status_1);
            assert (queue_head[28] == batch_fits_1);
            assert (queue_length == (sound_1 ? payload_1 : 16'd0));
        end
        // Every frame with a byte in it is either taken or bad.
        assert (frame_taken == sound_2);
        assert (frame_bad == (end_2 && present_2 && !sound_2));
        assert (buffer_end == end_2);
        assert (buffer_keep == (sound_2 ? payload_2 : 16'd0));
        assert (buffer_retire == retire && queue_pop == retire);
        if (retire) assert (buffer_retire_length == length);
        assert (buffer_advance == advance && data == buffer_read);
    end

    // What payload_buffer assumes: bytes only, room for each, the payloads before it rounded up to words; no more is kept than the
    // frame has, and no more given up than is stored.
    reg [13:0] in_buffer = 0;
    wire [8:0] kept_words = (buffer_keep + 12'd7) / 8;
    always @(posedge clock) begin
        words_stored <= words_stored + (buffer_end ? kept_words : 9'd0) - (buffer_retire ? retired_words : 9'd0);
        in_buffer <= buffer_end ? 14'd0 : in_buffer + buffer_write;
        if (reset) {words_stored, in_buffer} <= 0;
    end
    always @* begin
        assert (!buffer_write_word);
        if (buffer_write) assert (8 * words_stored + in_buffer < ROOM && !buffer_end);
        if (buffer_end) assert (buffer_keep <= in_buffer);
        if (buffer_retire) assert (retired_words <= words_stored);
    end

    // What holds in between (for induction).
    wire [11:0] seen = end_2 ? bytes_2 : bytes_1;
    wire seen_crowded = end_2 ? crowded_2 : crowded_1;
    wire [63:0] shown = end_1 ? header_1 : header;
    always @* begin
        assert (taken_up <= ROOM && used == taken_up);
        if (freed_1) assert (requests != 0 && freed_length_1 <= stored);
        assert (8 * words_stored <= held_up);
        assert (count == bytes && bytes <= LONGEST + 1);
        assert ({claimed, batch, seq, opcode} == {shown[63:16], shown[7:0]});
        assert (lost == crowded_1);
        if (bytes < 8) assert (header >> 8 * bytes == 0 && !crowded);
        // The frames of three clocks do not meet.
        if (end_1) assert (bytes == 0);
        if (end_2) assert (bytes <= 1 && bytes_1 == 0);
        assert (bytes == bytes_1 || bytes == bytes_1 + 1 || end_1);
        if (store_1) assert (bytes_1 >= HEADER && bytes_1 < LONGEST && taken_up + bytes_1 - HEADER < ROOM && !end_1);
        if (end_1 && status_1 == OK)
            assert (!crowded_1 && bytes_1 >= HEADER + CRC && bytes_1 <= LONGEST && taken_up + payload_1 + ENTRY <= ROOM);
        if (sound_2)
            assert (end_2 && !crowded_2 && bytes_2 >= HEADER + CRC && bytes_2 <= LONGEST &&
                taken_up + payload_2 + ENTRY <= ROOM);
        if (seen <= HEADER) assert (in_buffer == 0);
        else begin
            assert (in_buffer <= seen - HEADER);
            if (!seen_crowded && seen <= LONGEST) assert (in_buffer == seen - HEADER);
        end
    end

    always @(posedge clock) begin
        cover (frame_taken && header_2[7:0] == 8'h01 && $past(rx_valid, 3));
        cover (frame_bad && status_2 == BAD_CRC && bytes_2 == 12);
    end
endmodule
