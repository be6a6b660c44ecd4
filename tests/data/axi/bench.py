"""Conversations through the AXI-Stream wrappers, with gaps and back-pressure, and a watch on AXI-Stream's rules.

Run inside cocotb by tests/link/axi_stream.rs. Frames are written and read here once more, apart from the Rust sources.
Environment: HAYASASHI_SEED; for ``chip`` also HAYASASHI_CONVERSATION, a folder with requests.bin, answers.bin, position.bin (the
initial position) and info.bin (the 16 registers that INFO must answer, then 16 masks of what is compared).
"""

import os
import random
import struct
import zlib
from collections import deque
from pathlib import Path

import cocotb
from cocotb.triggers import Timer

END = b"\xC0"
FILLER = END * 8
rng = random.Random(int(os.environ["HAYASASHI_SEED"]))


class Bench:
    """Gives the clock, and in each clock looks at all wires just before the edge."""

    def __init__(self, dut):
        self.dut = dut
        self.width = len(dut.s_axis_tdata) // 8
        self.clocks = 0
        self.to_send = deque()  # bytes
        self.offer = None  # the word at s_axis
        self.packet_words = 0  # as the design has it
        self.filled = 0  # words of the packet so far
        self.answer = bytearray()  # the one that is coming
        self.answers = deque()
        self.held = None  # what m_axis offered and nobody took
        self.pace(0, 0)
        for wire in (dut.aclk, dut.s_axis_tvalid, dut.s_axis_tlast, dut.m_axis_tready):
            wire.value = 0
        if self.width > 1:
            dut.packet_words.value = 0
        dut.aresetn.value = 1

    def pace(self, source, sink):
        """In what share of the clocks the giver has nothing and the taker takes nothing, in runs."""
        self.pauses = [self.runs(source), self.runs(sink)]

    @staticmethod
    def runs(share):
        while True:
            pause = rng.random() < share
            yield from (pause for _ in range(rng.randint(1, 12)))

    async def clock(self):
        """One clock."""
        dut = self.dut
        giver_rests, taker_rests = (next(pauses) for pauses in self.pauses)
        if self.offer is None and self.to_send and not giver_rests:
            self.offer = int.from_bytes(bytes(self.to_send.popleft() for _ in range(self.width)), "little")
            dut.s_axis_tdata.value = self.offer
            dut.s_axis_tlast.value = rng.randrange(2)  # means nothing
        valid, ready = int(self.offer is not None), int(not taker_rests)
        dut.s_axis_tvalid.value, dut.m_axis_tready.value = valid, ready
        await Timer(3, "ns")
        before = int(dut.m_axis_tvalid.value), int(dut.s_axis_tready.value)
        if rng.randrange(4) == 0:
            # Another ready of the taker must not move the offer without a clock, nor another valid the giver's ready.
            dut.s_axis_tvalid.value, dut.m_axis_tready.value = 1 - valid, 1 - ready
            await Timer(1, "ns")
            after = int(dut.m_axis_tvalid.value), int(dut.s_axis_tready.value)
            assert after == before, f"clock {self.clocks}: tvalid, tready {before} became {after} without a clock"
            dut.s_axis_tvalid.value, dut.m_axis_tready.value = valid, ready
            await Timer(1, "ns")
        self.watch(before[0], ready)
        if valid and before[1]:
            self.offer = None
        dut.aclk.value = 1
        await Timer(5, "ns")
        dut.aclk.value = 0
        await Timer(1, "ns")
        self.clocks += 1

    def watch(self, valid, ready):
        """Offers stay until they are taken; packets end where they should."""
        dut = self.dut
        if not valid:
            assert self.held is None, f"clock {self.clocks}: the offer {self.held} was withdrawn"
            return
        offer = int(dut.m_axis_tdata.value), int(dut.m_axis_tlast.value)
        assert self.held in (None, offer), f"clock {self.clocks}: the offer {self.held} became {offer}"
        self.held = None if ready else offer
        if not ready:
            return
        data, last = offer
        data = data.to_bytes(self.width, "little")
        self.filled += 1
        if self.packet_words and not self.answer and data == FILLER:
            ends = False
        else:
            self.answer += data
            ends = self.whole()
            if ends:
                self.answers.append(bytes(self.answer))
                self.answer.clear()
        if self.packet_words:
            ends = self.filled == self.packet_words
        assert last == ends, f"clock {self.clocks}, word {self.filled} of the packet: tlast is {last}"
        if last:
            self.filled = 0

    def whole(self):
        """Whether the answer has come."""
        if self.width == 1:
            return len(self.answer) > 1 and self.answer[-1:] == END
        length = int.from_bytes(self.answer[6:8], "little")
        return len(self.answer) == 8 + (length + 7) // 8 * 8 + 8

    async def receive(self, count):
        """So many answers."""
        quiet = 0
        while len(self.answers) < count:
            had = len(self.answer), len(self.to_send), len(self.answers)
            await self.clock()
            quiet = 0 if had != (len(self.answer), len(self.to_send), len(self.answers)) else quiet + 1
            assert quiet < 10_000, f"clock {self.clocks}: {len(self.answers)} of {count} answers, then silence"
        return [self.answers.popleft() for _ in range(count)]

    async def silence(self):
        """Nothing more comes but the rest of the packet."""
        for _ in range(2_000):
            await self.clock()
        while self.filled:
            before = self.filled
            for _ in range(1_000):
                await self.clock()
            assert self.filled != before, f"clock {self.clocks}: a packet stays at {before} words"
        assert not self.answers and not self.answer, "bytes after the last answer"

    async def reset(self, clocks, packet_words=0):
        """A reset of so many clocks, in which the giver is silent, as AXI wants it. Packets change only there."""
        dut = self.dut
        dut.aresetn.value = 0
        self.to_send.clear()
        self.offer = self.held = None
        for i in range(clocks):
            await self.clock()
            self.held = None
            assert i == 0 or not int(dut.m_axis_tvalid.value), "tvalid in reset"
        if self.width > 1:
            dut.packet_words.value = packet_words
            self.packet_words = packet_words
        dut.aresetn.value = 1
        self.filled = 0
        self.answers.clear()
        self.answer.clear()


