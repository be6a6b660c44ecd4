# Vivado, without a project: from the emitted Verilog and the pins to a bitstream.
#
#   vivado -mode batch -source constraints/arty-a7-100t.tcl -tclargs TOP.v OUT_FOLDER
#
# TOP.v is what `hayasashi_hdl::verilog::board` emits for this board. Writes into OUT_FOLDER: the reports
# `utilization.rpt`, `timing.rpt`, `drc.rpt`, the checkpoint `routed.dcp` and the bitstream `arty-a7-100t.bit`, and ends with
# exit code 1 where the clock is not reached.

if {[llength $argv] != 2} {
    puts stderr "arguments: TOP.v OUT_FOLDER"
    exit 2
}
lassign $argv verilog out
set stem arty-a7-100t
set part xc7a100tcsg324-1
set here [file dirname [file normalize [info script]]]
file mkdir $out

read_verilog $verilog
read_xdc [file join $here $stem.xdc]

synth_design -top top -part $part
opt_design
place_design
phys_opt_design
route_design

report_utilization -hierarchical -file [file join $out utilization.rpt]
report_timing_summary -file [file join $out timing.rpt]
report_drc -file [file join $out drc.rpt]
write_checkpoint -force [file join $out routed.dcp]

set slack [get_property SLACK [get_timing_paths -setup]]
set hold [get_property SLACK [get_timing_paths -hold]]
puts "setup slack $slack ns, hold slack $hold ns"
if {$slack < 0 || $hold < 0} {
    puts stderr "the clock is not reached: see [file join $out timing.rpt]; lower clock.chip_hz in $stem.toml"
    exit 1
}
write_bitstream -force [file join $out $stem.bit]
