// One byte from its start bit to the end of its stop bit. The clocks before are any: all registers start with any
// contents but for what says that the line was idle, and after the stop bit that holds again.

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
    reg [3:0] index = 0;
    reg [9:0] rest; // of the present bit, at this clock
    reg begun = 0;
    wire over = rest < CLOCK;
    always @(posedge clock) begin
        begun <= 1;
        if (!begun) rest <= bit_time - offset;
        else if (over) begin
            rest <= rest + bit_time - CLOCK;
            index <= index + (index != 10);
        end else rest <= rest - CLOCK;
    end
    wire ended = index == 10;
    wire line = !begun || (ended ? 1'b1 : frame[index]);

    wire valid, framing_error;
    wire [7:0] data;
    uart_rx rx(.clock(clock), .line(line), .valid(valid), .data(data), .framing_error(framing_error));
    wire [2:0] rx_state;
    wire rx_low_1, rx_low_2;
    always @* if ($initstate) assume (rx_state == IDLE && !rx_low_1 && !rx_low_2);
    // The byte comes once, in its stop bit, and the receiver waits for the next before that can begin.
    reg got = 0;
    always @(posedge clock) if (valid) got <= 1;
    always @* begin
        assert (!framing_error);
        if (valid) assert (data == sent && index == 9 && !got);
        if (ended) assert (got && rx_state == IDLE && !rx_low_1 && !rx_low_2);
    end

    // A receiver in any state waits for a start bit again within a byte's time of an idle line.
    wire lost_valid, lost_error;
    wire [7:0] lost_data;
    uart_rx lost(.clock(clock), .line(1'b1), .valid(lost_valid), .data(lost_data), .framing_error(lost_error));
    wire [2:0] lost_state;
    reg [6:0] clocks = 0;
    always @(posedge clock) if (clocks != 127) clocks <= clocks + 1;
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
        cover (ended && sent == 8'ha5 && bit_time > BIT);
    end
endmodule
