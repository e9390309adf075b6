"""Names for the floor rows: building urllib's result by the shortest ways Python has."""

import operator
from urllib.parse import SplitResult as SplitResult

new = tuple.__new__
"""What a compiled splitter does at its end: a tuple of the result's class, past its Python ``__new__``."""
ready = tuple(SplitResult("https", "www.example.com", "/index.html", "", ""))
"""Five finished texts; a row that uses them allocates no text."""
cut = operator.itemgetter(slice(5), slice(8, 24), slice(24, None), slice(0), slice(0))
"""A tuple of five slices, cut in C at the same places of each URL: as many texts as a plain web URL gives."""
