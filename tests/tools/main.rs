//! The command line, the build flow, boards, documents, the source tree.

mod bitstream;
mod cards;
mod commands;
mod constraints;
mod docs;
mod files;
mod flow;
mod flow_tools;
mod frames;
mod messages;
mod tidy;
mod xilinx;
