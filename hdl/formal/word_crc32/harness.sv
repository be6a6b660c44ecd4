// The checksum of words against its definition, bit by bit.
//
// Sums of many bits, modulo two, in two orders are hard for a solver. But what a word adds is such sums and nothing else: the script
// finds no other gates in `step`. Two such functions are equal if they are for nothing, and for each single bit.

module step(input clock, input [63:0] data, input [31:0] before, output [31:0] after);
    word_crc32 dut(.clock(clock), .clear(1'b0), .valid(1'b1), .data(data), .checksum_in(before), .checksum(after));
endmodule

module harness(input clock, input clear, input valid, input [63:0] data);
    // CRC-32 (ISO-HDLC): reflected, polynomial 0x04C11DB7, all ones at the start and exclusive-or'ed at the end; of each word the
    // lowest byte comes first, and of each byte the lowest bit.
    function [31:0] append(input [31:0] sum, input [63:0] data);
        integer i;
        begin
            append = ~sum;
            for (i = 0; i < 64; i = i + 1)
                append = (append >> 1) ^ (append[0] ^ data[i] ? 32'hEDB88320 : 32'd0);
            append = ~append;
        end
    endfunction
    // One bit of word and sum, or none.
    (* anyconst *) wire [6:0] place;
    wire [95:0] bits = place < 96 ? 96'd1 << place : 96'd0;
    wire [31:0] after;
    step one(.clock(clock), .data(bits[63:0]), .before(bits[95:64]), .after(after));
    reg started = 0;
    always @(posedge clock) started <= 1;
    always @* if (started) assert (after == append(bits[95:64], bits[63:0]));

    // A word is added where it is valid; `clear` wins.
    wire [31:0] checksum, added;
    word_crc32 dut(
        .clock(clock), .clear(clear), .valid(valid), .data(data), .checksum_in(checksum), .checksum(checksum)
    );
    step same(.clock(clock), .data(data), .before(checksum), .after(added));
    reg clear_before = 1, valid_before = 0;
    reg [31:0] before = 0;
    always @(posedge clock) {clear_before, valid_before, before} <= {clear, valid, checksum};
    always @* assert (checksum == (clear_before ? 32'd0 : valid_before ? added : before));

    always @(posedge clock) cover (checksum == 32'h2144DF1C && valid);
    always @(posedge clock) cover (started && place == 95);
endmodule
