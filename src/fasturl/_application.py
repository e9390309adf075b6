"""What the application, ``fasturl.logs`` and ``fasturl.cli``, takes from the library beside its public names.

A change of these names is a change of the application. tests/packaging/test_modules.py compares the list with the
imports, in both directions. Nothing imports this module.
"""

PRIVATE = {
    "fasturl": {"_columns"},  # columns in memory, and their rows as JSON and CSV
    "fasturl._columns": {"NAMES", "PooledBuffer"},
    "fasturl._extras": {"is_installed", "load", "needed_by", "pip_install"},
    "fasturl._fastparse": {"Findings", "_fork_lock", "_kernels", "schemes"},
    "fasturl._findings": {"FINDING_NAMES"},
    "fasturl._patterns": {"lazy_pattern", "not_beside"},
    "fasturl._quoted": {"nearest", "quoted", "unknown", "without_secrets"},
    "fasturl._rfc3986": {"SECTIONS"},
    "fasturl._terms": {"example_citation"},
    "fasturl._urllib": {"_hidden_places", "_redact_text", "checked_mark"},
    "fasturl.arrow": {"compute"},
    "fasturl.arrow.columns_in": {"Strings", "as_arrays", "is_binary", "joined_lines", "spread"},
    "fasturl.arrow.copies": {"used_buffer"},
    "fasturl.arrow.findings": {"finding_names"},
    "fasturl.arrow.functions": {"Form"},
    "fasturl.arrow.parsing": {"parse_mixed"},
    "fasturl.arrow.texts": {"map_texts"},
    "fasturl.arrow.threads": {"Pool", "Task", "Workers", "processors", "workers"},
    "fasturl.engines.spark": {"cast_to_signed", "spark_type"},
}
