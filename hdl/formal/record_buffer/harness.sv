// One record, of any move, is watched from its arrival until it is taken, or a reset; the pipeline, the caller, the scores and
// resets are arbitrary.

module harness(
    input clock, input reset, input [511:0] position, input start, input want_records, input want_scores,
    input word_next, input watch_now, input [31:0] score_word, input score_valid
);
    wire ready, done, word_valid, score_next;
    wire [4:0] faults;
    wire [9:0] count;
    wire [15:0] result;
    wire [31:0] word;
    movegen_unit dut(
        .clock(clock), .reset(reset), .position(position), .start(start), .requests$want_records(want_records),
        .requests$want_scores(want_scores), .requests$ready(ready), .requests$done(done), .requests$faults(faults),
        .requests$count(count), .requests$result(result), .records$data(word), .records$valid(word_valid),
        .records$take(word_next), .scores$data(score_word), .scores$valid(score_valid), .scores$take(score_next),
        .walk$start(1'b0), .walk$depth(4'd0), .walk$stop(1'b0)
    );
    // The block's own, see the script.
    wire [2:0] state;
    wire [31:0] made;
    wire arrives, completes, checks, mates, fetched, scores_wanted;
    wire [9:0] words_left, write_at, count_at, read_at;
    localparam STORE = 3, GIVE = 4, SCORES = 5;

    // The specification: records that arrived, were completed and were taken since the start, and words of scores that were taken.
    reg [9:0] arrived = 0, complete = 0, taken = 0, scores_taken = 0;
    reg scoring = 0;
    wire takes = word_valid && word_next && state != SCORES;
    wire takes_scores = word_valid && word_next && state == SCORES;
    wire begins = ready && start;
    always @(posedge clock) begin
        arrived <= begins || reset ? 10'd0 : arrived + arrives;
        complete <= begins || reset ? 10'd0 : complete + completes;
        taken <= begins || reset ? 10'd0 : taken + takes;
        scores_taken <= begins || reset ? 10'd0 : scores_taken + takes_scores;
        if (begins) scoring <= want_scores;
    end
    // As many records arrive as there are moves (proofs bank, fetch and pick), while they are being taken out, and each is completed
    // later. None comes in the last clock of a reset, in whose clocks no more is looked at.
    always @* begin
        if (arrives) assume (state == GIVE && arrived < count && !reset);
        if (completes) assume (state == GIVE && complete < arrived && !reset);
    end

    // The watched record.
    reg watched = 0, its_checks, its_mates;
    reg [9:0] place;
    reg [31:0] its_record;
    always @(posedge clock) begin
        if (begins || reset) watched <= 0;
        else if (!watched && arrives && watch_now) begin
            watched <= 1;
            place <= arrived;
            its_record <= made;
        end
        if (completes && complete == place) {its_mates, its_checks} <= {mates, checks};
    end

    // It comes out in its turn, unchanged but for its flags; nothing comes out that is not complete; what is complete shows after
    // two clocks at most. Then come the scores, unchanged. The unit is ready again once all are out.
    reg [1:0] waits = 0; // clocks without `word_valid` though there is a complete record
    always @(posedge clock) waits <= begins || reset || word_valid || taken == complete ? 2'd0 : waits + (waits != 3);
    wire giving = state == GIVE;
    wire [9:0] score_words = (count + 10'd1) >> 1;
    always @* begin
        if (takes && watched && taken == place)
            assert (word == (its_record | {11'd0, its_mates, 1'b0, its_checks, 18'd0}));
        if (word_valid && state != SCORES) assert (taken < complete);
        if (state == SCORES) assert (word == score_word && word_valid == score_valid && score_next == word_next);
        else assert (!score_next);
        assert (waits < 2);
        if (giving) assert (words_left == count - taken && taken <= count);
        if (state == SCORES) assert (taken == count && scoring && words_left == score_words - scores_taken);
        if (state == STORE) assert (words_left == count && taken == 0);
    end
    reg giving_before = 0, scores_before = 0, records_out = 0, scores_out = 0, scoring_before = 0, reset_before = 0;
    always @(posedge clock) begin
        giving_before <= giving;
        scores_before <= state == SCORES;
        records_out <= taken == count;
        scores_out <= scores_taken == score_words;
        scoring_before <= scoring;
        reset_before <= reset;
    end
    always @* if (!reset_before) begin
        if (giving_before) assert (ready == (records_out && !scoring_before));
        if (scores_before) assert (ready == scores_out);
    end

    // What holds in between (for induction).
    reg [31:0] peek_buffer [0:1023];
    reg [1:0] peek_flags [0:1023];
    wire [31:0] stored = peek_buffer[place];
    wire [1:0] stored_flags = peek_flags[place];
    always @* begin
        assert (state <= SCORES && ready == (state == 0));
        assert (ready || scoring == scores_wanted);
        assert (arrived == write_at && complete == count_at && taken == read_at);
        if (!giving && state != SCORES && !ready) assert (arrived == 0);
        assert (taken <= complete && complete <= arrived);
        if (giving) assert (arrived <= count);
        if (state == SCORES) assert (arrived == count && complete == count && scores_taken <= score_words);
        else if (!ready) assert (scores_taken == 0);
        if (ready) assert (taken == complete && complete == arrived);
        if (fetched) assert (giving && taken < complete);
        if (watched) begin
            assert (place < arrived);
            if (giving) assert (stored == its_record);
            if (giving && place < complete) assert (stored_flags == {its_mates, its_checks});
        end
        if (waits != 0) assert (!giving || word_valid);
    end

    always @(posedge clock) begin
        cover (takes && watched && place == 2 && taken == 2 && its_record == 32'h1230_5678 && its_mates);
        cover (ready && giving_before && count == 3);
        cover (ready && scores_before && count == 3);
    end
endmodule
