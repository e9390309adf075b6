"""The page that `fasturl report` writes: `drawing` makes charts, `charts` those of a log, `page` the whole."""
