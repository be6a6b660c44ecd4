"""The 64-bit AXI-Stream wrapper behind a model of the streams of Xilinx' DMA bridge XDMA, one channel in each direction.

Run inside cocotb by tests/link/xdma_stream.rs. The streams are driven by the models of cocotbext-axi (PyPI), which know nothing
of this project. Frames are written and read here once more, apart from the Rust sources.
Environment: HAYASASHI_SEED; HAYASASHI_CARD, a folder with requests.bin, batches of positions to count, and answers.bin, what the
software model answers.

The bridge (Xilinx PG195, AXI4-Stream):

* To the card: a write becomes descriptors, one for each page of the host's buffer. A descriptor gives whole words in bursts, with
  TLAST on its last word.
* From the card: a read of 4,096 bytes is one descriptor. It takes words until TLAST or until it is full. While no read waits, the
  bridge takes what fits its FIFO; then it is not ready.
* A descriptor that is full without TLAST, or not full at TLAST, is an error: the driver would join or cut reads
  (github.com/Xilinx/dma_ip_drivers, issue 91).

The clock crossing between bridge and chip is left out.
"""

import logging
import os
import random
import struct
import zlib
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.result import SimTimeoutError
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

WORD = 8
PAGE = 4096
PACKET_WORDS = PAGE // WORD
PORTS = ["packet_words"] + [f"{side}_axis_{wire}" for side in "sm" for wire in ("tvalid", "tready", "tdata", "tlast")]
FILLER = b"\xC0" * WORD
FLUSH_WORDS = 260  # more than the longest request has
FIFO_WORDS = 64
PERIOD_NS = 10
SILENCE = 10_000  # clocks without a packet after which a read has failed
QUIET = 1_500  # clocks in which an answer would come if there were one
ECHO, CANCEL, ANSWER = 0x02, 0x04, 0x80
BAD_CRC = 1
# The longest burst and the longest gap, in clocks, to the card and from it.
FAST = ((64, 4), (512, 0))
PACES = (FAST, ((32, 8), (32, 8)), ((1, 1), (64, 2)), ((64, 2), (1, 3)), ((200, 200), (400, 300)))
rng = random.Random(int(os.environ["HAYASASHI_SEED"]))


class PacketError(Exception):
    """The packet is not one of 4,096 bytes."""


