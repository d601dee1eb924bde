"""The dependency lock file: read with positions, edit in place, render canonically, save atomically."""
