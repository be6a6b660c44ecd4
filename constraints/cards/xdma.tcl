# Vivado: the chip behind Xilinx' DMA bridge XDMA on a card Acorn CLE-215+ or NiteFury, from the released Verilog to a bitstream.
#
#   vivado -mode batch -source xdma.tcl -tclargs hayasashi_axis64.v OUT_FOLDER PART CHIP_HZ
#
# `hayasashi build --board nitefury` runs it where Vivado is on PATH. PART is xc7a200tfbg484-3 for the Acorn and xc7a200tfbg484-2 for the
# NiteFury. Writes into OUT_FOLDER: the project, the reports `utilization.rpt`, `timing.rpt`, `drc.rpt` and the bitstream `xdma.bit`, and
# ends with exit code 1 where the clock is not reached. Nobody has run this script yet: neither Vivado nor a card was at hand.
#
#   slot <=> xdma (64 bits, 250 MHz) <=> clock crossing <=> hayasashi_axis64 (64 bits)

if {[llength $argv] != 4} {
    puts stderr "arguments: hayasashi_axis64.v OUT_FOLDER PART CHIP_HZ"
    exit 2
}
lassign $argv verilog out part chip_hz
set stem xdma
set here [file dirname [file normalize [info script]]]
set chip_mhz [expr {$chip_hz / 1e6}]
# Words of a packet: 4,096 bytes, as the host reads them.
set packet_words 512

create_project -force $stem [file join $out project] -part $part
add_files -norecurse $verilog
add_files -fileset constrs_1 -norecurse [file join $here $stem.xdc]
update_compile_order -fileset sources_1
create_bd_design pcie

proc ip {name type properties} {
    set cell [create_bd_cell -type ip -vlnv [get_ipdefs -filter "VLNV =~ xilinx.com:ip:$type:*"] $name]
    if {[llength $properties]} { set_property -dict $properties $cell }
    return $cell
}

# The slot: reference clock, lanes, reset.
create_bd_intf_port -mode Slave -vlnv xilinx.com:interface:diff_clock_rtl:1.0 pcie_refclk
create_bd_intf_port -mode Master -vlnv xilinx.com:interface:pcie_7x_mgt_rtl:1.0 pcie
create_bd_port -dir I -type rst pcie_perst_n
create_bd_port -dir O -from 0 -to 0 pcie_clkreq_n
ip refclk util_ds_buf {CONFIG.C_BUF_TYPE {IBUFDSGTE}}
ip clkreq xlconstant {CONFIG.CONST_WIDTH {1} CONFIG.CONST_VAL {0}}

# One stream each way, PCIe 2.0 x4. 64 bits, because the host sends any number of words, odd ones too.
ip xdma xdma {
    CONFIG.mode_selection {Advanced}
    CONFIG.pl_link_cap_max_link_width {X4}
    CONFIG.pl_link_cap_max_link_speed {5.0_GT/s}
    CONFIG.axi_data_width {64_bit}
    CONFIG.axisten_freq {250}
    CONFIG.xdma_axi_intf_mm {AXI_Stream}
    CONFIG.xdma_rnum_chnl {1}
    CONFIG.xdma_wnum_chnl {1}
    CONFIG.pf0_device_id {7024}
    CONFIG.cfg_mgmt_if {false}
}

# The chip, with a clock of its own. The reset lasts until that clock is there.
create_bd_cell -type module -reference hayasashi_axis64 chip
ip packet_words xlconstant [list CONFIG.CONST_WIDTH {12} CONFIG.CONST_VAL $packet_words]
ip chip_clock clk_wiz [list CONFIG.PRIM_IN_FREQ {250.000} CONFIG.PRIM_SOURCE {No_buffer} \
    CONFIG.CLKOUT1_REQUESTED_OUT_FREQ $chip_mhz CONFIG.RESET_TYPE {ACTIVE_LOW}]
ip chip_reset proc_sys_reset {}

ip to_chip axis_clock_converter {}
ip from_chip axis_clock_converter {}

proc streams {args} { foreach {from to} $args { connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to] } }
streams xdma/M_AXIS_H2C_0 to_chip/S_AXIS to_chip/M_AXIS chip/s_axis
streams chip/m_axis from_chip/S_AXIS from_chip/M_AXIS xdma/S_AXIS_C2H_0
connect_bd_intf_net [get_bd_intf_ports pcie_refclk] [get_bd_intf_pins refclk/CLK_IN_D]
connect_bd_intf_net [get_bd_intf_ports pcie] [get_bd_intf_pins xdma/pcie_mgt]

proc wire {from args} { foreach to $args { connect_bd_net [get_bd_pins $from] [get_bd_pins $to] } }
wire refclk/IBUF_OUT xdma/sys_clk
connect_bd_net [get_bd_ports pcie_perst_n] [get_bd_pins xdma/sys_rst_n]
connect_bd_net [get_bd_pins clkreq/dout] [get_bd_ports pcie_clkreq_n]
wire xdma/axi_aclk chip_clock/clk_in1 to_chip/s_axis_aclk from_chip/m_axis_aclk
wire xdma/axi_aresetn chip_clock/resetn chip_reset/ext_reset_in to_chip/s_axis_aresetn from_chip/m_axis_aresetn
wire chip_clock/clk_out1 chip_reset/slowest_sync_clk chip/aclk to_chip/m_axis_aclk from_chip/s_axis_aclk
wire chip_clock/locked chip_reset/dcm_locked
wire chip_reset/peripheral_aresetn chip/aresetn to_chip/m_axis_aresetn from_chip/s_axis_aresetn
wire packet_words/dout chip/packet_words

validate_bd_design
save_bd_design
add_files -norecurse [make_wrapper -files [get_files pcie.bd] -top]
set_property top pcie_wrapper [current_fileset]
update_compile_order -fileset sources_1

# The core's own places of the transceivers are not those of this card.
set hook [file join $out before_placement.tcl]
set file [open $hook w]
puts $file {reset_property LOC [get_cells -hierarchical -filter {NAME =~ *gtp_channel.gtpe2_channel_i}]}
close $file
add_files -fileset utils_1 -norecurse $hook
set_property STEPS.PLACE_DESIGN.TCL.PRE $hook [get_runs impl_1]

launch_runs impl_1 -to_step write_bitstream -jobs 4
wait_on_run impl_1
open_run impl_1
report_utilization -hierarchical -file [file join $out utilization.rpt]
report_timing_summary -file [file join $out timing.rpt]
report_drc -file [file join $out drc.rpt]

set slack [get_property SLACK [get_timing_paths -setup]]
set hold [get_property SLACK [get_timing_paths -hold]]
puts "setup slack $slack ns, hold slack $hold ns"
if {$slack < 0 || $hold < 0} {
    puts stderr "the clock is not reached: see [file join $out timing.rpt]; lower chip_hz of the card"
    exit 1
}
file copy -force [file join [get_property DIRECTORY [get_runs impl_1]] pcie_wrapper.bit] [file join $out $stem.bit]
