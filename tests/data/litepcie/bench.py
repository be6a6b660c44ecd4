"""A card with LitePCIe in simulation, offered to a host on a Unix socket as the calls of LitePCIe's driver.

Run inside cocotb by tests/link/litepcie.rs on the design of top.py. The PCI Express side is cocotbext-pcie: a root complex with
its memory, enumeration, requests, completions and interrupts. `Driver` does what LitePCIe's driver for Linux does (its
kernel/main.c, litepcie 2024.12), with the numbers of this design's config.h.

Environment: HAYASASHI_SOCKET, the path of the socket; HAYASASHI_CSRS, csr.json; HAYASASHI_SEED.

A call is a letter and two numbers of 32 bits, and for `w` as many bytes as
the first number says; an answer is a number of 32 bits, and for `r` as many bytes behind it.

    B -> bytes of a buffer          L -> 1 if both directions are free, and are this host's now
    R address -> value              W address value -> 0
    D direction on -> 0             (0: reader, to the card; 1: writer, from the card)
    w bytes -> bytes written        r bytes -> bytes read, perhaps none
    X -> 0                          the file is closed
    P pauses -> clocks so far       with 1 the bus pauses at random, and completions of different reads change places; 0 ends it
    S -> 0                          the card is reset, and the host does not know
    H out -> 0                      with 1 the card is taken out: every call fails with -1 until it is put back by 0
    Q ends the simulation
"""

import json
import logging
import os
import random
import socket
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Event, ReadOnly, RisingEdge, Timer
from cocotbext.pcie.core import Device, Endpoint, RootComplex
from cocotbext.pcie.core.caps import MsiCapability
from cocotbext.pcie.core.tlp import Tlp, TlpType

CALL = struct.Struct("<cII")
BYTES = 16  # of a word on the bus
FAILED = 0xFFFF_FFFF
# config.h of the driver.
BUFFER_BYTES = 4096
BUFFERS = 256
IRQ_DISABLE, LAST_DISABLE = 1 << 24, 1 << 25

rng = random.Random(int(os.environ["HAYASASHI_SEED"]))


class Core(Endpoint):
    """The function whose requests and completions the design gets and gives."""

    def __init__(self, dut):
        super().__init__()
        self.dut = dut
        self.vendor_id, self.device_id = 0x10EE, 0x7024
        self.configure_bar(0, 0x20000)
        self.msi = MsiCapability()
        self.msi.msi_multiple_message_capable = 0
        self.msi.msi_64bit_address_capable = 1
        self.register_capability(self.msi)
        for kind in (TlpType.MEM_READ, TlpType.MEM_READ_64, TlpType.MEM_WRITE, TlpType.MEM_WRITE_64):
            self.register_rx_tlp_handler(kind, self.to_core)
        self.waiting = []  # packets for the design
        self.arrived = Event()
        self.pauses = False
        self.overtakings = 0
        for name in ("to_core_valid", "to_core_first", "to_core_last", "from_core_ready", "msi_ready"):
            getattr(dut, name).value = 0
        cocotb.start_soon(self.give())
        cocotb.start_soon(self.take())
        cocotb.start_soon(self.interrupt())

    async def handle_tlp(self, tlp):
        if is_completion(tlp):
            tlp.release_fc()
            await self.to_core(tlp)
        else:
            await super().handle_tlp(tlp)

    async def to_core(self, tlp):
        self.waiting.append(tlp)
        self.arrived.set()

    def next_packet(self):
        """The first packet; with pauses a completion that overtakes those of other reads, which PCI Express allows."""
        at = 0
        if self.pauses and is_completion(self.waiting[0]):
            first = {}
            for index, tlp in enumerate(self.waiting):
                if not is_completion(tlp):
                    break
                first.setdefault(tlp.tag, index)
            at = rng.choice(list(first.values()))
        self.overtakings += at > 0
        return self.waiting.pop(at)

    def rests(self):
        return self.pauses and rng.random() < 0.3

    async def give(self):
        """Packets to the design, a word a clock: each dword with its first byte highest."""
        dut, edge = self.dut, RisingEdge(self.dut.sys_clk)
        while True:
            while not self.waiting:
                self.arrived.clear()
                await self.arrived.wait()
            # A few at a time, so that there are some to choose from.
            if self.pauses:
                for _ in range(rng.randrange(40)):
                    await edge
            tlp = self.next_packet()
            dut.pcie_id.value = int(self.pcie_id)
            data = bytes(tlp.pack())
            for at in range(0, len(data), BYTES):
                piece = data[at : at + BYTES]
                while self.rests():
                    await edge
                dut.to_core_dat.value = swapped(piece.ljust(BYTES, b"\0"))
                dut.to_core_be.value = (1 << len(piece)) - 1
                dut.to_core_first.value = at == 0
                dut.to_core_last.value = at + BYTES >= len(data)
                dut.to_core_valid.value = 1
                await ReadOnly()
                while not dut.to_core_ready.value:
                    await edge
                    await ReadOnly()
                await edge
                dut.to_core_valid.value = 0

    async def take(self):
        """Packets from the design."""
        dut, edge = self.dut, RisingEdge(self.dut.sys_clk)
        packet = bytearray()
        while True:
            dut.from_core_ready.value = not self.rests()
            await ReadOnly()
            if dut.from_core_valid.value and dut.from_core_ready.value:
                enabled = int(dut.from_core_be.value)
                word = int(dut.from_core_dat.value)
                packet += unswapped(word)[: enabled.bit_length()]
                if dut.from_core_last.value:
                    tlp = Tlp.unpack(bytes(packet))
                    tlp.data = tlp.data[: 4 * tlp.length]
                    packet.clear()
                    await edge
                    await self.send(tlp)
                    continue
            await edge

    async def interrupt(self):
        dut, edge = self.dut, RisingEdge(self.dut.sys_clk)
        while True:
            dut.msi_ready.value = 0
            await edge
            if dut.msi_valid.value:
                dut.msi_ready.value = 1
                await edge
                dut.msi_ready.value = 0
                await self.msi.issue_msi_interrupt(0)