def header(opcode, sequence, payload):
    return struct.pack("<BBHHH", opcode, 0, sequence, 0, len(payload))


def byte_request(opcode, sequence, payload=b""):
    plain = header(opcode, sequence, payload) + payload
    plain += struct.pack("<I", zlib.crc32(plain))
    return END + plain.replace(b"\xDB", b"\xDB\xDD").replace(END, b"\xDB\xDC") + END


def word_request(opcode, sequence, payload=b""):
    plain = header(opcode, sequence, payload) + payload + bytes(-len(payload) % 8)
    return plain + struct.pack("<I", zlib.crc32(plain)) + b"HSYF"


def answer(frame, width):
    """Header fields and payload of an answer."""
    if width == 1:
        plain = frame[1:-1].replace(b"\xDB\xDC", END).replace(b"\xDB\xDD", b"\xDB")
        plain, crc = plain[:-4], plain[-4:]
    else:
        plain, crc = frame[:-8], frame[-8:-4]
        assert frame[-4:] == b"HSYF", frame.hex()
    assert zlib.crc32(plain) == struct.unpack("<I", crc)[0], f"checksum of {frame.hex()}"
    fields = struct.unpack("<BBHHH", plain[:8])
    return fields, plain[8 : 8 + fields[4]]


def word_frames(stream):
    """The frames of a stream without fillers."""
    while stream:
        whole = 8 + (int.from_bytes(stream[6:8], "little") + 7) // 8 * 8 + 8
        yield stream[:whole]
        stream = stream[whole:]


def byte_frame(body):
    """What the stand-in sends back; ``body`` holds no END."""
    return END + body + END


