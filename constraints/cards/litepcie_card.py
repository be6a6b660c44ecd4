#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""LiteX: the chip behind LitePCIe on a card Acorn CLE-215+ or NiteFury, from the released Verilog to a bitstream and a driver.

    pip install litex==2024.12 litepcie==2024.12 litex-boards==2023.12 migen==0.10.0
    python litepcie_card.py CHIP_FOLDER OUT_FOLDER PART CHIP_HZ [--bitstream]

`hayasashi build --board nitefury-litepcie` or `--board acorn-cle215plus-litepcie` does this. CHIP_FOLDER is one that `hayasashi release`
has written. Writes into OUT_FOLDER: the design (`gateware`), its registers (`csr.csv`) and the driver for Linux (`driver`). With
`--bitstream` Vivado makes the bitstream `gateware/hayasashi.bit`. Nobody has tried it on a card; the tests simulate the design
without the card's transceivers (tests/data/litepcie).

    slot <=> S7PCIEPHY (128 bits) <=> endpoint <=> DMA (64 bits) <=> hayasashi_axis64

The driver is LitePCIe's own. Two lines of its `config.h` differ: buffers have 4,096 bytes, and each one raises an interrupt.

* LitePCIe's reader goes through the driver's buffers in a circle, whether the host has written new data or not. `Gate` lets it
  read as many buffers as the host has announced in the register `buffers`.
* Its counter of written buffers is one late. So behind the last packet `Tail` sends one more packet of filler words.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

from migen import ClockDomain, Constant, If, Signal

from litex.gen import LiteXModule
from litex.soc.cores.clock import S7PLL
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSRStatus, CSRStorage

from litepcie.core import LitePCIeEndpoint, LitePCIeMSI
from litepcie.frontend.dma import LitePCIeDMAReader, LitePCIeDMAScatterGather, LitePCIeDMAWriter
from litepcie.frontend.wishbone import LitePCIeWishboneMaster

# What the host expects (host/accel/src/transport/litepcie.rs).
CSR_BASE = 0
CSR_LOCATION = 16  # of the module `hayasashi`, in pages of 0x800 bytes
IDENTITY = 0x46595348  # "HSYF"
PACKET_BYTES = 4096
PACKET_WORDS = PACKET_BYTES // 8
# What the chip does (hdl/spec/src/word_frame.rs).
FILLER = 0xC0C0_C0C0_C0C0_C0C0
IDLE_CLOCKS = 16

ADDRESS_BITS = 64
BUFFERS = 256
# The cards, as litex-boards names them.
VARIANTS = {"xc7a200tfbg484-3": "cle-215+", "xc7a200tfbg484-2": "cle-215"}


class Gate(LiteXModule):
    """Descriptors of buffers that the host has announced."""

    def __init__(self, source, sink, announced, reset):
        self.passed = passed = Signal(32)
        open_ = passed != announced
        self.comb += [
            source.connect(sink, omit={"valid", "ready"}),
            sink.valid.eq(source.valid & open_),
            source.ready.eq(sink.ready & open_),
        ]
        self.sync += If(reset, passed.eq(0)).Elif(sink.valid & sink.ready, passed.eq(passed + 1))


class Tail(LiteXModule):
    """Packets from their first word on while `enable`, and one packet of fillers behind the last one.

    The writer joins two words to one of its own. So it gets an even number of them, also where `enable` falls inside a packet.
    """

    def __init__(self, enable):
        layout = [("data", 64)]
        self.sink = sink = stream.Endpoint(layout)
        self.source = source = stream.Endpoint(layout)
        inside = Signal()  # a packet of the chip has begun
        passes = Signal()
        owed = Signal()  # a packet has passed, and no fillers behind it
        idle = Signal(max=IDLE_CLOCKS + 1)
        filled = Signal(max=PACKET_WORDS)
        fills = Signal()  # a packet of fillers is under way
        odd = Signal()  # the writer waits for the second word of two
        self.comb += If(~enable,
            sink.ready.eq(1),
            source.valid.eq(odd),
            source.data.eq(FILLER),
        ).Elif(fills,
            source.valid.eq(1),
            source.data.eq(FILLER),
            source.last.eq(filled == PACKET_WORDS - 1),
        ).Elif(passes,
            sink.connect(source),
        ).Else(
            # What nobody waits for.
            sink.ready.eq(1),
        )
        self.sync += [
            If(source.valid & source.ready, odd.eq(~odd)),
            If(sink.valid & sink.ready, inside.eq(~sink.last)),
            If(sink.valid, idle.eq(0)).Elif(idle != IDLE_CLOCKS, idle.eq(idle + 1)),
            If(~enable,
                passes.eq(0), owed.eq(0), fills.eq(0), filled.eq(0),
            ).Else(
                If(~inside & ~(sink.valid & sink.ready), passes.eq(1)),
                If(passes & ~fills & sink.valid & sink.ready & sink.last, owed.eq(1)),
                If(owed & ~fills & ~inside & ~sink.valid & (idle == IDLE_CLOCKS), fills.eq(1)),
                If(fills & source.ready,
                    filled.eq(filled + 1),
                    If(source.last, fills.eq(0), owed.eq(0), filled.eq(0)),
                ),
            ),
        ]


class Dma(LiteXModule):
    """LitePCIe's writer and reader, at the addresses that its driver knows, with a gate for the reader."""

    def __init__(self, endpoint, announced):
        ports = endpoint.crossbar.get_master_port
        options = dict(address_width=ADDRESS_BITS, data_width=64)
        self.writer = LitePCIeDMAWriter(endpoint, ports(write_only=True), table_depth=BUFFERS, **options)
        self.reader = LitePCIeDMAReader(endpoint, ports(read_only=True), with_table=False, **options)
        self.reader.table = table = LitePCIeDMAScatterGather(BUFFERS, address_width=ADDRESS_BITS)
        reset = table.reset.storage & table.reset.re
        self.gate = Gate(table.source, self.reader.desc_sink, announced, reset)