def is_completion(tlp):
    return tlp.fmt_type in (TlpType.CPL, TlpType.CPL_DATA)


def swapped(data):
    return sum(int.from_bytes(data[at : at + 4], "big") << 8 * at for at in range(0, BYTES, 4))


def unswapped(word):
    return b"".join((word >> 8 * at & 0xFFFF_FFFF).to_bytes(4, "big") for at in range(0, BYTES, 4))


class Direction:
    """DMA in one direction: the driver's buffers and counters."""

    def __init__(self, driver, name):
        self.driver = driver
        self.base = driver.csrs[f"pcie_dma0_{name}_enable"]
        self.interrupt = 1 << driver.constants[f"pcie_dma0_{name}_interrupt"]
        self.memory = driver.memory.alloc_region(BUFFER_BYTES * BUFFERS)
        self.address = self.memory.get_absolute_address(0)
        self.enabled = self.locked = False
        self.hw_count = self.sw_count = 0
        self.changed = Event()

    def at(self, offset):
        return self.base + offset

    async def start(self):
        write = self.driver.write
        await write(self.at(0x00), 0)
        await write(self.at(0x1C), 1)
        await write(self.at(0x10), 0)
        for buffer in range(BUFFERS):
            address = self.address + BUFFER_BYTES * buffer
            await write(self.at(0x04), LAST_DISABLE | BUFFER_BYTES)
            await write(self.at(0x08), address & 0xFFFF_FFFF)
            await write(self.at(0x0C), address >> 32)
        await write(self.at(0x10), 1)
        self.hw_count = self.sw_count = 0
        await write(self.at(0x00), 1)

    async def stop(self):
        write = self.driver.write
        await write(self.at(0x10), 0)
        await write(self.at(0x1C), 1)
        # The driver waits a millisecond here for what is under way; 20 microseconds of this bus are as long.
        await Timer(20, "us")
        await write(self.at(0x00), 0)
        await write(self.at(0x1C), 1)

    async def enable(self, on):
        if on != self.enabled:
            self.enabled = on
            mask = await self.driver.read(self.driver.csrs["pcie_msi_enable"])
            if on:
                await self.start()
                await self.driver.write(self.driver.csrs["pcie_msi_enable"], mask | self.interrupt)
            else:
                await self.driver.write(self.driver.csrs["pcie_msi_enable"], mask & ~self.interrupt)
                await self.stop()

    async def count(self):
        """After an interrupt: how many buffers the card says are done."""
        status = await self.driver.read(self.at(0x14))
        # An interrupt that came just before the end finds the status cleared.
        if not self.enabled:
            return
        count = (status >> 16) * BUFFERS + (status & 0xFFFF)
        assert count >= self.hw_count, f"{count} buffers after {self.hw_count}"
        self.hw_count = count
        self.changed.set()

    def buffer(self):
        at = BUFFER_BYTES * (self.sw_count % BUFFERS)
        return slice(at, at + BUFFER_BYTES)