def word_frame(body):
    """The same behind a word port: only the length counts there, and the words are whole. No header is a filler."""
    body = body[: len(body) // 8 * 8] or bytes(8)
    return bytes([1, 0, 0, 0, 0, 0]) + struct.pack("<H", len(body)) + body + b"trailer."


@cocotb.test(skip="HAYASASHI_CONVERSATION" in os.environ)
async def wrapper(dut):
    """The wrapper around a stand-in that sends each frame back: nothing is lost, doubled or kept back."""
    bench = Bench(dut)
    words = bench.width > 1
    frame = word_frame if words else byte_frame
    gap = FILLER if words else END
    paces = [(0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1)]
        # Packets: one for each answer; those of a DMA; short ones, of which an answer fills several.
    for packet_words in (0, 512, 3) if words else (0,):
        await bench.reset(1, packet_words)
        for source, sink in paces:
            bench.pace(source, sink)
            sent = []
            for _ in range(60):
                body = bytes(rng.choice([0xC1, 0xDB, 0x00, 0xFF, rng.randrange(0xC0)]) for _ in range(rng.randint(1, 40)))
                bench.to_send += gap * rng.randint(0, 2) + frame(body)
                sent.append(frame(body))
            for index, (got, want) in enumerate(zip(await bench.receive(len(sent)), sent)):
                assert got == want, f"frame {index}: {got.hex()}, not {want.hex()}"
            await bench.silence()
    for clocks in (1, 2, 17):
        bench.pace(0.2, 0.6)
        for i in range(30):
            bench.to_send += frame(bytes([0xAA, i, clocks] * 3))
        bench.to_send += frame(b"\xAA" * 16)[:16]
        for _ in range(rng.randint(50, 400)):
            await bench.clock()
        await bench.reset(clocks, 5 if words else 0)
        bench.to_send += frame(bytes([0x55, clocks] * 4))
        assert await bench.receive(1) == [frame(bytes([0x55, clocks] * 4))], "an answer from before the reset"
    await bench.silence()


@cocotb.test(skip="HAYASASHI_CONVERSATION" not in os.environ)
async def chip(dut):
    """The whole chip: INFO by its fields, walks, and a conversation byte for byte as the software model has it."""
    folder = Path(os.environ["HAYASASHI_CONVERSATION"])
    requests, answers = (folder / "requests.bin").read_bytes(), (folder / "answers.bin").read_bytes()
    registers, masks = struct.iter_unpack("<16I", (folder / "info.bin").read_bytes())
    position = (folder / "position.bin").read_bytes()
    bench = Bench(dut)
    words = bench.width > 1
    request = word_request if words else byte_request
    expected = list(word_frames(answers)) if words else [END + body + END for body in answers.split(END) if body]
    for source, sink, walks in [(0.2, 0.5, True), (0.6, 0.1, False), (0.1, 0.2, True)]:
        bench.pace(source, sink)
        bench.to_send += request(0x01, 0xC0DB) + requests
        info, *rest = await bench.receive(1 + len(expected))
        fields, payload = answer(info, bench.width)
        assert fields == (0x81, 0, 0xC0DB, 0, 64), f"header of the answer to INFO: {fields}"
        for index, (value, want, mask) in enumerate(zip(struct.unpack("<16I", payload), registers, masks)):
            assert value & mask == want & mask, f"register {index}: 0x{value:08X}, not 0x{want:08X}"
        for index, (got, want) in enumerate(zip(rest, expected)):
            assert got == want, f"answer {index}: {got.hex()}, not {want.hex()}"
        bench.to_send += request(0x13, 0x0BAD, bytes([3, 0, 0, 0]) + position)
        fields, payload = answer((await bench.receive(1))[0], bench.width)
        assert fields == (0x93, 0, 0x0BAD, 0, 24) and struct.unpack("<QQ", payload[:16]) == (25_470, 900), payload.hex()
        await bench.silence()
        # A reset in the middle of the work: of a walk that would take hours, or of the conversation.
        bench.to_send += request(0x13, 0xDEAD, bytes([8, 10, 0, 0]) + position) if walks else requests
        for _ in range(rng.randint(2000, 6000)):
            await bench.clock()
        await bench.reset(rng.randint(1, 20), 512 if words else 0)
