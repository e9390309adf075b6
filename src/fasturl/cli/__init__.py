"""The command line: `fasturl parse | stats | report | sql | check | extract | explain | quote | unquote`.

`fasturl.logs` opens the inputs, decompresses them, and reads their lines. `commands` has one module per command, which
is imported on use. `pipeline` turns lines into columns on several threads, and `outputs` writes them. `summary` counts
for `stats` and `report`.
"""
