# Pins of the Digilent Arty A7-100T.
# Source: Digilent's master constraints, https://github.com/Digilent/digilent-xdc, Arty-A7-100-Master.xdc, and
# litex-boards, litex_boards/platforms/digilent_arty.py.

# Configuration voltages of the board.
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]

# Oscillator, 100 MHz.
set_property PACKAGE_PIN E3 [get_ports oscillator]
set_property IOSTANDARD LVCMOS33 [get_ports oscillator]
create_clock -name oscillator -period 10.000 [get_ports oscillator]

# UART of the FT2232H's channel B. Digilent's names are seen from the FT2232H: uart_txd_in is what the FPGA receives.
set_property PACKAGE_PIN A9 [get_ports uart_rx]
set_property IOSTANDARD LVCMOS33 [get_ports uart_rx]
set_property PACKAGE_PIN D10 [get_ports uart_tx]
set_property IOSTANDARD LVCMOS33 [get_ports uart_tx]

# LEDs LD4 and LD5, lit by 1.
set_property PACKAGE_PIN H5 [get_ports led_running]
set_property IOSTANDARD LVCMOS33 [get_ports led_running]
set_property PACKAGE_PIN J5 [get_ports led_activity]
set_property IOSTANDARD LVCMOS33 [get_ports led_activity]

# Nothing outside is timed against the chip's clock.
set_false_path -from [get_ports uart_rx]
set_false_path -to [get_ports {uart_tx led_running led_activity}]
