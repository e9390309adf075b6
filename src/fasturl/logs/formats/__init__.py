"""Formats: from lines to records, one module per kind of format. catalog.py lists them."""
