"""`python -m lockwarden`: the command. With `-I` before it nothing of the current folder can take part in it."""

from __future__ import annotations

import sys

from lockwarden.cli.start import main

if __name__ == "__main__":
    sys.exit(main())
