"""Outputs: text, tables and faults, and the sinks that they write to."""
