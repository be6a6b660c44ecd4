// The checksum against its definition, bit by bit; and what a frame's last four bytes make of it.

module harness(input clock, input clear, input valid, input [7:0] data, input watch_now);
    wire [31:0] checksum;
    crc32 dut(.clock(clock), .clear(clear), .valid(valid), .data(data), .checksum(checksum));

    // CRC-32 (ISO-HDLC): reflected, polynomial 0x04C11DB7, all ones at the start and exclusive-or'ed at the end.
    function [31:0] append(input [31:0] sum, input [7:0] data);
        integer i;
        begin
            append = ~sum;
            for (i = 0; i < 8; i = i + 1)
                append = (append >> 1) ^ (append[0] ^ data[i] ? 32'hEDB88320 : 32'd0);
            append = ~append;
        end
    endfunction
    reg [31:0] expected = 0;
    always @(posedge clock) if (clear) expected <= 0; else if (valid) expected <= append(expected, data);
    always @* assert (checksum == expected);

    // The four bytes that are the checksum of the moment, least significant first, give the residue, 0xDEBB20E3 before
    // the final exclusive-or. Bytes may come with pauses; what came before is arbitrary.
    reg [2:0] taken = 0;
    reg watching = 0;
    reg [31:0] before;
    wire [31:0] left = before >> 8 * taken;
    always @(posedge clock) begin
        if (clear || taken == 4) {watching, taken} <= 0;
        else if (!watching && watch_now && !valid) begin
            watching <= 1;
            before <= checksum;
        end else if (watching && valid) taken <= taken + 1;
    end
    always @* if (watching && valid) assume (data == left[7:0]);
    always @* if (taken == 4) assert (checksum == 32'h2144DF1C);

    // What holds in between (for induction): what is left of the checksum, and a constant.
    wire [31:0] rest_1 = append(0, 0);
    wire [31:0] rest_2 = append(rest_1, 0);
    wire [31:0] rest_3 = append(rest_2, 0);
    always @* begin
        assert (taken <= 4 && (watching || taken == 0));
        if (watching)
            case (taken)
                0: assert (checksum == left);
                1: assert (checksum == (left ^ rest_1));
                2: assert (checksum == (left ^ rest_2));
                3: assert (checksum == (left ^ rest_3));
            endcase
    end

    always @(posedge clock) cover (taken == 4 && before == 32'hD202EF8D);
endmodule
