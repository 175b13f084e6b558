"""`python -m maththera`"""

from maththera.cli import main

main()
