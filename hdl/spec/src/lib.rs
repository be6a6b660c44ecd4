//! The one contract between gateware and host.
