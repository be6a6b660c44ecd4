# The common jobs, for those who use `just`. Each is a step of ./tests/run, which says more: ./tests/run --help

# Lists the jobs.
default:
    @just --list

# Everything, as CI runs it.
all:
    ./tests/run

# Unit tests.
fast *arguments:
    ./tests/run fast {{arguments}}

# All tests; arguments go to `cargo test`.
test *arguments:
    ./tests/run test {{arguments}}

# Format, clippy, documentation.
lint:
    ./tests/run lint

# Licences, duplicates and sources of the dependencies.
deny:
    ./tests/run deny

# The search's node count and speed.
bench *arguments:
    ./tests/run bench {{arguments}}

# Gateware, its Verilog and the model beside each other.
verify *arguments:
    ./tests/run verify {{arguments}}

# Rewrites what is generated from the sources.
golden:
    ./tests/run golden
