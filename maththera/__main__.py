"""`python -m maththera` is the command `maththera`."""

from maththera.cli import main

main()
