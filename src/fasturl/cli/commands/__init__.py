"""One module per command. click runs the `command` in it."""
