"""The design of constraints/cards/litepcie_card.py without the card: the transceivers' side of the core as ports.

    python top.py SCRIPT CHIP_FOLDER OUT_FOLDER

writes litepcie.v and csr.json into OUT_FOLDER.
"""

import importlib.util
import os
import sys
from pathlib import Path

from migen import ClockDomain, Signal

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import LiteXModule
from litex.soc.integration.export import get_csr_json
from litex.soc.interconnect import stream

from litepcie.common import get_bar_mask, msi_layout, phy_layout

WIDTH = 128


def words(name, extra):
    """Ports of a stream."""
    wires = [("valid", 1), ("ready", 1), ("first", 1), ("last", 1), *extra]
    return (name, 0, *(Subsignal(wire, Pins(width)) for wire, width in wires))


IO = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    words("to_core", [("dat", WIDTH), ("be", WIDTH // 8)]),
    words("from_core", [("dat", WIDTH), ("be", WIDTH // 8)]),
    words("msi", [("dat", 8)]),
    ("pcie_id", 0, Pins(16)),
    ("max_request_size", 0, Pins(16)),
    ("max_payload_size", 0, Pins(16)),
]


class Phy(LiteXModule):
    """What LitePCIe's endpoint wants of a PHY for Xilinx 7 series, from ports."""

    endianness = "big"
    qword_aligned = False

    def __init__(self, platform):
        self.data_width = WIDTH
        self.bar0_size = 0x20000
        self.bar0_mask = get_bar_mask(self.bar0_size)
        self.sink = stream.Endpoint(phy_layout(WIDTH))
        self.source = stream.Endpoint(phy_layout(WIDTH))
        self.msi = stream.Endpoint(msi_layout())
        self.id = Signal(16)
        self.max_request_size = Signal(16)
        self.max_payload_size = Signal(16)
        for name in ("pcie_id", "max_request_size", "max_payload_size"):
            self.comb += getattr(self, name.removeprefix("pcie_")).eq(platform.request(name))
        to_core, from_core, msi = (platform.request(name) for name in ("to_core", "from_core", "msi"))
        for name in ("valid", "first", "last", "dat", "be"):
            self.comb += getattr(self.source, name).eq(getattr(to_core, name))
            self.comb += getattr(from_core, name).eq(getattr(self.sink, name))
        self.comb += [to_core.ready.eq(self.source.ready), self.sink.ready.eq(from_core.ready)]
        self.comb += [msi.valid.eq(self.msi.valid), msi.dat.eq(self.msi.dat), self.msi.ready.eq(msi.ready)]


class Clock(LiteXModule):
    def __init__(self, platform):
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.comb += self.cd_sys.clk.eq(platform.request("sys_clk"))
        self.comb += self.cd_sys.rst.eq(platform.request("sys_rst") | self.rst)


def main():
    script, chip, out = (Path(argument).resolve() for argument in sys.argv[1:])
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("design", script)
    design = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(design)

    platform = GenericPlatform("", IO, name="litepcie")
    soc = design.new_soc(platform, 100_000_000)
    soc.crg = Clock(platform)
    soc.pcie_phy = phy = Phy(platform)
    design.add_chip(soc, phy, chip)
    soc.finalize()
    out.mkdir(parents=True, exist_ok=True)
    (out / "csr.json").write_text(get_csr_json(soc.csr_regions, soc.constants, soc.mem_regions))
    os.chdir(out)
    platform.get_verilog(soc, name="litepcie").write("litepcie.v")


if __name__ == "__main__":
    main()
