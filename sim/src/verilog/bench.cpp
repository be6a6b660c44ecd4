// The chip behind a port of bytes or words, stepped by another process over pipes. UNIT_BYTES is the width of the port; CLOCK,
// RX_VALID, RX_DATA, RX_READY, TX_VALID, TX_DATA and TX_READY are the names of its signals; SET_RESET and SET_UP are
// statements.
//
// A command on standard input: how many clocks to run (u32), a number of bytes (u32), and the bytes, one unit of which is
// offered to the chip in each clock; or RESET and no bytes: a clock of reset, and those that it goes on for. The answer on
// standard output: clocks run (u32), bytes that the chip took (u32), a number of bytes (u32), and the bytes that the chip
// sent. Numbers are little-endian. A command ends early where the chip has taken all, has sent something, and then nothing
// more for QUIET clocks. The end of the input ends the process.
#include "Vtop.h"
#include "verilated.h"
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <unistd.h>
#include <vector>

static const uint32_t QUIET = 64;
static const uint32_t RESET = 0xFFFFFFFF;
static const size_t HEAD = 12;

static bool read_all(void *into, size_t bytes) {
    for (char *at = (char *)into; bytes > 0;) {
        ssize_t count = read(0, at, bytes);
        if (count <= 0) return false;
        at += count;
        bytes -= count;
    }
    return true;
}

static bool write_all(int to, const std::vector<uint8_t> &from) {
    for (size_t at = 0; at < from.size();) {
        ssize_t count = write(to, from.data() + at, from.size() - at);
        if (count <= 0) return false;
        at += count;
    }
    return true;
}

static void put(std::vector<uint8_t> &into, size_t at, uint32_t value) {
    for (int i = 0; i < 4; i++) into[at + i] = value >> 8 * i;
}

static uint32_t get(const uint8_t *from) {
    return from[0] | from[1] << 8 | from[2] << 16 | (uint32_t)from[3] << 24;
}

int main() {
    // Ctrl-C is for the process that steps this one, which then ends it; a closed pipe is an error of `write`.
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    // What Verilator prints must not come between the answers.
    int out = dup(1);
    if (out < 0 || dup2(2, 1) < 0) return 1;

    Vtop chip;
    chip.CLOCK = 0;
    SET_RESET(0);
    SET_UP;
    chip.RX_VALID = 0;
    chip.RX_DATA = 0;
    chip.TX_READY = 1;
    chip.eval();
    std::vector<uint8_t> input, answer;
    for (;;) {
        uint8_t head[8];
        if (!read_all(head, 8)) return 0;
        uint32_t clocks = get(head), bytes = get(head + 4), run = 0, taken = 0, quiet = 0;
        input.resize(bytes);
        if (!read_all(input.data(), bytes)) return 0;
        answer.assign(HEAD, 0);
        if (clocks == RESET) {
            chip.RX_VALID = 0;
            do {
                chip.CLOCK = 0;
                SET_RESET(run == 0);
                chip.eval();
                chip.CLOCK = 1;
                chip.eval();
                run++;
            } while (!chip.RX_READY);
            clocks = 0;
        }
        while (run < clocks && (taken < bytes || quiet < QUIET)) {
            bool offered = taken + UNIT_BYTES <= bytes;
            uint64_t unit = 0;
            for (size_t i = 0; offered && i < UNIT_BYTES; i++) unit |= (uint64_t)input[taken + i] << 8 * i;
            chip.CLOCK = 0;
            chip.RX_VALID = offered;
            chip.RX_DATA = unit;
            chip.eval();
            if (offered && chip.RX_READY) taken += UNIT_BYTES;
            if (chip.TX_VALID) {
                uint64_t sent = chip.TX_DATA;
                for (size_t i = 0; i < UNIT_BYTES; i++) answer.push_back(sent >> 8 * i);
                quiet = 0;
            } else if (answer.size() > HEAD) {
                quiet++;
            }
            chip.CLOCK = 1;
            chip.eval();
            run++;
        }
        put(answer, 0, run);
        put(answer, 4, taken);
        put(answer, 8, answer.size() - HEAD);
        if (!write_all(out, answer)) return 0;
    }
}
