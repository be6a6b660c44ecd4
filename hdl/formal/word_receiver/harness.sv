// Arbitrary words come in, and requests are retired and resets come at arbitrary times; what becomes of each frame is compared with the
// rules of the protocol. The parts inside (word_crc32, payload_buffer, descriptor_queue) have proofs of their own; here it is
// shown that the receiver keeps to what those assume. The checksum is cut off: it may be anything in each clock.

module harness(input clock, input reset, input rx_valid, input [63:0] rx_data, input advance, input retire);
    wire rx_ready, waiting, frame_taken, frame_bad, cancelled;
    wire [28:0] head;
    wire [11:0] length;
    wire [63:0] data;
    word_receiver dut(
        .clock(clock), .reset(reset), .rx_valid(rx_valid), .rx_data(rx_data), .rx_ready(rx_ready), .waiting(waiting),
        .head(head), .length(length), .data(data), .advance(advance), .retire(retire), .frame_taken(frame_taken),
        .frame_bad(frame_bad), .cancelled(cancelled)
    );
    // The block's own, see the script.
    wire crc_valid, crc_clear, buffer_write, buffer_write_word, buffer_end, buffer_advance, buffer_retire;
    wire queue_write, queue_full, queue_pop;
    wire [63:0] crc_data, buffer_data, buffer_read;
    wire [31:0] checksum;
    wire [11:0] buffer_keep, buffer_retire_length, queue_length;
    wire [28:0] queue_head;
    wire [13:0] used;

    localparam MAX_PAYLOAD = 2048, ROOM = 8192, ENTRY = 32, MARK = 32'h46595348; // HSYF
    localparam FILLER = {8{8'hC0}};
    localparam OK = 4'd0, BAD_CRC = 4'd1, BAD_LENGTH = 4'd2;

    // The specification: a header, that is, a word between frames that is no filler; as many words as it says; a trailer. Behind a bad
    // frame words are skipped up to a filler.
    reg in_frame = 0, skips = 0, too_long = 0, refused = 0, trailed_1 = 0, sound_1 = 0, added_1 = 0;
    reg [8:0] words = 0; // of the payload, so far
    reg [63:0] header = 0;
    reg [1:0] age = 0; // clocks since the header
    wire refuses = too_long && age == 2 && !queue_full;
    wire takes = rx_valid && rx_ready;
    wire begins = takes && !in_frame && !skips && rx_data != FILLER;
    wire [15:0] claim = header[63:48], positions = header[47:32];
    wire [8:0] wanted = (claim[11:0] + 12'd7) / 8;
    wire payload_word = takes && in_frame && words != wanted;
    wire trailer = takes && in_frame && words == wanted;
    wire sound = rx_data == {MARK, checksum};
    wire over = trailed_1 || refused;
    wire accepted = trailed_1 && sound_1;
    wire [3:0] status = refused ? BAD_LENGTH : sound_1 ? OK : BAD_CRC;
    wire batch_fits = positions != 0 && 64 * positions[9:0] == claim && positions < 1024;
    reg [11:0] added_length_1 = 0;
    always @(posedge clock) begin
        if (begins) begin
            header <= rx_data;
            words <= 0;
            in_frame <= rx_data[63:48] <= MAX_PAYLOAD;
            skips <= rx_data[63:48] > MAX_PAYLOAD;
        end
        if (payload_word) words <= words + 1;
        if (trailer) begin
            in_frame <= 0;
            skips <= !sound;
        end
        if (takes && skips && rx_data == FILLER) skips <= 0;
        // It is looked at in the third clock behind the header, and refused when there is a place for its descriptor.
        if (begins) too_long <= rx_data[63:48] > MAX_PAYLOAD;
        if (refuses) too_long <= 0;
        age <= begins ? 2'd0 : age + (age != 2);
        refused <= refuses;
        trailed_1 <= trailer;
        sound_1 <= sound;
        added_1 <= accepted;
        added_length_1 <= claim;
        if (reset) {in_frame, skips, too_long, refused, trailed_1, added_1} <= 0;
    end

    // What is held: payload bytes and number of requests, those too that were retired in the last clock, but not those that came in the
    // last two.
    reg [13:0] stored = 0;
    reg [9:0] requests = 0;
    reg freed_1 = 0;
    reg [11:0] freed_length_1 = 0;
    wire [15:0] taken_up = stored + ENTRY * requests;
    wire retires_sound = retire && head[27:24] == OK;
    always @(posedge clock) begin
        freed_1 <= retires_sound && !reset;
        freed_length_1 <= length;
        stored <= reset ? 14'd0 : stored + (added_1 ? added_length_1 : 12'd0) - (freed_1 ? freed_length_1 : 12'd0);
        requests <= reset ? 10'd0 : requests + added_1 - freed_1;
    end

    // The dispatcher retires what waits; the queue gives back what was put in, three clocks later at the earliest (proof
    // descriptor_queue), so that no more is retired than was stored. In words, what is left is that of the other requests: each
    // takes up no more than its bytes and an entry.
    reg [10:0] words_stored = 0;
    wire [8:0] retired_words = (length + 12'd7) / 8;
    wire [13:0] held = stored - (freed_1 ? freed_length_1 : 12'd0);
    wire [9:0] held_requests = requests - freed_1;
    wire [15:0] held_up = taken_up + (added_1 ? added_length_1 + ENTRY : 16'd0) - (freed_1 ? freed_length_1 + ENTRY : 16'd0);
    always @* begin
        if (retire) assume (waiting);
        if (retires_sound) assume (held_requests != 0 && length <= held && retired_words <= words_stored);
        if (retires_sound) assume (8 * (words_stored - retired_words) <= held_up - length - ENTRY);
        if (retire && !retires_sound) assume (length == 0);
    end

    // The checksum is that of the frame's words: it starts over before the header, and takes each word.
    reg clean = 1;
    always @(posedge clock) clean <= crc_clear || (clean && !crc_valid);
    always @* begin
        assert (crc_valid == takes && crc_data == rx_data);
        if (begins) assert (clean);
        if (begins || payload_word || (in_frame && !takes && !reset)) assert (!crc_clear);
    end

    wire [15:0] need = claim + ENTRY;
    always @* begin
        // Each word of a payload goes into the buffer, behind a header for which there is room.
        assert (buffer_write_word == payload_word && !buffer_write);
        if (payload_word) assert (buffer_data == rx_data);
        if (payload_word || trailer) assert (claim <= MAX_PAYLOAD && taken_up + need <= ROOM && !added_1 && !queue_full);
        // Each frame is either taken or bad, once, and its descriptor goes into the queue, where there is a place for it.
        if (!reset) begin
            assert (frame_taken == accepted && frame_bad == (over && !accepted));
            assert (queue_write == over);
            if (over) assert (!queue_full);
            assert (buffer_keep == (accepted ? claim : 16'd0));
        end
        assert (buffer_end == over);
        if (queue_write && !reset) begin
            assert (queue_head[7:0] == header[7:0]);
            assert (queue_head[23:8] == header[31:16]);
            assert (queue_head[27:24] == status);
            assert (queue_head[28] == batch_fits);
            assert (queue_length == (accepted ? claim : 16'd0));
        end
        assert (buffer_retire == retire && queue_pop == retire);
        if (retire) assert (buffer_retire_length == length);
        assert (buffer_advance == advance && data == buffer_read);
    end

    // Words wait only behind a header, and only for room.
    reg [1:0] room_clocks = 0;
    wire held_back = !rx_ready && !reset;
    wire has_room = (too_long || taken_up + need <= ROOM) && !queue_full;
    always @(posedge clock) room_clocks <= held_back && has_room ? room_clocks + (room_clocks != 3) : 2'd0;
    always @* begin
        if (held_back) assert (too_long || (in_frame && words == 0));
        if (held_back && has_room) assert (room_clocks != 3);
    end

    // What payload_buffer assumes: words only, room for each, the payloads before it rounded up to words; no more is kept than the
    // frame has, and no more given up than is stored.
    reg [13:0] in_buffer = 0;
    wire [8:0] kept_words = (buffer_keep + 12'd7) / 8;
    always @(posedge clock) begin
        words_stored <= words_stored + (buffer_end ? kept_words : 9'd0) - (buffer_retire ? retired_words : 9'd0);
        in_buffer <= buffer_end ? 14'd0 : in_buffer + (buffer_write_word ? 14'd8 : 14'd0);
        if (reset) {words_stored, in_buffer} <= 0;
    end
    always @* begin
        if (buffer_write_word) assert (8 * words_stored + in_buffer < ROOM && !buffer_end);
        if (buffer_end) assert (buffer_keep <= in_buffer);
        if (buffer_retire) assert (retired_words <= words_stored);
    end

    // What holds in between (for induction).
    wire [2:0] state;
    wire [8:0] words_left;
    wire [63:0] dut_header;
    wire [13:0] filled, added;
    wire [3:0] dut_status;
    wire looked, fetched;
    wire [9:0] entries; // of the queue
    localparam HEADER = 0, LOOK = 1, WAIT = 2, PAYLOAD = 3, TRAILER = 4, SKIP = 5;
    always @* begin
        assert (entries <= 512 && (entries != 0 || !(fetched || waiting)));
        assert (state <= SKIP && !(in_frame && skips));
        assert (in_frame == ((state == WAIT || state == PAYLOAD || state == TRAILER || state == LOOK) && !too_long));
        assert (skips == (state == SKIP || too_long));
        if (too_long) assert ((state == LOOK || state == WAIT) && claim > MAX_PAYLOAD && words == 0);
        if (state == LOOK) assert (age == 0);
        if (state == WAIT) assert (age == (looked ? 2 : 1));
        if (refused) assert (state == SKIP && claim > MAX_PAYLOAD && words == 0);
        if (trailed_1) assert (state == (sound_1 ? HEADER : SKIP) && words == wanted && !refused);
        if (!in_frame && !skips) assert (clean);
        if (in_frame || over || too_long) assert (dut_header == header);
        if (in_frame) begin
            assert (claim <= MAX_PAYLOAD && words <= wanted);
            if (state == LOOK || state == WAIT) assert (words == 0);
            else assert (taken_up + need <= ROOM && !added_1 && !queue_full);
            if (state == PAYLOAD) assert (words != wanted);
            if (state == TRAILER) assert (words == wanted);
            if (state != LOOK) assert (words_left == wanted - words && !added_1);
        end
        if (trailed_1) assert (claim <= MAX_PAYLOAD && taken_up + need <= ROOM && !added_1 && !queue_full);
        if (over) assert (dut_status == status);
        if (added_1) assert (state == HEADER || state == LOOK);
        if (added_1) assert (taken_up + added_length_1 + ENTRY <= ROOM && added_length_1 <= MAX_PAYLOAD);
        assert (added == (added_1 ? added_length_1 + ENTRY : 0));
        assert (in_buffer == (in_frame || trailed_1 ? 8 * words : 0));
        if (in_frame && state == WAIT && looked) assert (filled >= taken_up + claim + 12);
        if (in_frame && state == WAIT && room_clocks != 0) assert (filled <= ROOM - ENTRY + 12);
        if (state == WAIT && room_clocks > 1) assert (looked);
        if (state == LOOK) assert (room_clocks == 0);
        if (looked) assert (state != LOOK);
        assert (taken_up <= ROOM && used == taken_up);
        if (freed_1) assert (requests != 0 && freed_length_1 <= stored);
        assert (8 * words_stored <= held_up);
    end

    always @(posedge clock) begin
        cover (frame_taken && claim == 11 && $past(rx_valid, 2));
        cover (frame_bad && status == BAD_CRC && claim == 0);
        cover (held_back && room_clocks == 2);
        cover (begins && requests == 1);
    end
endmodule
