# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Hayasashi shogi co-processor as a LiteX module.

    self.hayasashi = Hayasashi(platform, packet_words=1024)   # 64 bits a word
    self.comb += dma_reader.source.connect(self.hayasashi.sink)
    self.comb += self.hayasashi.source.connect(dma_writer.sink)

``sink`` takes requests and ``source`` gives answers, each answer a packet that ends with ``last``. With 64 bits and
``packet_words`` the packets have that many words instead, as a DMA with fixed buffers wants them: 1024 fill a buffer of LitePCIe.
"""

from pathlib import Path

from migen import ClockSignal, Instance, ResetSignal

from litex.gen import LiteXModule
from litex.soc.interconnect import stream


class Hayasashi(LiteXModule):
    """``data_width`` is 64 or 8; ``clock_domain`` is that of both streams; ``packet_words`` is for 64 bits only."""

    def __init__(self, platform, data_width=64, clock_domain="sys", packet_words=0):
        if data_width not in (8, 64):
            raise ValueError(f"data_width is {data_width}; there are wrappers of 8 and of 64 bits")
        if not 0 <= packet_words < (4096 if data_width == 64 else 1):
            raise ValueError(f"packet_words is {packet_words}; it is below 4096, and 0 with 8 bits")
        layout = [("data", data_width)]
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
            ports.update(i_packet_words=packet_words)
        self.specials += Instance(name, **ports)
        platform.add_source(str(Path(__file__).resolve().parent / f"{name}.v"))
