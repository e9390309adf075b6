"""Columns of URLs where they already are: each module here needs its own engine, and none imports another's.

``polars`` and ``pandas`` (and ``dask``) give columns a namespace ``.url``; ``duckdb`` and ``spark`` register SQL
functions; ``spark``, ``ray`` and ``dask`` read a column of a distributed table. The answers are those of
``fasturl.parse``: the work is done by ``fasturl.arrow``, and these modules only carry columns there and back.
"""

# The one list of them. Each is a module here, an extra, a page in docs/engines and a file of tests; the extra
# `engines` brings all.
ENGINES = ("polars", "pandas", "duckdb", "spark", "ray", "dask")