class Registers(LiteXModule):
    def __init__(self):
        self.identity = CSRStatus(32, description="The bytes HSYF.")
        self.buffers = CSRStorage(32, description="Buffers that the host has written since the DMA reader was started.")
        self.comb += self.identity.status.eq(IDENTITY)


def add_chip(soc, phy, chip_folder):
    """Adds the endpoint, registers behind BAR 0, DMA, interrupts and the chip behind `phy`."""
    soc.pcie_endpoint = endpoint = LitePCIeEndpoint(
        phy, max_pending_requests=8, endianness=phy.endianness, address_width=ADDRESS_BITS
    )
    soc.pcie_mmap = LitePCIeWishboneMaster(endpoint, base_address=soc.mem_map["csr"])
    soc.bus.add_master(name="pcie_mmap", master=soc.pcie_mmap.wishbone)
    soc.pcie_msi = LitePCIeMSI()
    soc.comb += soc.pcie_msi.source.connect(phy.msi)
    soc.csr.add("hayasashi", n=CSR_LOCATION)
    soc.hayasashi = registers = Registers()
    soc.pcie_dma0 = dma = Dma(endpoint, registers.buffers.storage)

    sys.path.insert(0, str(chip_folder))
    from hayasashi_litex import Hayasashi

    registers.chip = chip = Hayasashi(soc.platform, packet_words=PACKET_WORDS)
    registers.tail = tail = Tail(dma.writer.enable)
    soc.comb += [
        dma.reader.source.connect(chip.sink),
        chip.source.connect(tail.sink),
        tail.source.connect(dma.writer.sink),
    ]
    soc.add_constant("DMA_CHANNELS", 1)
    soc.add_constant("DMA_ADDR_WIDTH", ADDRESS_BITS)
    for number, (name, irq) in enumerate([("READER", dma.reader.irq), ("WRITER", dma.writer.irq)]):
        soc.comb += soc.pcie_msi.irqs[number].eq(irq)
        soc.add_constant(f"PCIE_DMA0_{name}_INTERRUPT", number)


def new_soc(platform, clock_hz):
    """A SoC without processor whose registers are where the host expects them."""
    soc = SoCMini(platform, clock_hz, ident="Hayasashi behind LitePCIe", ident_version=False)
    if soc.mem_map["csr"] != CSR_BASE:
        sys.exit(f"registers begin at {soc.mem_map['csr']:#x}, not at {CSR_BASE:#x}; this script is for litex 2024.12")
    return soc


class ClockAndReset(LiteXModule):
    def __init__(self, platform, clock_hz):
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.pll = pll = S7PLL()
        self.comb += pll.reset.eq(self.rst)
        pll.register_clkin(platform.request("clk200"), 200e6)
        pll.create_clkout(self.cd_sys, clock_hz)
        platform.add_false_path_constraints(self.cd_sys.clk, pll.clkin)


def card(variant, clock_hz, chip_folder):
    from litepcie.phy.s7pciephy import S7PCIEPHY
    from litex_boards.platforms import sqrl_acorn

    platform = sqrl_acorn.Platform(variant=variant)
    soc = new_soc(platform, clock_hz)
    soc.crg = ClockAndReset(platform, clock_hz)
    soc.comb += platform.request("pcie_clkreq_n").eq(Constant(0))
    soc.pcie_phy = phy = S7PCIEPHY(platform, platform.request("pcie_x4"), data_width=128, bar0_size=0x20000)
    platform.add_false_path_constraints(soc.crg.cd_sys.clk, phy.cd_pcie.clk)
    add_chip(soc, phy, chip_folder)
    return soc


def write_driver(soc, folder):
    """LitePCIe's driver for this design."""
    from litepcie.software import generate_litepcie_software

    generate_litepcie_software(soc, str(folder))
    (folder / "__init__.py").unlink()
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    config = folder / "kernel" / "config.h"
    text = config.read_text()
    for name, value in [("DMA_BUFFER_SIZE", PACKET_BYTES), ("DMA_BUFFER_PER_IRQ", 1)]:
        text, found = re.subn(rf"(?m)^(#define {name}\s+)\d+$", rf"\g<1>{value}", text)
        if found != 1:
            sys.exit(f"{config} has {found} lines `#define {name}` with a number; this script is for litepcie 2024.12")
    config.write_text(text)


def main():
    parser = argparse.ArgumentParser(description="The chip behind LitePCIe on an Acorn CLE-215+ or NiteFury")
    parser.add_argument("chip", type=Path, help="folder that `hayasashi release` has written")
    parser.add_argument("out", type=Path, help="folder for the design and the driver")
    parser.add_argument("part", choices=list(VARIANTS), help="the card's FPGA")
    parser.add_argument("clock_hz", type=int, help="clock of the chip")
    parser.add_argument("--bitstream", action="store_true", help="run Vivado")
    arguments = parser.parse_args()
    if not (arguments.chip / "hayasashi_litex.py").is_file():
        sys.exit(f"{arguments.chip} has no hayasashi_litex.py: write it with `hayasashi release --out {arguments.chip}`")
    soc = card(VARIANTS[arguments.part], arguments.clock_hz, arguments.chip.resolve())
    builder = Builder(soc, output_dir=str(arguments.out), csr_csv=str(arguments.out / "csr.csv"), compile_software=False)
    builder.build(build_name="hayasashi", run=arguments.bitstream)
    write_driver(soc, arguments.out / "driver")


if __name__ == "__main__":
    main()
