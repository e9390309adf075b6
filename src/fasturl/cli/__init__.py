"""The command line: `fasturl parse | stats | check | extract | explain | quote | unquote`.

Octets come in through `source` (files, decompression) and `lines` (cutting into lines), become rows in
`formats` (one class a format of input) and `rows` (the parts of each URL), and leave through `writers` and
`sink`. `commands` holds one module a command; none of it is imported before the command is asked for.
"""