class Xdma:
    """The bridge and its driver."""

    def __init__(self, dut):
        self.dut = dut
        self.edge = RisingEdge(dut.aclk)
        self.clocks = 0
        self.forget()
        self.pace = FAST
        dut.aresetn.value = 0
        # cocotb keeps what it has found by name. Ports that it finds by listing the module cannot be driven in Verilator 5.006.
        for name in PORTS:
            getattr(dut, name)
        # The models log every byte.
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.ERROR)
        reset = {"reset": dut.aresetn, "reset_active_level": False}
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.aclk, **reset)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.aclk, **reset)
        self.source.set_pause_generator(self.pauses(0, lambda: self.stopped))
        # A pause has its effect two clocks later.
        self.sink.set_pause_generator(self.pauses(1, lambda: self.stopped or self.taken + 2 >= self.room()))
        cocotb.start_soon(Clock(dut.aclk, PERIOD_NS, "ns").start())
        cocotb.start_soon(self.watch())

    def forget(self):
        """Nothing has passed yet, and nobody reads or writes."""
        self.calls = []
        self.stopped = False
        self.reads = 0  # posted, those that have ended included
        self.sent = self.taken = 0  # words to the card and from it
        self.filled = 0  # words of the descriptor so far
        self.descriptors = Queue()  # the errors of those that have ended

    def room(self):
        """Words that the bridge may have taken."""
        return FIFO_WORDS + PACKET_WORDS * self.reads

    def pauses(self, side, must):
        while True:
            burst, gap = self.pace[side]
            for pause in [False] * rng.randint(1, burst) + [True] * rng.randint(0, gap):
                yield pause or must()

    async def watch(self):
        """In each clock: the rules of AXI-Stream, and where descriptors end."""
        dut, held, was_reset = self.dut, None, False
        while True:
            await self.edge
            self.clocks += 1
            is_reset = not dut.aresetn.value
            valid = bool(dut.m_axis_tvalid.value)
            if is_reset:
                held = None
                assert not (was_reset and valid), f"clock {self.clocks}: tvalid in reset"
            was_reset = is_reset
            if is_reset:
                continue
            self.sent += bool(dut.s_axis_tvalid.value and dut.s_axis_tready.value)
            if not valid:
                assert held is None, f"clock {self.clocks}: the offer {held} was withdrawn"
                continue
            offer = int(dut.m_axis_tdata.value), bool(dut.m_axis_tlast.value)
            assert held in (None, offer), f"clock {self.clocks}: the offer {held} became {offer}"
            held = None if dut.m_axis_tready.value else offer
            if held is None:
                self.take(offer[1])

    def take(self, last):
        """A word has passed into a descriptor."""
        self.taken += 1
        self.filled += 1
        assert self.taken <= self.room(), "the model of the bridge takes words without room"
        if last or self.filled == PACKET_WORDS:
            whole = last and self.filled == PACKET_WORDS
            self.descriptors.put_nowait(None if whole else f"{self.filled} words in a descriptor, tlast is {last}")
            self.filled = 0

    async def write(self, data):
        """The driver's write: ends when the card has taken all words."""
        assert len(data) % WORD == 0
        # A buffer begins anywhere in a page.
        end = rng.randrange(WORD, PAGE + WORD, WORD)
        await self.source.send(data[:end])
        for start in range(end, len(data), PAGE):
            await self.source.send(data[start : start + PAGE])
        await self.source.wait()

    async def read(self):
        """The driver's read of a packet."""
        self.reads += 1
        try:
            wrong = await with_timeout(self.descriptors.get(), SILENCE * PERIOD_NS, "ns")
        except SimTimeoutError:
            raise AssertionError(f"no packet; the descriptor has {self.filled} words") from None
        if wrong:
            raise PacketError(wrong)
        packet = bytes((await self.sink.recv()).tdata)
        assert len(packet) == PAGE, f"the sink has seen a packet of {len(packet)} bytes"
        return packet

    def begin(self, call):
        """Starts a read or a write as another thread of the host."""
        self.calls.append(cocotb.start_soon(call))
        return self.calls[-1]

    async def abort(self):
        """The host dies: its writes are cut after a word, its reads are gone, and both directions stand still."""
        for call in self.calls:
            call.kill()
        self.stopped = True
        await self.wait(4)

    async def reset(self, clocks, packet_words=PACKET_WORDS):
        """A reset of so many clocks. The bridge is silent then, and has lost what it held."""
        self.dut.aresetn.value = 0
        await self.wait(clocks)
        self.source.clear()
        self.sink.clear()
        self.forget()
        self.dut.packet_words.value = packet_words
        self.dut.aresetn.value = 1

    async def wait(self, clocks):
        for _ in range(clocks):
            await self.edge

    async def until(self, condition):
        for _ in range(20 * SILENCE):
            if condition():
                return
            await self.edge
        raise AssertionError(f"still waiting; words: {self.sent} to the card, {self.taken} from it")

    async def silence(self):
        """The chip has nothing more to say, and its last packet is whole."""
        before = self.taken
        await self.wait(QUIET)
        assert self.taken == before and self.filled == 0, f"{self.taken - before} words more, packet at {self.filled}"
        assert not self.dut.m_axis_tvalid.value, "a word is offered"


class Host:
    """Finds answers in packets."""

    def __init__(self, xdma):
        self.xdma = xdma
        self.rest = b""  # of the packets so far

    async def packet(self):
        self.rest += await self.xdma.read()

    def answer(self):
        """The next answer that has arrived whole."""
        start = 0
        while self.rest[start : start + WORD] == FILLER:
            start += WORD
        self.rest = self.rest[start:]
        end = frame_bytes(self.rest) if self.rest else 1
        if end > len(self.rest):
            return None
        frame, self.rest = self.rest[:end], self.rest[end:]
        return frame

    async def receive(self, count, pause=0):
        """So many answers. The host does something else for up to ``pause`` clocks before each read."""
        answers = []
        while len(answers) < count:
            frame = self.answer()
            if frame is not None:
                answers.append(frame)
                continue
            await self.xdma.wait(rng.randint(0, pause))
            await self.packet()
        return answers

    async def listen(self):
        while True:
            await self.packet()

    async def expect(self, expected, pause=0):
        """Exactly these answers come, then fillers to the end of the packet, then nothing."""
        same(await self.receive(len(expected), pause), expected)
        more = self.answer()
        assert more is None and not self.rest, f"more than the answers: {more or self.rest}"
        await self.xdma.silence()

    async def ask(self, requests, expected):
        self.xdma.begin(self.xdma.write(b"".join(requests)))
        await self.expect(expected)


