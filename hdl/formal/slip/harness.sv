// The decoder hears arbitrary bytes; at any moment there is a frame end, and from there on what the encoder sends.

module harness(
    input clock, input noise_valid, input [7:0] noise, input link_up,
    input valid, input delimiter, input [7:0] data, input tx_ready
);
    localparam END = 8'hC0, ESC = 8'hDB, ESC_END = 8'hDC, ESC_ESC = 8'hDD;

    wire ready, tx_valid;
    wire [7:0] tx_data;
    slip_encoder encoder(
        .clock(clock), .valid(valid), .delimiter(delimiter), .data(data), .ready(ready), .tx_valid(tx_valid),
        .tx_data(tx_data), .tx_ready(tx_ready)
    );
    reg linked = 0;
    always @(posedge clock) if (link_up) linked <= 1;
    wire raw_valid = linked ? tx_valid && tx_ready : link_up || noise_valid;
    wire [7:0] raw_data = linked ? tx_data : link_up ? END : noise;
    wire out_valid, frame_end, broken, present;
    wire [7:0] out;
    slip_decoder decoder(
        .clock(clock), .raw_valid(raw_valid), .raw_data(raw_data), .valid(out_valid), .data(out),
        .frame_end(frame_end), .broken(broken), .present(present)
    );
    wire escaped, wrong, started, escaping; // the blocks' own, see the script

    // The sender is silent before, and keeps an offered byte until it is taken.
    reg kept_valid = 0, kept_delimiter;
    reg [7:0] kept_data;
    always @(posedge clock) begin
        kept_valid <= valid && !ready;
        kept_delimiter <= delimiter;
        kept_data <= data;
    end
    always @* begin
        if (!linked) assume (!valid);
        if (kept_valid) assume (valid && delimiter == kept_delimiter && data == kept_data);
    end

    // From the frame end on, each byte and each delimiter comes out as it went in, in the same clock, and nothing else.
    wire passes = valid && ready;
    reg [1:0] bytes = 0; // since the delimiter; stops at three
    always @(posedge clock) if (!linked || (passes && delimiter)) bytes <= 0; else if (passes && bytes < 3) bytes <= bytes + 1;
    always @* if (linked) begin
        assert (out_valid == (passes && !delimiter));
        if (out_valid) assert (out == data);
        assert (frame_end == (passes && delimiter));
        if (frame_end) assert (!broken && present == (bytes != 0));
        // On the line, END stands for nothing but a delimiter.
        if (tx_valid && tx_data == END) assert (delimiter);
    end
    // The encoder is never stuck: the line takes two bytes at most for one.
    reg halfway = 0;
    always @(posedge clock) halfway <= valid && tx_ready && !ready;
    always @* if (halfway && tx_ready) assert (ready);

    // The decoder, whatever it hears.
    reg after_esc = 0, bad = 0, any = 0;
    always @(posedge clock) if (raw_valid) begin
        after_esc <= raw_data == ESC && !after_esc;
        if (raw_data == END) {after_esc, bad, any} <= 0;
        else begin
            any <= 1;
            if (after_esc && raw_data != ESC_END && raw_data != ESC_ESC) bad <= 1;
        end
    end
    wire pair = after_esc && (raw_data == ESC_END || raw_data == ESC_ESC);
    always @* begin
        assert (frame_end == (raw_valid && raw_data == END));
        assert (out_valid == (raw_valid && raw_data != END && (pair || (!after_esc && raw_data != ESC))));
        if (out_valid) assert (out == (!pair ? raw_data : raw_data == ESC_END ? END : ESC));
        if (frame_end) assert (broken == (bad || after_esc) && present == any);
    end

    // What holds in between (for induction).
    always @* begin
        assert (escaped == after_esc && wrong == bad && started == any);
        if (!linked) assert (!escaping && !halfway && !kept_valid);
        else begin
            assert (escaped == escaping && !wrong);
            assert (started == (bytes != 0 || escaping));
        end
        if (halfway) assert (escaping);
        if (escaping) assert (kept_valid && !kept_delimiter && (kept_data == END || kept_data == ESC));
    end

    always @(posedge clock) begin
        cover (linked && frame_end && bytes == 3 && $past(out) == END && $past(linked, 6));
        cover (!linked && frame_end && broken && $past(link_up) == 0);
    end
endmodule
