"""Integrations with dataframe and SQL engines. Each module imports its own engine only.

``polars`` and ``pandas`` add a namespace ``.url`` to columns. ``duckdb`` and ``spark`` register SQL functions, and
``spark`` parses a column of a distributed table. ``fasturl.arrow`` does the work, so the answers are those of
``fasturl.parse``. These modules only convert columns.
"""

# The package's only list of engines. Each has a module here, an extra, a page in docs/engines and a file of tests. The
# extra `engines` installs all of them.
ENGINES = ("polars", "pandas", "duckdb", "spark")