def frame(opcode, sequence, payload=b""):
    plain = struct.pack("<BBHHH", opcode, 0, sequence, 0, len(payload)) + payload + bytes(-len(payload) % WORD)
    return plain + struct.pack("<I", zlib.crc32(plain)) + b"HSYF"


def frame_bytes(stream):
    """Bytes of the frame that begins here."""
    return WORD + (int.from_bytes(stream[6:8], "little") + 7) // WORD * WORD + WORD


def split(stream):
    """The frames of a stream without fillers."""
    while stream:
        end = frame_bytes(stream)
        yield stream[:end]
        stream = stream[end:]


def echo(sequence, words):
    """An ECHO of so many payload words, and its answer."""
    payload = bytes(rng.randrange(256) for _ in range(WORD * words))
    return frame(ECHO, sequence, payload), frame(ECHO | ANSWER, sequence, payload)


def same(answers, expected):
    assert len(answers) == len(expected), f"{len(answers)} answers, not {len(expected)}"
    wrong = [i for i, (got, want) in enumerate(zip(answers, expected)) if got != want]
    if wrong:
        first = wrong[0]
        raise AssertionError(
            f"{len(wrong)} differences; answer {first}: {answers[first].hex()}, not {expected[first].hex()}"
        )


class Data:
    """Batches with the answers to each."""

    def __init__(self, folder):
        self.requests = list(split((folder / "requests.bin").read_bytes()))
        answers = split((folder / "answers.bin").read_bytes())
        counts = [int.from_bytes(request[4:6], "little") for request in self.requests]
        self.answers = [[next(answers) for _ in range(count)] for count in counts]
        assert next(answers, None) is None

    def some(self, first, count):
        """These batches, and the answers."""
        return self.requests[first : first + count], sum(self.answers[first : first + count], [])


async def all_positions(xdma, data):
    """Every position passes, at changing paces, in writes of any length."""
    requests, expected = data.some(0, len(data.requests))

    async def write_all():
        stream = b"".join(requests)
        while stream:
            xdma.pace = rng.choice(PACES)
            end = WORD * rng.choice((1, 2, rng.randint(1, 300), rng.randint(1, 2048)))
            await xdma.write(stream[:end])
            stream = stream[end:]
            await xdma.wait(rng.randint(0, 40))

    xdma.begin(write_all())
    await Host(xdma).expect(expected, pause=400)
    return f"{len(expected)} positions, 0 differences"


async def nobody_reads(xdma, data):
    """Without a read the chip holds requests back, and loses none."""
    requests, expected = data.some(20, 24)
    stream = b"".join(requests)
    writing = xdma.begin(xdma.write(stream))
    moved = -1
    while moved != xdma.sent + xdma.taken:
        moved = xdma.sent + xdma.taken
        await xdma.wait(2_000)
    held = len(stream) // WORD - xdma.sent
    assert held > 0 and not writing.done(), "the chip has taken all requests"
    assert xdma.dut.s_axis_tvalid.value and not xdma.dut.s_axis_tready.value
    assert xdma.dut.m_axis_tvalid.value and not xdma.dut.m_axis_tready.value
    await Host(xdma).expect(expected)
    return f"{held} of {len(stream) // WORD} words were held back"


