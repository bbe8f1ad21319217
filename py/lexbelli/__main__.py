"""`python -m lexbelli` is the command line."""

import sys

try:
    from lexbelli.cli import main
except KeyboardInterrupt:  # before there is anything that could tell of it
    sys.exit(130)

main()
