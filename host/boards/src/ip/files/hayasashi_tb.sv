// A conversation with the co-processor under random back-pressure on both sides: the requests of
// hayasashi_requests.hex must be answered by the bytes of hayasashi_answers.hex, which the software model made; with 64 bits
// those of hayasashi_word_requests.hex and hayasashi_word_answers.hex.
// Every round but the first begins with a reset in the middle of the same conversation. With 64 bits every second round has
// packets of 512 words, the others a packet for each answer.
//
// Parameters: WIDE (1: hayasashi_axis64, 0: hayasashi_axis8), SEED (not 0), ROUNDS.
// Ends with "PASS" and $finish, or with $fatal. Verilator: --binary --timing.

module hayasashi_tb #(
    parameter WIDE = 1,
    parameter SEED = 1,
    parameter ROUNDS = 5
);
    localparam REQUEST_BYTES = WIDE ? @WORD_REQUEST_BYTES@ : @REQUEST_BYTES@;
    localparam ANSWER_BYTES = WIDE ? @WORD_ANSWER_BYTES@ : @ANSWER_BYTES@;
    localparam LANES = WIDE ? 8 : 1;
    localparam TIMEOUT = 20000;  // clocks in which nothing moves
    localparam [7:0] END = 8'hC0;
    localparam [63:0] FILLER = {8{END}};

    reg [7:0] requests [0:REQUEST_BYTES-1];
    reg [7:0] answers [0:ANSWER_BYTES-1];
    initial
        if (WIDE) begin
            $readmemh("hayasashi_word_requests.hex", requests);
            $readmemh("hayasashi_word_answers.hex", answers);
        end else begin
            $readmemh("hayasashi_requests.hex", requests);
            $readmemh("hayasashi_answers.hex", answers);
        end

    reg aclk = 0;
    reg aresetn = 1;
    reg s_tvalid = 0;
    reg [8*LANES-1:0] s_tdata = 0;
    reg [11:0] packet_words = 0;
    wire s_tready;
    reg m_tready = 0;
    wire m_tvalid, m_tlast;
    wire [8*LANES-1:0] m_tdata;

    always #5 aclk = !aclk;

    generate
        if (WIDE) begin : wide
            hayasashi_axis64 dut (
                .aclk(aclk), .aresetn(aresetn), .packet_words(packet_words),
                .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tlast(1'b0),
                .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast)
            );
        end else begin : narrow
            hayasashi_axis8 dut (
                .aclk(aclk), .aresetn(aresetn),
                .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tlast(1'b0),
                .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast)
            );
        end
    endgenerate

    // Marsaglia's xorshift, so that every simulator sees the same run.
    reg [31:0] random = SEED;
    task step;
        begin
            random = random ^ (random << 13);
            random = random ^ (random >> 17);
            random = random ^ (random << 5);
        end
    endtask

    integer round = 0;
    integer clocks = 0, still = 0, silence = 0;
    integer sent = 0;      // bytes of requests that are offered or taken
    integer limit = 0;     // offer no more than these
    integer received = 0;
    integer low = 0;       // clocks of reset that are left
    integer lane;
    integer filled = 0;    // words of the packet so far
    integer left = 0;      // words of the answer that did not come, once its header has come
    integer fillers = 0;
    reg in_frame = 0;
    reg early = 1;         // this is the part of the round before its reset
    reg checked = 0;       // the clock before was one without reset
    reg held = 0;          // and in it something was offered and not taken
    reg [8*LANES-1:0] held_data;
    reg held_last;
    reg [8*LANES-1:0] data;
    reg [63:0] word;
    reg whole;

    // What arrives.
    task receive;
        begin
            word = m_tdata;
            if (WIDE && packet_words != 0 && left == 0 && word == FILLER) begin
                fillers = fillers + 1;
                whole = 0;
            end else begin
                for (lane = 0; lane < LANES; lane = lane + 1) begin
                    if (received == ANSWER_BYTES)
                        $fatal(1, "clock %0d: a byte %h after the last answer", clocks, m_tdata[8*lane+:8]);
                    if (m_tdata[8*lane+:8] !== answers[received])
                        $fatal(1, "round %0d, clock %0d, byte %0d of the answers: %h, not %h", round, clocks, received,
                               m_tdata[8*lane+:8], answers[received]);
                    whole = in_frame && answers[received] == END;
                    in_frame = answers[received] != END;
                    received = received + 1;
                end
                if (WIDE) begin
                    // A header has the payload's length; a trailer comes last.
                    left = left == 0 ? (word[63:48] + 7) / 8 + 1 : left - 1;
                    whole = left == 0;
                end
            end
            filled = filled + 1;
            if (packet_words != 0) whole = filled == packet_words;
            if (whole !== m_tlast) $fatal(1, "clock %0d, byte %0d of the answers: tlast is %b", clocks, received, m_tlast);
            if (whole) filled = 0;
        end
    endtask

    // The next word of requests.
    task offer;
        begin
            for (lane = 0; lane < LANES; lane = lane + 1) data[8*lane+:8] = requests[sent+lane];
            s_tvalid <= 1;
            s_tdata <= data;
            sent = sent + LANES;
        end
    endtask

    always @(posedge aclk) begin
        clocks = clocks + 1;
        still = still + 1;
        step;
        if (!aresetn) begin
            if (checked === 0 && m_tvalid !== 0) $fatal(1, "clock %0d: tvalid in reset", clocks);
            checked <= 0;
            held <= 0;
            low = low - 1;
            still = 0;
            if (low == 0) aresetn <= 1;
        end else begin
            checked <= 1;
            if (^{m_tvalid, s_tready} === 1'bx) $fatal(1, "clock %0d: tvalid %b, tready %b", clocks, m_tvalid, s_tready);
            if (held && (m_tvalid !== 1 || m_tdata !== held_data || m_tlast !== held_last))
                $fatal(1, "clock %0d: an offer was withdrawn or changed", clocks);
            held <= m_tvalid && !m_tready;
            held_data <= m_tdata;
            held_last <= m_tlast;
            if (m_tvalid) begin
                if (still > silence) silence = still;
                still = 0;
            end
            if (m_tvalid && m_tready) receive;

            // The taker: always ready, at times, seldom, only after an offer.
            case (round % 4)
                0: m_tready <= 1;
                1: m_tready <= random[0];
                2: m_tready <= random[4:0] == 0 || (m_tready && random[6:5] != 0);
                3: m_tready <= m_tvalid && !m_tready && random[0];
            endcase

            // The giver: a round of its own has a reset in its middle, and then the whole.
            if (s_tvalid && s_tready) still = 0;
            if (!s_tvalid || s_tready) begin
                s_tvalid <= 0;
                if (sent < limit && (round % 2 == 0 || random[13:11] != 0)) offer;
            end
            if (early && sent == limit && !s_tvalid && (round == 0 || random[24:16] == 0)) begin
                early = 0;
                sent = 0;
                received = 0;
                in_frame = 0;
                filled = 0;
                left = 0;
                limit = REQUEST_BYTES;
                if (round != 0) begin
                    packet_words <= WIDE && round % 2 != 0 ? 512 : 0;
                    aresetn <= 0;
                    low = 1 + random[7:5];
                end
            end
            if (!early && received == ANSWER_BYTES && still > 6000) begin
                if (packet_words != 0 && filled != 0) $fatal(1, "a packet of %0d words was not completed", filled);
                $display("round %0d: %0d clocks so far", round, clocks);
                round = round + 1;
                early = 1;
                sent = 0;
                received = 0;
                filled = 0;
                limit = random[31:16] % (REQUEST_BYTES / LANES) * LANES;
                if (round == ROUNDS) begin
                    $display("longest silence of the chip at work: %0d clocks", silence);
                    if (WIDE) $display("fillers: %0d words", fillers);
                    $display("PASS: %0d bytes of answers in each of %0d rounds, %0d clocks", ANSWER_BYTES, ROUNDS, clocks);
                    $finish;
                end
            end else if (still > TIMEOUT)
                $fatal(1, "round %0d, clock %0d: silence after %0d bytes of answers", round, clocks, received);
        end
    end
endmodule
