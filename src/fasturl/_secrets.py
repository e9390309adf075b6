"""The names in which well-known programs send secrets. The kernel holds them: src/kernel/escapes/secrets.h."""

from fasturl import _urllib

SECRET_KEYS: tuple[str, ...] = _urllib.SECRET_KEYS
"""The keys of :func:`fasturl.redact` by default. A key ``*token`` is any name that ends so."""
