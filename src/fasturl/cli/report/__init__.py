"""The page of `fasturl report`: `page` writes the HTML, `charts` and `drawing` its charts."""