async def idle_chip(xdma, data):
    """Fillers complete the packet of the last answer, so that its read ends without another request."""
    host = Host(xdma)
    for requests, expected in (data.some(3, 1), data.some(160, 1), *(([r], [a]) for r, a in (echo(1, 0), echo(2, 256)))):
        await host.ask(requests, expected)
    assert xdma.reads == 4, f"{xdma.reads} packets for four answers that came one by one"
    # An answer across the end of a packet; and two that fill one to its last word, with no packet of fillers behind it. The chip
    # has both requests before the first answer ends, since nobody reads until then.
    for lengths, packets in (((256, 256), 2), ((256, 252), 1)):
        reads = xdma.reads
        requests, expected = zip(*(echo(i, words) for i, words in enumerate(lengths)))
        await xdma.write(b"".join(requests))
        await xdma.wait(100)
        await host.expect(expected)
        assert xdma.reads - reads == packets, f"{xdma.reads - reads} packets for ECHOs of {lengths} words"
    return f"{xdma.reads} packets"


async def aborted(xdma, data):
    """The host dies in the middle of a request and of a packet. After a reset nothing is left of that."""
    cuts = []
    for clocks in (1, 2, 17, 1):
        xdma.pace = rng.choice(PACES)
        requests, _ = data.some(40, 40)
        words = len(requests[0]) // WORD
        xdma.begin(Host(xdma).listen())
        xdma.begin(xdma.write(b"".join(requests)))
        begun, request, packet = rng.randint(2_000, 5_000), rng.randint(5, words - 20), rng.randint(5, PACKET_WORDS - 100)

        def in_the_middle():
            in_request, in_packet = request < xdma.sent % words < words - 10, packet < xdma.filled < PACKET_WORDS - 10
            return xdma.sent > begun and in_request and in_packet

        await xdma.until(in_the_middle)
        await xdma.abort()
        cuts.append((xdma.sent % words, xdma.filled))
        assert all(cuts[-1]), f"not in the middle: {cuts[-1]}"
        await xdma.reset(clocks)
        requests, expected = data.some(rng.randrange(100, 150), 10)
        xdma.begin(xdma.write(b"".join(requests)))
        host = Host(xdma)
        await host.packet()
        assert host.rest.startswith(expected[0]), f"the first packet begins with {host.rest[:24].hex()}"
        await host.expect(expected)
    return "words of the request and of the packet: " + ", ".join(f"{request} and {packet}" for request, packet in cuts)


async def truncated(xdma, data):
    """A write ends in a request, and no reset follows. The next host sends fillers and a CANCEL, and is answered."""
    long, short = data.requests[50], echo(9, 1)[0]
    cuts = [(long, words) for words in (1, 2, rng.randint(3, 250), 257)] + [(short, 1), (short, 2)]
    for index, (request, words) in enumerate(cuts):
        assert words < len(request) // WORD
        await xdma.write(request[: WORD * words])
        await xdma.wait(rng.randint(0, 200))
        requests, expected = data.some(60 + 10 * index, 3)
        cancel = frame(CANCEL | ANSWER, index)
        xdma.begin(xdma.write(FILLER * FLUSH_WORDS + frame(CANCEL, index) + b"".join(requests)))
        host = Host(xdma)
        # The chip says of the request that it is damaged.
        (damaged,) = await host.receive(1)
        want = request[0] | ANSWER, BAD_CRC, *request[2:4]
        assert tuple(damaged[:4]) == want, f"{words} words: {damaged.hex()}"
        await host.expect([cancel, *expected])
    return f"{len(cuts)} writes"


async def other_packets(xdma, data):
    """This bench finds packets of another size."""
    request, _ = echo(1, 256)
    found = []
    for packet_words in (PACKET_WORDS - 1, PACKET_WORDS + 1, 0):
        await xdma.reset(1, packet_words)
        xdma.begin(xdma.write(request))
        try:
            await xdma.read()
        except PacketError as error:
            found.append(str(error))
        else:
            raise AssertionError(f"packets of {packet_words} words were not found")
        await xdma.abort()
    return "; ".join(found)


@cocotb.test()
async def card(dut):
    data = Data(Path(os.environ["HAYASASHI_CARD"]))
    xdma = Xdma(dut)
    for step in (all_positions, nobody_reads, idle_chip, aborted, truncated, other_packets):
        xdma.pace = FAST
        await xdma.reset(3)
        begun = xdma.clocks
        result = await step(xdma, data)
        cocotb.log.info("%s: %s, %d clocks", step.__name__, result, xdma.clocks - begun)
