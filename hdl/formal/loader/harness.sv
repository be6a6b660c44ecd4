// Arbitrary bytes, with starts at any moment: what is written, and where.

module harness(input clock, input start, input valid, input [7:0] data, input networks, input network_bad);
    wire write_enable, loaded, error, network_valid, is_network;
    wire [6:0] write_slot;
    wire [10:0] write_address;
    wire [8:0] write_data;
    wire [383:0] values;
    wire pair_enable;
    wire [9:0] pair;
    wire [31:0] version, checksum, offset;
    loader dut(
        .clock(clock), .start(start), .valid(valid), .data(data), .write_enable(write_enable),
        .write_slot(write_slot), .write_address(write_address), .write_data(write_data), .values(values),
        .pair_enable(pair_enable), .pair(pair), .networks(networks), .network_bad(network_bad),
        .network_valid(network_valid), .is_network(is_network),
        .loaded(loaded), .error(error), .version(version), .checksum(checksum), .offset(offset)
    );
    // The block's own, see the script.
    wire [6:0] slot;
    wire [5:0] row;
    wire [4:0] code;
    wire [18:0] at;
    wire [23:0] last;
    wire complete, compared, in_body, in_network, over;

    localparam HEADER = 64, VALUES_FROM = 16, VALUES = 24, SLOTS = 88, ROWS = 46, CODES = 32, TABLE = HEADER + 2 * SLOTS * ROWS * CODES,
        UNITS = 64, NETWORK = TABLE + 8 + 2 * (3 * UNITS + 1) + SLOTS * CODES * UNITS;

    // The specification: bytes of the file so far, up to the first error, the last of them, and whether the file is a network's.
    wire takes = valid && !error;
    reg [31:0] bytes = 0;
    reg [23:0] three = 0;
    wire [7:0] before = three[23:16];
    reg network = 0;
    wire [31:0] file = network ? NETWORK : TABLE;
    always @(posedge clock) begin
        if (start) bytes <= 0; else if (takes) bytes <= bytes + 1;
        if (takes) three <= {data, three[23:8]};
        if (start) network <= 0; else if (takes && bytes == 7) network <= networks && {data, three} == 2;
    end

    // Each second byte of the weights, and nothing else, makes a write; it goes to the weight's own place.
    wire [31:0] weight = (bytes - HEADER) >> 1;
    always @* begin
        assert (write_enable == (takes && bytes >= HEADER && bytes < TABLE && bytes[0]));
        if (write_enable) begin
            assert (write_slot < SLOTS && write_address < ROWS * CODES);
            assert (write_slot * (ROWS * CODES) + write_address == weight);
            assert (write_data == {data[0], before});
        end
        // A file counts as loaded after its last byte, without an error, and is not written to then.
        if (loaded) assert (bytes >= file && !error && !write_enable);
        assert (offset == (error || bytes >= file ? 32'd0 : bytes));
        // The bytes behind the table are those of a network.
        assert (is_network == network && network_valid == (takes && network && bytes >= TABLE));
        if (!loaded) assert (version == 0 && checksum == 0);
    end

    // A watched value of the header, any, is at its place from the end of the header on; a watched pair, any, is asked for
    // before the table counts as loaded, and none before the values are there.
    (* anyconst *) wire [4:0] index;
    (* anyconst *) wire [9:0] its_pair;
    always @* assume (index < VALUES);
    reg [15:0] its_value;
    reg asked = 0;
    always @(posedge clock) begin
        if (takes && bytes == VALUES_FROM + 2 * index + 1) its_value <= {data, before};
        asked <= !start && (asked || (pair_enable && pair == its_pair));
    end
    always @* begin
        if (bytes >= HEADER) assert (values[16 * index +: 16] == its_value);
        if (pair_enable) assert (takes && bytes >= HEADER);
        if (loaded) assert (asked);
    end

    // What holds in between (for induction). Values go in at the top and move down.
    wire [31:0] values_in = (bytes - VALUES_FROM) >> 1;
    wire [9:0] its_turn = its_pair - HEADER;
    always @* begin
        if (bytes >= VALUES_FROM && bytes < HEADER && index < values_in)
            assert (values[16 * (VALUES - values_in + index) +: 16] == its_value);
        if (bytes > HEADER + its_turn) assert (asked);
        assert (at == bytes && bytes <= file + 1);
        assert (in_body == (bytes >= HEADER) && in_network == (network && bytes >= TABLE) && over == (bytes >= file));
        if (bytes > file) assert (error);
        if (bytes < 8) assert (!network);
        assert (last == three);
        assert (row < ROWS && slot <= SLOTS);
        if (bytes < HEADER) assert (slot == 0 && row == 0 && code == 0);
        else if (bytes <= TABLE) assert ((slot * 32'd46 + row) * 32'd32 + code == weight);
        if (bytes >= TABLE) assert (slot == SLOTS && row == 0 && code == 0);
        if (complete || compared) assert (bytes >= file || (error && bytes == 0));
    end
endmodule
