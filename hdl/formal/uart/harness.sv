// One byte from its start bit to the end of its stop bit. The clocks before are any: all registers start with any
// contents but for what an idle line or a byte just received leaves, and behind the stop bit that holds again.

module harness(input clock, input [7:0] tx_data);
    localparam IDLE = 0, BREAK = 4;
    localparam CLOCK = 32; // parts of a clock in which the sender's time is counted
    localparam BIT = 8 * CLOCK; // the receiver's bit

    // A sender whose bits are up to a 32nd (3.1 %) shorter or longer, and begin anywhere between two clocks.
    (* anyconst *) wire [7:0] sent;
    (* anyconst *) wire [8:0] bit_time;
    (* anyconst *) wire [4:0] offset;
    always @* assume (bit_time >= BIT - 8 && bit_time <= BIT + 8);
    wire [9:0] frame = {1'b1, sent, 1'b0};
    reg [6:0] clocks = 0; // stops at 127
    always @(posedge clock) if (clocks != 127) clocks <= clocks + 1;
    wire [12:0] elapsed = (clocks - 1) * CLOCK + offset; // since the start bit's edge
    wire [10:1] over;
    genvar k;
    generate for (k = 1; k <= 10; k = k + 1) begin : of_bit
        assign over[k] = elapsed >= k * bit_time;
    end endgenerate
    wire ended = over[10];
    wire begun = clocks != 0;
    // The bits in turn: start, eight of data, stop, and an idle line.
    reg line;
    integer i;
    always @* begin
        line = frame[0];
        for (i = 1; i < 10; i = i + 1) if (over[i]) line = frame[i];
        if (!begun) line = 1;
    end

    wire valid, framing_error;
    wire [7:0] data;
    uart_rx rx(.clock(clock), .line(line), .valid(valid), .data(data), .framing_error(framing_error));
    wire [2:0] rx_state;
    wire rx_low_1, rx_low_2;
    // The line was idle or in a stop bit; the byte before may still be on its way out of the receiver until the
    // synchroniser shows the start bit, three clocks from here.
    always @* begin
        if (clocks == 0) assume (!rx_low_1 && !rx_low_2);
        if (clocks == 3) assume (rx_state == IDLE);
    end
    // The byte comes once, after its stop bit has begun. Where the next start bit may begin in the clock behind the stop
    // bit, all is as it was for this one.
    reg got = 0, ended_1 = 0, ended_2 = 0;
    always @(posedge clock) begin
        if (valid && clocks >= 3) got <= 1;
        ended_1 <= begun && ended;
        ended_2 <= ended_1;
    end
    always @* begin
        if (clocks >= 3) assert (!framing_error);
        if (clocks >= 3 && valid) assert (data == sent && over[9] && !got);
        if (begun && over[9] && elapsed + CLOCK >= 10 * bit_time) assert (!rx_low_1 && !rx_low_2);
        if (ended_2) assert (got && rx_state == IDLE);
    end

    // A receiver in any state waits for a start bit again within a byte's time of an idle line.
    wire lost_valid, lost_error;
    wire [7:0] lost_data;
    uart_rx lost(.clock(clock), .line(1'b1), .valid(lost_valid), .data(lost_data), .framing_error(lost_error));
    wire [2:0] lost_state;
    always @* begin
        if ($initstate) assume (lost_state <= BREAK);
        assert (lost_state <= BREAK);
        if (clocks >= 83) assert (lost_state == IDLE);
    end

    // The transmitter: a byte taken at the first clock is on the line for exactly eight clocks a bit; then it is ready.
    wire ready, tx_line, tx_busy, tx_low;
    uart_tx tx(.clock(clock), .valid(clocks == 0), .data(tx_data), .ready(ready), .line(tx_line));
    reg [7:0] taken;
    always @(posedge clock) if (clocks == 0) taken <= tx_data;
    wire [9:0] expected = {1'b1, taken, 1'b0};
    wire [6:0] since = clocks - 1;
    always @* begin
        if ($initstate) assume (!tx_busy && !tx_low);
        if (clocks == 0) assert (ready && tx_line);
        else if (since < 80) assert (!ready && tx_line == expected[since[6:3]]);
        else assert (ready && tx_line);
    end

    always @(posedge clock) begin
        cover (begun && ended && sent == 8'ha5 && bit_time > BIT);
    end
endmodule
