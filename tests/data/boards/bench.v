// A board from its pins: an oscillator, and a serial line at the board's rate. Sends the bytes of `request.hex`, prints
// each byte that comes back, and stops the test where the chip's clock runs before the PLL has locked or is not the one asked for.
// The request goes in three times: after the start, after a break in the middle of a frame, and after the PLL has lost its lock in the
// middle of another.
`timescale 1ps/1ps

module bench;
    parameter OSCILLATOR_PS = 40000, CHIP_PS = 16667, BIT_PS = 333333, BYTES = 14, ANSWER_BYTES = 100;

    reg oscillator, uart_rx;
    wire uart_tx;
    top board (.oscillator(oscillator), .uart_rx(uart_rx), .uart_tx(uart_tx));

    initial oscillator = 0;
    always #(OSCILLATOR_PS / 2) oscillator = !oscillator;

    reg [7:0] request [0:BYTES-1];
    integer i, bit_index;
    task send(input integer bytes);
        for (i = 0; i < bytes; i = i + 1) begin
            uart_rx = 0;
            #(BIT_PS);
            for (bit_index = 0; bit_index < 8; bit_index = bit_index + 1) begin
                uart_rx = request[i][bit_index];
                #(BIT_PS);
            end
            uart_rx = 1;
            #(BIT_PS);
        end
    endtask
    initial begin
        $readmemh("request.hex", request);
        uart_rx = 1;
        // Longer than the PLL takes to lock, and the chip to be reset.
        #(600 * OSCILLATOR_PS + 2000 * CHIP_PS);
        if (edges == 0) begin $display("the clock never started"); $finish; end
        send(BYTES);
        #(11 * ANSWER_BYTES * BIT_PS);
        send(BYTES / 2);
        uart_rx = 0;
        #(64'd2_100_000_000);
        uart_rx = 1;
        #(2000 * CHIP_PS);
        send(BYTES);
        #(11 * ANSWER_BYTES * BIT_PS);
        send(BYTES / 2);
        losing = 1;
        force board.locked = 0;
        #(100 * CHIP_PS);
        stopped = edges;
        #(100 * CHIP_PS);
        if (edges != stopped) begin $display("a clock without lock"); $finish; end
        edges = 0;
        release board.locked;
        losing = 0;
        #(2000 * CHIP_PS);
        send(BYTES);
        #(11 * ANSWER_BYTES * BIT_PS);
        $display("end");
        $finish;
    end

    reg [7:0] received;
    integer received_bits;
    always begin
        @(negedge uart_tx);
        #(BIT_PS + BIT_PS / 2);
        for (received_bits = 0; received_bits < 8; received_bits = received_bits + 1) begin
            received[received_bits] = uart_tx;
            #(BIT_PS);
        end
        $display("byte %02x", received);
        if (!uart_tx) $display("no stop bit");
    end

    // The chip's clock, seen from inside. A gate that keeps it high until it opens is high from configuration on: what a
    // simulator sees as an edge at the first instant is none.
    integer edges, stopped;
    reg losing;
    time last;
    initial begin edges = 0; losing = 0; end
    always @(posedge board.clock) if ($time > 0) begin
        // Where the lock is lost, the clock goes on for a few clocks.
        if (!board.locked && !losing) begin $display("an edge without lock"); $finish; end
        if (edges > 0 && ($time - last > CHIP_PS + 10 || $time - last < CHIP_PS - 10)) begin
            $display("a clock of %0d ps instead of %0d", $time - last, CHIP_PS);
            $finish;
        end
        last = $time;
        edges = edges + 1;
    end
endmodule
