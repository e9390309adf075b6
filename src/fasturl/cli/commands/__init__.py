"""One module a command; `command` in it is what click runs."""
