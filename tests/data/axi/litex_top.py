"""A design of the released LiteX module alone, as Verilog: litex<width>.v, module litex. Prints what it adds to the build."""

import sys

from litex.gen import LiteXModule
from litex.gen.fhdl.verilog import convert
from migen import ClockDomain, Signal

from hayasashi_litex import Hayasashi


class Platform:
    def add_source(self, path):
        print("source", path)


class Top(LiteXModule):
    def __init__(self, width):
        self.chip = chip = Hayasashi(Platform(), data_width=width, packet_words=1024 if width == 64 else 0)
        self.cd_sys = ClockDomain("sys")
        self.ios = {self.cd_sys.clk, self.cd_sys.rst}
        for name, endpoint in ("sink", chip.sink), ("source", chip.source):
            for field in ["valid", "ready", "last", "data"]:
                wire = getattr(endpoint, field)
                port = Signal(len(wire), name_override=f"{name}_{field}")
                self.ios.add(port)
                driven = (name == "sink") != (field == "ready")
                self.comb += wire.eq(port) if driven else port.eq(wire)


width = int(sys.argv[1])
top = Top(width)
convert(top, top.ios, name="litex").write(f"litex{width}.v")
