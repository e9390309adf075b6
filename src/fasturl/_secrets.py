"""The names in which well-known programs send secrets. The kernel holds them: src/kernel/escapes/secrets.h."""

from fasturl import _urllib

SECRET_KEYS: tuple[str, ...] = _urllib.SECRET_KEYS
"""The keys that ``fasturl.redact`` uses by default. A key ``*token`` matches every name that ends in ``token``."""
