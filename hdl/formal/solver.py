"""The SMT solver Bitwuzla as a command, out of its Python package: answers SMT-LIB from standard input as it comes.

SymbiYosys asks for a program named `bitwuzla`; PyPI has the library only.
"""

import signal
import sys

import bitwuzla

if "--help" in sys.argv:
    # What yosys-smtbmc looks for: the options of versions from 0.3 on.
    print("bitwuzla [--lang smt2]")
    sys.exit(0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
options = bitwuzla.Options()
options.set(bitwuzla.Option.PRODUCE_MODELS, True)
bitwuzla.Parser(bitwuzla.TermManager(), options).parse("<stdin>")
