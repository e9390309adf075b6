"""The command line: `fasturl parse | stats | sql | check | extract | explain | quote | unquote`.

Octets come in through `inputs` (opening, decompression, whole lines). What becomes of the lines is the business of
`formats`, one module a format. `parse` takes them as columns: `units` (lines to columns, URLs to their parts),
`pipeline` (the same on several threads, in order) and `outputs` (text, tables, and the files they go to). The
other commands look at records one by one: `rows`. `commands` holds one module a command; none is imported before it is
asked for.
"""
