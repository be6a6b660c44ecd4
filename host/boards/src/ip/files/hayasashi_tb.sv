// A conversation with the co-processor under random back-pressure on both sides: the requests of
// hayasashi_requests.hex must be answered by the bytes of hayasashi_answers.hex, which the software model made.
// Every round but the first begins with a reset in the middle of the same conversation.
//
// Parameters: WIDE (1: hayasashi_axis64, 0: hayasashi_axis8), SEED (not 0), ROUNDS.
// Ends with "PASS" and $finish, or with $fatal. Verilator: --binary --timing.

module hayasashi_tb #(
    parameter WIDE = 1,
    parameter SEED = 1,
    parameter ROUNDS = 5
);
    localparam REQUEST_BYTES = @REQUEST_BYTES@;
    localparam ANSWER_BYTES = @ANSWER_BYTES@;
    localparam LANES = WIDE ? 8 : 1;
    localparam TIMEOUT = 20000;  // clocks in which nothing moves
    localparam [7:0] END = 8'hC0;

    reg [7:0] requests [0:REQUEST_BYTES-1];
    reg [7:0] answers [0:ANSWER_BYTES-1];
    initial $readmemh("hayasashi_requests.hex", requests);
    initial $readmemh("hayasashi_answers.hex", answers);

    reg aclk = 0;
    reg aresetn = 1;
    reg s_tvalid = 0;
    reg [8*LANES-1:0] s_tdata = 0;
    reg [LANES-1:0] s_tkeep = 0;
    wire s_tready;
    reg m_tready = 0;
    wire m_tvalid, m_tlast;
    wire [8*LANES-1:0] m_tdata;
    wire [LANES-1:0] m_tkeep;

    always #5 aclk = !aclk;

    generate
        if (WIDE) begin : wide
            hayasashi_axis64 dut (
                .aclk(aclk), .aresetn(aresetn),
                .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tkeep(s_tkeep),
                .s_axis_tlast(1'b0),
                .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tkeep(m_tkeep),
                .m_axis_tlast(m_tlast)
            );
        end else begin : narrow
            assign m_tkeep = 1'b1;
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
    integer lane, kept;
    reg in_frame = 0;
    reg early = 1;         // this is the part of the round before its reset
    reg checked = 0;       // the clock before was one without reset
    reg held = 0;          // and in it something was offered and not taken
    reg [8*LANES-1:0] held_data;
    reg [LANES-1:0] held_keep;
    reg held_last;
    reg [LANES-1:0] keep;
    reg [8*LANES-1:0] data;
    reg whole;

    // What arrives.
    task receive;
        begin
            if (WIDE && (m_tkeep == 0 || (m_tkeep & (m_tkeep + 1)) != 0))
                $fatal(1, "clock %0d: tkeep %b is not ones from the lowest bit up", clocks, m_tkeep);
            if (WIDE && !(&m_tkeep) && !m_tlast)
                $fatal(1, "clock %0d: tkeep %b without tlast", clocks, m_tkeep);
            for (lane = 0; lane < LANES; lane = lane + 1) begin
                if (m_tkeep[lane]) begin
                    if (received == ANSWER_BYTES)
                        $fatal(1, "clock %0d: a byte %h after the last answer", clocks, m_tdata[8*lane+:8]);
                    if (m_tdata[8*lane+:8] !== answers[received])
                        $fatal(1, "round %0d, clock %0d, byte %0d of the answers: %h, not %h", round, clocks, received,
                               m_tdata[8*lane+:8], answers[received]);
                    whole = in_frame && answers[received] == END;
                    if (whole !== (m_tlast && (lane == LANES - 1 || !m_tkeep[lane+1 < LANES ? lane + 1 : lane])))
                        $fatal(1, "clock %0d, byte %0d of the answers: tlast is %b", clocks, received, m_tlast);
                    in_frame = answers[received] != END;
                    received = received + 1;
                end
            end
        end
    endtask

    // A word of requests, with gaps.
    task offer;
        begin
            step;
            keep = {LANES{1'b1}};
            if (random[9:8] == 0) keep = random[31-:LANES];
            if (!WIDE) keep = 1'b1;
            step;
            data = {LANES{random[7:0]}};
            kept = 0;
            for (lane = 0; lane < LANES; lane = lane + 1) begin
                if (keep[lane]) begin
                    if (sent + kept < limit) begin
                        data[8*lane+:8] = requests[sent+kept];
                        kept = kept + 1;
                    end else keep[lane] = 0;
                end
            end
            s_tvalid <= 1;
            s_tdata <= data;
            s_tkeep <= keep;
            sent = sent + kept;
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
            if (held && (m_tvalid !== 1 || m_tdata !== held_data || m_tkeep !== held_keep || m_tlast !== held_last))
                $fatal(1, "clock %0d: an offer was withdrawn or changed", clocks);
            held <= m_tvalid && !m_tready;
            held_data <= m_tdata;
            held_keep <= m_tkeep;
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
                limit = REQUEST_BYTES;
                if (round != 0) begin
                    aresetn <= 0;
                    low = 1 + random[7:5];
                end
            end
            if (!early && received == ANSWER_BYTES && still > 6000) begin
                $display("round %0d: %0d clocks so far", round, clocks);
                round = round + 1;
                early = 1;
                sent = 0;
                received = 0;
                limit = random[31:16] % REQUEST_BYTES;
                if (round == ROUNDS) begin
                    $display("longest silence of the chip at work: %0d clocks", silence);
                    $display("PASS: %0d bytes of answers in each of %0d rounds, %0d clocks", ANSWER_BYTES, ROUNDS, clocks);
                    $finish;
                end
            end else if (still > TIMEOUT)
                $fatal(1, "round %0d, clock %0d: silence after %0d bytes of answers", round, clocks, received);
        end
    end
endmodule
