# Pins of the SQRL Acorn CLE-215+ for a design behind PCIe, 4 lanes; those of the NiteFury are the same.
# Source: litex-boards, litex_boards/platforms/sqrl_acorn.py (pcie_x4, pcie_clkreq_n).

# Configuration voltages of the board.
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]
set_property BITSTREAM.CONFIG.CONFIGRATE 50 [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]

# Reference clock, 100 MHz, from the slot.
set_property PACKAGE_PIN F6 [get_ports {pcie_refclk_clk_p[0]}]
set_property PACKAGE_PIN E6 [get_ports {pcie_refclk_clk_n[0]}]
create_clock -name pcie_refclk -period 10.000 [get_ports {pcie_refclk_clk_p[0]}]

# Reset from the slot, and the request for its clock.
set_property PACKAGE_PIN J1 [get_ports pcie_perst_n]
set_property IOSTANDARD LVCMOS33 [get_ports pcie_perst_n]
set_property PULLUP TRUE [get_ports pcie_perst_n]
set_false_path -from [get_ports pcie_perst_n]
set_property PACKAGE_PIN G1 [get_ports {pcie_clkreq_n[0]}]
set_property IOSTANDARD LVCMOS33 [get_ports {pcie_clkreq_n[0]}]

# Lanes. The pins place the transceivers: `xdma.tcl` removes the places that the core has chosen.
set_property PACKAGE_PIN B10 [get_ports {pcie_rxp[0]}]
set_property PACKAGE_PIN A10 [get_ports {pcie_rxn[0]}]
set_property PACKAGE_PIN B6 [get_ports {pcie_txp[0]}]
set_property PACKAGE_PIN A6 [get_ports {pcie_txn[0]}]
set_property PACKAGE_PIN B8 [get_ports {pcie_rxp[1]}]
set_property PACKAGE_PIN A8 [get_ports {pcie_rxn[1]}]
set_property PACKAGE_PIN B4 [get_ports {pcie_txp[1]}]
set_property PACKAGE_PIN A4 [get_ports {pcie_txn[1]}]
set_property PACKAGE_PIN D11 [get_ports {pcie_rxp[2]}]
set_property PACKAGE_PIN C11 [get_ports {pcie_rxn[2]}]
set_property PACKAGE_PIN D5 [get_ports {pcie_txp[2]}]
set_property PACKAGE_PIN C5 [get_ports {pcie_txn[2]}]
set_property PACKAGE_PIN D9 [get_ports {pcie_rxp[3]}]
set_property PACKAGE_PIN C9 [get_ports {pcie_rxn[3]}]
set_property PACKAGE_PIN D7 [get_ports {pcie_txp[3]}]
set_property PACKAGE_PIN C7 [get_ports {pcie_txn[3]}]
