"""Reads and writes the HCL of configuration files: texts to items with lines, and values to texts."""
