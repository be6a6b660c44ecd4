"""Conversations through the AXI-Stream wrappers, with gaps and back-pressure, and a watch on AXI-Stream's rules.

Run inside cocotb by tests/tests/axi.rs. Frames are written and read here once more, apart from the Rust sources.
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
rng = random.Random(int(os.environ["HAYASASHI_SEED"]))


class Bench:
    """Gives the clock, and in each clock looks at all wires just before the edge."""

    def __init__(self, dut):
        self.dut = dut
        self.width = len(dut.s_axis_tdata) // 8
        self.clocks = 0
        self.to_send = deque()  # bytes
        self.offer = None  # the word at s_axis, its keep
        self.packet = bytearray()  # the one that is coming
        self.packets = deque()
        self.held = None  # what m_axis offered and nobody took
        self.pace(0, 0)
        for wire in (dut.aclk, dut.s_axis_tvalid, dut.s_axis_tlast, dut.m_axis_tready):
            wire.value = 0
        dut.aresetn.value = 1

    def pace(self, source, sink):
        """In what share of the clocks the giver has nothing and the taker takes nothing, in runs."""
        self.pauses = [self.runs(source), self.runs(sink)]

    @staticmethod
    def runs(share):
        while True:
            pause = rng.random() < share
            yield from (pause for _ in range(rng.randint(1, 12)))

    def word(self):
        """The next bytes in some lanes of a word, chance in the others; some words keep nothing."""
        full = self.width == 1 or rng.random() < 0.7
        data, keep = 0, 0
        for lane in range(self.width):
            if self.to_send and (full or rng.random() < 0.4):
                data |= self.to_send.popleft() << 8 * lane
                keep |= 1 << lane
            else:
                data |= rng.randrange(256) << 8 * lane
        return data, keep

    async def clock(self):
        """One clock."""
        dut = self.dut
        giver_rests, taker_rests = (next(pauses) for pauses in self.pauses)
        if self.offer is None and self.to_send and not giver_rests:
            self.offer = self.word()
            dut.s_axis_tdata.value = self.offer[0]
            dut.s_axis_tlast.value = rng.randrange(2)  # means nothing
            if self.width > 1:
                dut.s_axis_tkeep.value = self.offer[1]
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
        """Offers stay until they are taken; words are full but at the end of a packet."""
        dut = self.dut
        if not valid:
            assert self.held is None, f"clock {self.clocks}: the offer {self.held} was withdrawn"
            return
        keep = int(dut.m_axis_tkeep.value) if self.width > 1 else 1
        offer = int(dut.m_axis_tdata.value), keep, int(dut.m_axis_tlast.value)
        assert self.held in (None, offer), f"clock {self.clocks}: the offer {self.held} became {offer}"
        self.held = None if ready else offer
        if not ready:
            return
        data, keep, last = offer
        count = keep.bit_length()
        assert keep == (1 << count) - 1 and keep, f"clock {self.clocks}: tkeep {keep:08b}"
        assert last or count == self.width, f"clock {self.clocks}: tkeep {keep:08b} without tlast"
        self.packet += data.to_bytes(self.width, "little")[:count]
        if last:
            packet, self.packet = bytes(self.packet), bytearray()
            assert packet[:1] == packet[-1:] == END and END not in packet[1:-1], f"not one frame: {packet.hex()}"
            self.packets.append(packet)

    async def receive(self, count):
        """So many packets."""
        quiet = 0
        while len(self.packets) < count:
            had = len(self.packet), len(self.to_send), len(self.packets)
            await self.clock()
            quiet = 0 if had != (len(self.packet), len(self.to_send), len(self.packets)) else quiet + 1
            assert quiet < 10_000, f"clock {self.clocks}: {len(self.packets)} of {count} packets, then silence"
        return [self.packets.popleft() for _ in range(count)]

    async def silence(self):
        """Nothing more comes."""
        for _ in range(2_000):
            await self.clock()
        assert not self.packets and not self.packet, "bytes after the last answer"

    async def reset(self, clocks):
        """A reset of so many clocks, in which the giver is silent, as AXI wants it."""
        dut = self.dut
        dut.aresetn.value = 0
        self.to_send.clear()
        self.offer = self.held = None
        for i in range(clocks):
            await self.clock()
            self.held = None
            assert i == 0 or not int(dut.m_axis_tvalid.value), "tvalid in reset"
        dut.aresetn.value = 1
        self.packets.clear()
        self.packet.clear()


def request(opcode, sequence, payload=b""):
    plain = struct.pack("<BBHHH", opcode, 0, sequence, 0, len(payload)) + payload
    plain += struct.pack("<I", zlib.crc32(plain))
    return END + plain.replace(b"\xDB", b"\xDB\xDD").replace(END, b"\xDB\xDC") + END


def answer(packet):
    """Header fields and payload of an answer."""
    plain = packet[1:-1].replace(b"\xDB\xDC", END).replace(b"\xDB\xDD", b"\xDB")
    assert zlib.crc32(plain[:-4]) == struct.unpack("<I", plain[-4:])[0], f"checksum of {plain.hex()}"
    return struct.unpack("<BBHHH", plain[:8]), plain[8:-4]


@cocotb.test(skip="HAYASASHI_CONVERSATION" in os.environ)
async def converters(dut):
    """The wrapper around a stand-in that sends each frame back: nothing is lost, doubled or kept back."""
    bench = Bench(dut)
    for source, sink in [(0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1)]:
        bench.pace(source, sink)
        sent = []
        for _ in range(60):
            body = bytes(rng.choice([0xC1, 0xDB, 0x00, 0xFF, rng.randrange(0xC0)]) for _ in range(rng.randint(1, 40)))
            bench.to_send += END * rng.randint(1, 3) + body + END
            sent.append(END + body + END)
        for index, (got, frame) in enumerate(zip(await bench.receive(len(sent)), sent)):
            assert got == frame, f"frame {index}: {got.hex()}, not {frame.hex()}"
    await bench.silence()
    for clocks in (1, 2, 17):
        bench.pace(0.2, 0.6)
        for i in range(30):
            bench.to_send += END + bytes([0xAA, i, clocks]) + END
        bench.to_send += END + b"\xAA\xAA"
        for _ in range(rng.randint(50, 400)):
            await bench.clock()
        await bench.reset(clocks)
        bench.to_send += bytes([0x55, clocks]) + END
        assert await bench.receive(1) == [END + bytes([0x55, clocks]) + END], "an answer from before the reset"
    await bench.silence()


@cocotb.test(skip="HAYASASHI_CONVERSATION" not in os.environ)
async def chip(dut):
    """The whole chip: INFO by its fields, walks, and a conversation byte for byte as the software model has it."""
    folder = Path(os.environ["HAYASASHI_CONVERSATION"])
    requests, answers = (folder / "requests.bin").read_bytes(), (folder / "answers.bin").read_bytes()
    registers, masks = struct.iter_unpack("<16I", (folder / "info.bin").read_bytes())
    expected = [END + body + END for body in answers.split(END) if body]
    position = (folder / "position.bin").read_bytes()
    bench = Bench(dut)
    for source, sink, walks in [(0.2, 0.5, True), (0.6, 0.1, False), (0.1, 0.2, True)]:
        bench.pace(source, sink)
        bench.to_send += request(0x01, 0xC0DB) + requests
        info, *rest = await bench.receive(1 + len(expected))
        header, payload = answer(info)
        assert header == (0x81, 0, 0xC0DB, 0, 64), f"header of the answer to INFO: {header}"
        for index, (value, want, mask) in enumerate(zip(struct.unpack("<16I", payload), registers, masks)):
            assert value & mask == want & mask, f"register {index}: 0x{value:08X}, not 0x{want:08X}"
        for index, (got, want) in enumerate(zip(rest, expected)):
            assert got == want, f"answer {index}: {got.hex()}, not {want.hex()}"
        bench.to_send += request(0x13, 0x0BAD, bytes([3, 0, 0, 0]) + position)
        header, payload = answer((await bench.receive(1))[0])
        assert header == (0x93, 0, 0x0BAD, 0, 24) and struct.unpack("<QQ", payload[:16]) == (25_470, 900), payload.hex()
        await bench.silence()
        # A reset in the middle of the work: of a walk that would take hours, or of the conversation.
        bench.to_send += request(0x13, 0xDEAD, bytes([8, 10, 0, 0]) + position) if walks else requests
        for _ in range(rng.randint(2000, 6000)):
            await bench.clock()
        await bench.reset(rng.randint(1, 20))
