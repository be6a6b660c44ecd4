// A stand-in for the chip behind its word port: every frame comes back as it went in, with gaps on both sides, some of them long.
// Like the chip it passes over fillers between frames, and takes its time for a reset. A frame has as many words as its header tells.
module NAME__chip (
    input wire clock,
    input wire reset,
    output wire resetting,
    input wire words__rx_valid,
    input wire [63:0] words__rx_data,
    output wire words__rx_ready,
    output wire words__tx_valid,
    output wire [63:0] words__tx_data,
    output wire words__tx_last,
    input wire words__tx_ready
);
    reg [64:0] words [0:1023];
    reg [9:0] written = 0, taken = 0;
    reg open = 0, offered = 0;
    reg [12:0] to_come = 0;
    reg [31:0] random = 32'h2545F491;
    wire [9:0] held = written - taken;
    wire [12:0] payload = words__rx_data[63:51] + |words__rx_data[50:48];
    reg [5:0] rest = 0;
    reg [5:0] left = 0;
    assign resetting = left != 0;

    assign words__rx_ready = open && held < 1000;
    assign words__tx_valid = offered;
    assign {words__tx_last, words__tx_data} = words[taken];

    always @(posedge clock) begin
        random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
        open <= random[2:0] != 0;
        if (words__rx_valid && words__rx_ready && (to_come != 0 || words__rx_data != {8{8'hC0}})) begin
            to_come <= to_come == 0 ? payload + 1 : to_come - 1;
            words[written] <= {to_come == 1, words__rx_data};
            written <= written + 1;
        end
        if (rest != 0) rest <= rest - 1;
        else if (random[22:15] == 0) rest <= 40;
        // Bursts and gaps; what is offered stays.
        if (words__tx_valid && words__tx_ready) begin
            taken <= taken + 1;
            offered <= held > 1 && rest == 0 && (random[12] || random[5:3] == 0);
        end else if (!offered) offered <= held != 0 && rest == 0 && (random[12] || random[5:3] == 0);
        if (reset) left <= 63;
        else if (resetting) left <= left - 1;
        if (resetting) begin
            {written, taken, to_come, open, offered} <= 0;
        end
    end
endmodule