class Driver:
    """LitePCIe's driver."""

    def __init__(self, root, device, csrs):
        self.memory, self.bar, self.device = root.mem_pool, device.bar_window[0], device
        layout = json.load(open(csrs))
        self.csrs = {name: register["addr"] for name, register in layout["csr_registers"].items()}
        self.constants = layout["constants"]
        self.to_card, self.from_card = Direction(self, "reader"), Direction(self, "writer")
        self.present = True

    async def read(self, address):
        return await self.bar.read_dword(address)

    async def write(self, address, value):
        await self.bar.write_dword(address, value)

    async def on_interrupt(self):
        vector = await self.read(self.csrs["pcie_msi_vector"]) & await self.read(self.csrs["pcie_msi_enable"])
        clear = 0
        for direction in (self.to_card, self.from_card):
            if vector & direction.interrupt:
                await direction.count()
                clear |= direction.interrupt
        await self.write(self.csrs["pcie_msi_clear"], clear)

    async def call(self, letter, first, second, data):
        """One call of the host: a number, and bytes."""
        to_card, from_card = self.to_card, self.from_card
        if letter == "X":
            # Also if the card has gone: one that is put back does not move data.
            for direction in (to_card, from_card):
                await direction.enable(False)
                direction.locked = False
            return 0, b""
        if not self.present:
            return FAILED, b""
        if letter == "B":
            return BUFFER_BYTES, b""
        if letter == "L":
            if to_card.locked or from_card.locked:
                return 0, b""
            to_card.locked = from_card.locked = True
            return 1, b""
        if letter == "R":
            return await self.read(first), b""
        if letter == "W":
            await self.write(first, second)
        if letter == "D":
            await (from_card if first else to_card).enable(bool(second))
        if letter == "w":
            written = 0
            while to_card.sw_count - to_card.hw_count >= BUFFERS // 2:
                to_card.changed.clear()
                await to_card.changed.wait()
            while len(data) - written >= BUFFER_BYTES and to_card.sw_count - to_card.hw_count < BUFFERS // 2:
                assert to_card.sw_count >= to_card.hw_count, "the card has read a buffer before it was written"
                to_card.memory[to_card.buffer()] = data[written : written + BUFFER_BYTES]
                to_card.sw_count += 1
                written += BUFFER_BYTES
            return written, b""
        if letter == "r":
            got = b""
            while first - len(got) >= BUFFER_BYTES and from_card.hw_count > from_card.sw_count:
                assert from_card.hw_count - from_card.sw_count <= BUFFERS // 2, "read too late"
                got += bytes(from_card.memory[from_card.buffer()])
                from_card.sw_count += 1
            return len(got), got
        return 0, b""

    def take_out(self, out):
        self.present = not out
        for direction in (self.to_card, self.from_card):
            direction.changed.set()


async def receive(connection, count, edge):
    """So many bytes, or fewer when the host has closed the connection. Without any the simulation goes on."""
    data = b""
    while len(data) < count:
        try:
            piece = connection.recv(count - len(data))
        except BlockingIOError:
            await edge
            continue
        if not piece:
            break
        data += piece
    return data


async def serve(connection, driver, core, end):
    connection.setblocking(False)
    edge = Timer(1, "us")
    while True:
        call = await receive(connection, CALL.size, edge)
        if len(call) < CALL.size:
            return
        letter, first, second = CALL.unpack(call)
        letter = letter.decode()
        data = await receive(connection, first, edge) if letter == "w" else b""
        if letter == "Q":
            end.set()
            return
        number, answer = 0, b""
        if letter == "P":
            core.pauses = bool(first)
            number = int(cocotb.utils.get_sim_time("ns")) // 10 & FAILED
        elif letter == "S":
            core.dut.sys_rst.value = 1
            await Timer(100, "ns")
            core.dut.sys_rst.value = 0
        elif letter == "H":
            driver.take_out(bool(first))
        else:
            number, answer = await driver.call(letter, first, second, data)
        connection.setblocking(True)
        connection.sendall(struct.pack("<I", number) + answer)
        connection.setblocking(False)


@cocotb.test()
async def card(dut):
    logging.getLogger("cocotb.pcie").setLevel(logging.WARNING)
    cocotb.start_soon(Clock(dut.sys_clk, 10, "ns").start())
    dut.sys_rst.value = 1
    dut.max_request_size.value = 512
    dut.max_payload_size.value = 256
    core = Core(dut)
    await Timer(100, "ns")
    dut.sys_rst.value = 0

    root = RootComplex()
    root.max_payload_size, root.max_read_request_size = 0x1, 0x2
    root.split_on_all_rcb = False
    device = Device(core)
    root.make_port().connect(device)
    await root.enumerate()
    found = root.find_device(core.pcie_id)
    await found.enable_device()
    await found.set_master()
    await found.alloc_irq_vectors(1, 1)
    driver = Driver(root, found, os.environ["HAYASASHI_CSRS"])
    found.request_irq(0, driver.on_interrupt)

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.environ["HAYASASHI_SOCKET"])
    listener.listen()
    listener.setblocking(False)
    end = Event()
    while not end.is_set():
        try:
            connection, _ = listener.accept()
            cocotb.start_soon(serve(connection, driver, core, end))
        except BlockingIOError:
            await Timer(1, "us")
    cocotb.log.info("completions that overtook others: %d", core.overtakings)
