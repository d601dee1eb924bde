"""`python -I -m lockwarden.cli`: the command, started so that nothing of the current folder can take part in it.

The isolated mode of Python looks for modules neither in the current folder nor where the environment says.
"""

from __future__ import annotations

import sys

from lockwarden.cli.start import main

if __name__ == "__main__":
    sys.exit(main())
