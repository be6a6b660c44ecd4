// One byte, written at any moment, is watched from there until its frame is forgotten or retired, or a reset; all traffic and
// resets are arbitrary.

module harness(
    input clock, input reset, input write, input [7:0] write_data, input write_word, input [63:0] write_word_data, input frame_end,
    input [11:0] keep, input advance, input retire, input [11:0] retire_length, input watch_now, input [2:0] watch_lane
);
    localparam WORDS = 1024;
    wire [63:0] read_data;
    payload_buffer dut(
        .clock(clock), .reset(reset), .write(write), .write_data(write_data), .write_word(write_word),
        .write_word_data(write_word_data), .frame_end(frame_end), .keep(keep), .advance(advance), .retire(retire),
        .retire_length(retire_length), .read_data(read_data)
    );
    wire [9:0] kept, base, cursor; // the block's own, see the script
    wire [12:0] tail;

    // The specification: words kept and not retired, bytes of the present frame, and how many words on the reader is.
    wire [9:0] keep_words = (keep + 13'd7) / 8, retire_words = (retire_length + 13'd7) / 8;
    reg [10:0] stored = 0;
    reg [13:0] present = 0;
    reg by_words = 0; // the present frame comes in words
    reg [9:0] reader = 0;
    wire [13:0] present_words = (present + 14'd7) / 8;
    always @(posedge clock) begin
        stored <= stored + (frame_end ? keep_words : 10'd0) - (retire ? retire_words : 10'd0);
        present <= frame_end ? 14'd0 : present + (write_word ? 14'd8 : write ? 14'd1 : 14'd0);
        reader <= retire ? 10'd0 : reader + advance;
        if (write || write_word) by_words <= write_word;
        if (reset) {stored, present, reader} <= 0;
    end

    // What the receivers see to: there is room for each byte or word, rounded up to words; a frame comes in bytes or in words; no
    // frame keeps more than it has, and no more is given up than is stored.
    always @* begin
        if (write) assume (8 * stored + present < 8 * WORDS && !frame_end && !write_word);
        if (write_word) assume (8 * stored + present < 8 * WORDS && !frame_end);
        if ((write || write_word) && present != 0) assume (by_words == write_word);
        if (frame_end) assume (keep <= present);
        if (retire) assume (retire_words <= stored);
    end

    // The watched byte: where it lies, counted from the oldest one that is stored and from the start of its frame.
    reg watched = 0, pending;
    reg [13:0] place, in_frame;
    reg [7:0] its_data;
    wire [13:0] new_in_frame = present + (write_word ? watch_lane : 3'd0);
    always @(posedge clock) begin
        if (!watched) begin
            if ((write || write_word) && watch_now) begin
                watched <= 1;
                pending <= 1;
                place <= 8 * (stored - (retire ? retire_words : 10'd0)) + new_in_frame;
                in_frame <= new_in_frame;
                its_data <= write_word ? write_word_data[8 * watch_lane +: 8] : write_data;
            end
        end else begin
            if (retire) place <= place - 8 * retire_words;
            if (frame_end && pending) begin
                pending <= 0;
                if (in_frame >= keep) watched <= 0;
            end
            if (retire && !pending && place < 8 * retire_words) watched <= 0;
        end
        if (reset) watched <= 0;
    end

    // Once its frame is kept, the byte shows where it belongs, one clock after the reader got to its word by `advance`, two after
    // `retire`.
    reg retired = 0;
    always @(posedge clock) retired <= retire;
    wire shows = watched && !pending && !retired && reader == place / 8;
    always @* if (shows) assert (read_data[8 * place[2:0] +: 8] == its_data);

    // What holds in between (for induction).
    wire [9:0] address = base + place / 8;
    reg [7:0] peek_0 [0:1023];
    reg [7:0] peek_1 [0:1023];
    reg [7:0] peek_2 [0:1023];
    reg [7:0] peek_3 [0:1023];
    reg [7:0] peek_4 [0:1023];
    reg [7:0] peek_5 [0:1023];
    reg [7:0] peek_6 [0:1023];
    reg [7:0] peek_7 [0:1023];
    wire [63:0] its_word = {
        peek_7[address], peek_6[address], peek_5[address], peek_4[address],
        peek_3[address], peek_2[address], peek_1[address], peek_0[address]
    };
    always @* begin
        assert (stored + present_words <= WORDS);
        assert ((kept - base) % WORDS == stored % WORDS);
        assert ((tail - 8 * kept) % (8 * WORDS) == present % (8 * WORDS));
        assert ((cursor - base) % WORDS == reader);
        if (present != 0 && by_words) assert (present % 8 == 0);
        if (watched) begin
            assert (its_word[8 * place[2:0] +: 8] == its_data);
            if (pending) assert (in_frame < present && place == 8 * stored + in_frame);
            else assert (place / 8 < stored);
        end
    end

    always @(posedge clock) begin
        cover (shows && place == 10 && its_data == 8'ha5 && present == 2 && by_words == 0);
        cover (shows && place == 13 && its_data == 8'ha5 && by_words);
        cover (retired && watched && !pending && place == 9);
    end
endmodule
