// One move, any, is watched from its arrival until its answer is retired, or a reset; the moves, the answers, the reader and
// resets are arbitrary.

module harness(
    input clock, input reset, input write, input [31:0] record, input counted, input [1:0] flags, input scoring, input scored,
    input [15:0] score, input decided, input [31:0] first, input [9:0] moves, input retire, input take, input watch_now
);
    localparam PLACES = 1024, MAX_MOVES = 593, MOST_WORDS = 1000; // more words than the longest answer has
    wire answered, valid;
    wire [10:0] dut_base, dut_complete;
    wire [63:0] data;
    answer_memory dut(
        .clock(clock), .reset(reset), .write(write), .record(record), .counted(counted), .flags(flags), .scoring(scoring),
        .scored(scored), .score(score), .decided(decided), .first(first), .moves(moves), .retire(retire), .answered(answered),
        .base(dut_base), .complete(dut_complete), .words$data(data), .words$valid(valid), .words$take(take)
    );

    // The specification: moves that arrived, that have flags, that are complete, and those of answers that are done with, all
    // counted modulo twice the places. At the start they are equal, anywhere in the ring.
    reg power_on = 1;
    reg [10:0] written, flagged, complete, base;
    wire completes = scoring ? scored : counted;
    always @(posedge clock) begin
        power_on <= 0;
        written <= reset ? 11'd0 : written + write;
        flagged <= reset ? 11'd0 : flagged + counted;
        complete <= reset ? 11'd0 : complete + completes;
        base <= reset ? 11'd0 : retire ? base + moves : base;
    end
    wire [10:0] dut_written, dut_flagged; // the block's own, see the script
    always @* begin
        if (power_on) assume (written == base && flagged == base && complete == base);
        if (power_on) assume (dut_written == base && dut_flagged == base && dut_complete == base && dut_base == base);
        assert (dut_written == written && dut_flagged == flagged && dut_complete == complete && dut_base == base);
    end
    // How many of each there are of the answers that are not done with.
    wire [10:0] are_written = written - base, are_flagged = flagged - base, are_complete = complete - base;

    // What the others do: no more moves than places, and no answer longer than the longest; flags and scores of moves that are there, in their order; an answer
    // stays until it is retired; the reader takes what is shown.
    reg stays = 0, scoring_before;
    reg [31:0] first_before;
    reg [9:0] moves_before;
    always @(posedge clock) begin
        stays <= decided && !retire && !reset;
        scoring_before <= scoring;
        first_before <= first;
        moves_before <= moves;
    end
    reg [9:0] taken = 0; // words of the present answer
    always @* begin
        if (write) assume (are_written < PLACES);
        if (counted) assume (are_flagged < are_written);
        if (scored) assume (scoring && are_complete < are_flagged);
        if (!power_on && scoring != scoring_before) assume (are_complete == are_written);
        if (decided) assume (moves <= MAX_MOVES);
        if (stays) assume (decided && first == first_before && moves == moves_before);
        if (retire) assume (answered);
        if (take && valid) assume (taken < MOST_WORDS);
    end
    always @(posedge clock) taken <= reset || retire ? 10'd0 : taken + (take && valid);

    // The watched move.
    reg watched = 0, its_scoring;
    reg [10:0] place;
    reg [31:0] its_record;
    reg [1:0] its_flags;
    reg [15:0] its_score;
    wire [10:0] index = place - base; // in the present answer, or behind it
    always @(posedge clock) begin
        if (!watched && write && watch_now) begin
            watched <= 1;
            place <= written;
            its_record <= record;
            its_scoring <= scoring;
        end
        if (counted && flagged == place) its_flags <= flags;
        if (scored && complete == place) its_score <= score;
        if (reset || (retire && index < moves)) watched <= 0;
    end

    // Where it stands in the answer: in a half of a word, behind `first`; its score in a quarter, behind all records, of which an
    // even number ends in the middle of a word.
    wire present = watched && index < moves;
    wire [10:0] half = index + 11'd1;
    wire [9:0] plain = (moves + 10'd1) / 2; // words before the first one with scores
    wire [10:0] quarter = moves[0] ? index : index + 11'd2; // from that word on
    wire [31:0] whole_record = its_record | {11'd0, its_flags[1], 1'b0, its_flags[0], 18'd0};
    wire record_shows = valid && present && taken == half / 2;
    wire score_shows = valid && present && its_scoring && taken == plain + quarter / 4;
    always @* begin
        if (valid && taken == 0) assert (data[31:0] == first);
        if (record_shows) assert (data[32 * half[0] +: 32] == whole_record);
        if (score_shows) assert (data[16 * quarter[1:0] +: 16] == its_score);
        // An answer stands only when its moves are complete, and in time; then a word shows from the third clock on.
        if (answered) assert (decided && moves <= are_complete);
        if (valid) assert (answered);
    end
    reg [2:0] due = 0;
    reg [1:0] stood = 0;
    always @(posedge clock) begin
        due <= decided && !retire && !reset && moves <= are_complete ? due + (due != 4) : 3'd0;
        stood <= answered && !retire && !reset ? stood + (stood != 2) : 2'd0;
    end
    always @* begin
        if (due == 4) assert (answered);
        if (stood == 2) assert (valid);
    end

    // What holds in between (for induction). First the order of things.
    wire [10:0] here;
    wire enough, fetched, at_first, past, swapped;
    wire [1:0] age, turn;
    wire [9:0] words_left;
    wire [8:0] even_at, odd_at;
    wire [7:0] at_0, at_1, at_2, at_3;
    wire [31:0] even_data, odd_data;
    wire [1:0] even_flags, odd_flags;
    wire [15:0] data_0, data_1, data_2, data_3;
    wire [10:0] moved = taken + valid; // words that left the memory
    wire [10:0] scores_moved = moved > plain ? moved - plain : 11'd0;
    wire [10:0] from = moves[0] ? base : base - 11'd2;
    always @* begin
        assert (are_complete <= are_flagged && are_flagged <= are_written && are_written <= PLACES);
        if (!power_on && !scoring_before) assert (complete == flagged);
        if (answered || age != 0) assert (stays);
        if (age >= 1) assert (here <= are_complete);
        if (age >= 2 && enough) assert (moves <= are_complete);
        assert (due <= 4 && stood <= 2);
        if (due >= 1) assert (age >= 1);
        if (due >= 2) assert (age >= 2 && here >= moves);
        if (due >= 3) assert (age == 3 && enough);
        assert (fetched == (stood != 0) && valid == (stood == 2));
        if (stood != 0) assert (answered);
        if (!valid) assert (taken == 0);
        assert (taken <= MOST_WORDS);
        if (answered) begin
            assert (words_left == (moved < plain ? plain - moved : 11'd0));
            assert (past == (moved > plain) && at_first == (moved == 0));
            assert (swapped == !base[0] && turn == from[1:0]);
        end
    end
    // What the memory holds of the watched move.
    reg [31:0] peek_even [0:511];
    reg [31:0] peek_odd [0:511];
    reg [1:0] peek_flags_even [0:511];
    reg [1:0] peek_flags_odd [0:511];
    reg [15:0] peek_scores_0 [0:255];
    reg [15:0] peek_scores_1 [0:255];
    reg [15:0] peek_scores_2 [0:255];
    reg [15:0] peek_scores_3 [0:255];
    wire [8:0] pair_at = place[9:1];
    wire [7:0] four_at = place[9:2];
    wire [31:0] kept_record = place[0] ? peek_odd[pair_at] : peek_even[pair_at];
    wire [1:0] kept_flags = place[0] ? peek_flags_odd[pair_at] : peek_flags_even[pair_at];
    wire [63:0] kept_four = {peek_scores_3[four_at], peek_scores_2[four_at], peek_scores_1[four_at], peek_scores_0[four_at]};
    wire [7:0] its_cursor = place[1] ? (place[0] ? at_3 : at_2) : (place[0] ? at_1 : at_0);
    wire [63:0] read_four = {data_3, data_2, data_1, data_0};
    wire [8:0] pairs_to_go = pair_at - (place[0] ? odd_at : even_at);
    wire [7:0] fours_to_go = four_at - its_cursor;
    always @* if (answered && present) begin
        assert (pairs_to_go == (half / 2 - moved) % 512);
        assert (fours_to_go == (quarter / 4 - scores_moved) % 256);
    end
    always @* if (watched) begin
        assert (index < are_written);
        assert (kept_record == its_record);
        if (index < are_flagged) assert (kept_flags == its_flags);
        if (its_scoring && index < are_complete) assert (kept_four[16 * place[1:0] +: 16] == its_score);
        if (!power_on && index >= are_complete) assert (its_scoring == scoring_before);
        if (fetched && present) begin
            if (!place[0] && even_at == pair_at) assert (even_data == its_record && even_flags == its_flags);
            if (place[0] && odd_at == pair_at) assert (odd_data == its_record && odd_flags == its_flags);
            if (its_scoring && its_cursor == four_at) assert (read_four[16 * place[1:0] +: 16] == its_score);
        end
    end

    // The second answer, which lies across the end of the ring.
    reg second = 0;
    always @(posedge clock) second <= !reset && (second || (retire && moves == 1));
    wire across = second && base[9:0] == 1023 && its_record == 32'h1230_5678 && its_flags == 2;
    always @(posedge clock) begin
        cover (across && record_shows && moves == 2 && index == 1 && its_scoring);
        cover (across && score_shows && moves == 2 && index == 1 && its_score == 16'h55aa);
        cover (across && score_shows && moves == 3 && index == 2);
        cover (across && record_shows && moves == 2 && index == 1 && !its_scoring);
    end
endmodule
