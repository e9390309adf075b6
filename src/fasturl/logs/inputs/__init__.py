"""Inputs: open and decompress what the user named, and cut it into lines."""
