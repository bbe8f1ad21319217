"""`python -m lexbelli` is the command line."""

from lexbelli.cli import main

main()
