"""The page of `fasturl report`: `page` writes the HTML, `charts` its charts and style."""
