# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Hayasashi shogi co-processor as a LiteX module.

    self.hayasashi = Hayasashi(platform)                      # 64 bits a word
    self.comb += dma_reader.source.connect(self.hayasashi.sink)
    self.comb += self.hayasashi.source.connect(dma_writer.sink)

``sink`` takes requests and ``source`` gives answers, each answer a packet that ends with ``last``. With 64 bits both have
the field ``keep``, a bit for each byte of ``data``; whoever feeds ``sink`` from a source without it drives it with 0xFF.
"""

from pathlib import Path

from migen import ClockSignal, Instance, ResetSignal

from litex.gen import LiteXModule
from litex.soc.interconnect import stream


class Hayasashi(LiteXModule):
    """``data_width`` is 64 or 8; ``clock_domain`` is that of both streams."""

    def __init__(self, platform, data_width=64, clock_domain="sys"):
        if data_width not in (8, 64):
            raise ValueError(f"data_width is {data_width}; there are wrappers of 8 and of 64 bits")
        layout = [("data", data_width)]
        if data_width == 64:
            layout.append(("keep", 8))
        self.sink = sink = stream.Endpoint(layout)
        self.source = source = stream.Endpoint(layout)

        name = f"hayasashi_axis{data_width}"
        ports = dict(
            i_aclk=ClockSignal(clock_domain),
            i_aresetn=~ResetSignal(clock_domain),
            i_s_axis_tvalid=sink.valid,
            o_s_axis_tready=sink.ready,
            i_s_axis_tdata=sink.data,
            i_s_axis_tlast=sink.last,
            o_m_axis_tvalid=source.valid,
            i_m_axis_tready=source.ready,
            o_m_axis_tdata=source.data,
            o_m_axis_tlast=source.last,
        )
        if data_width == 64:
            ports.update(i_s_axis_tkeep=sink.keep, o_m_axis_tkeep=source.keep)
        self.specials += Instance(name, **ports)
        platform.add_source(str(Path(__file__).resolve().parent / f"{name}.v"))
