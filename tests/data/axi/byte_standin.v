// A stand-in for the chip behind its byte port: every frame comes back as it went in, with gaps on both sides. Like the
// chip it takes ENDs without anything between them for nothing, puts an END on each side of an answer, and takes its time for a
// reset.
module NAME__chip (
    input wire clock,
    input wire reset,
    output wire resetting,
    input wire bytes__rx_valid,
    input wire [7:0] bytes__rx_data,
    output wire bytes__rx_ready,
    output wire bytes__tx_valid,
    output wire [7:0] bytes__tx_data,
    input wire bytes__tx_ready
);
    reg [7:0] bytes [0:4095];
    reg [11:0] written = 0, taken = 0;
    reg in_frame = 0, open = 0, offered = 0;
    reg [31:0] random = 32'h2545F491;
    wire [11:0] held = written - taken;
    reg [5:0] left = 0;
    assign resetting = left != 0;

    assign bytes__rx_ready = open && held < 4000;
    assign bytes__tx_valid = offered;
    assign bytes__tx_data = bytes[taken];

    always @(posedge clock) begin
        random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
        open <= random[2:0] != 0;
        if (bytes__rx_valid && bytes__rx_ready) begin
            in_frame <= bytes__rx_data != 8'hC0;
            if (in_frame || bytes__rx_data != 8'hC0) begin
                if (in_frame) begin
                    bytes[written] <= bytes__rx_data;
                    written <= written + 1;
                end else begin
                    bytes[written] <= 8'hC0;
                    bytes[written+12'd1] <= bytes__rx_data;
                    written <= written + 2;
                end
            end
        end
        // Bursts and gaps; what is offered stays.
        if (bytes__tx_valid && bytes__tx_ready) begin
            taken <= taken + 1;
            offered <= held > 1 && (random[12] || random[5:3] == 0);
        end else if (!offered) offered <= held != 0 && (random[12] || random[5:3] == 0);
        if (reset) left <= 63;
        else if (resetting) left <= left - 1;
        if (resetting) begin
            {written, taken, in_frame, open, offered} <= 0;
        end
    end
endmodule
