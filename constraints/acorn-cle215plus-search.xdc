# Pins of the SQRL Acorn CLE-215+.
# Source: litex-boards, litex_boards/platforms/sqrl_acorn.py (clk200, user_led, and the serial adapter on P2).

# Configuration voltages of the board.
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]

# Oscillator, 200 MHz, differential.
set_property PACKAGE_PIN J19 [get_ports oscillator]
set_property IOSTANDARD DIFF_SSTL15 [get_ports oscillator]
set_property PACKAGE_PIN H19 [get_ports oscillator_n]
set_property IOSTANDARD DIFF_SSTL15 [get_ports oscillator_n]
create_clock -name oscillator -period 5.000 [get_ports oscillator]

# UART on the connector P2, named as the FPGA sees it.
set_property PACKAGE_PIN J2 [get_ports uart_rx]
set_property IOSTANDARD LVCMOS33 [get_ports uart_rx]
set_property PACKAGE_PIN K2 [get_ports uart_tx]
set_property IOSTANDARD LVCMOS33 [get_ports uart_tx]

# LEDs user_led 0 and 1.
set_property PACKAGE_PIN G3 [get_ports led_running]
set_property IOSTANDARD LVCMOS33 [get_ports led_running]
set_property PACKAGE_PIN H3 [get_ports led_activity]
set_property IOSTANDARD LVCMOS33 [get_ports led_activity]

# Nothing outside is timed against the chip's clock.
set_false_path -from [get_ports uart_rx]
set_false_path -to [get_ports {uart_tx led_running led_activity}]
