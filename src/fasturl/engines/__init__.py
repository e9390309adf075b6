"""Integrations with dataframe and SQL engines. Each module imports only the engine with the same name.

When you import ``polars`` or ``pandas``, columns get a namespace ``.url``. ``duckdb`` and ``spark`` register SQL
functions. ``fasturl.arrow`` does the work, so you get the same answers as from ``fasturl.parse``.
"""

# The package's only list of engines. Each has a module here, an extra, a page in docs/engines and a file of tests. The
# extra `engines` installs all of them.
ENGINES = ("polars", "pandas", "duckdb", "spark")
