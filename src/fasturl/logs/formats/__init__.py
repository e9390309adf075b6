"""From lines to records: one module a format; catalog.py knows them all."""
