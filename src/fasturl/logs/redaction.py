"""What a command hides in a log's texts, and what it writes instead."""

from __future__ import annotations

from collections.abc import Callable

from fasturl import redact
from fasturl._patterns import lazy_pattern
from fasturl._urllib import _hidden_places, _redact_text

_COLON = lazy_pattern(rb"(:|%3[Aa])")


class Redaction:
    """Hides passwords, tokens, and query values with these keys.

    mark : the text to write for a secret
    user : True to hide users too, in URLs and requests
    alias : returns the text to write for a secret instead of the mark. In a login, user and password have separate
        texts.
    """

    def __init__(
        self,
        keys: tuple[str, ...],
        mark: bytes = b"***",
        *,
        user: bool = False,
        alias: Callable[[bytes], bytes] | None = None,
    ) -> None:
        self.keys = [key.encode("utf-8", "surrogateescape") for key in keys]
        self.mark = mark
        self.alias = alias
        self.hides_users = user

    def url(self, data: bytes) -> bytes:
        """Redact a URL, as `fasturl.redact`.

        >>> Redaction(("token",), b"REDACTED").url(b"http://me:secret@h/?token=a&c=1")
        b'http://me:REDACTED@h/?token=REDACTED&c=1'
        """
        if self.alias is not None:
            return self._with_aliases(data, self.alias, is_text=False)
        return redact(data, self.keys, self.mark, user=self.hides_users)

    def text(self, data: bytes) -> bytes:
        """Redact a text that may quote URLs, such as a reject. White space and quotes end a URL.

        >>> Redaction(("token",)).text(b'GET http://me:secret@h/?token=a%20b&c=1 "x"')
        b'GET http://me:***@h/?token=***&c=1 "x"'
        """
        if self.alias is not None:
            return self._with_aliases(data, self.alias, is_text=True)
        return _redact_text(data, self.keys, self.mark, user=self.hides_users)

    def _with_aliases(self, data: bytes, alias: Callable[[bytes], bytes], *, is_text: bool) -> bytes:
        places = _hidden_places(data, self.keys, is_text=is_text, user=self.hides_users)
        if not places:
            return data
        # A range that is hidden only with users is a login.
        others = set(_hidden_places(data, self.keys, is_text=is_text)) if self.hides_users else set(places)
        pieces: list[bytes] = []
        done = 0
        for place in places:
            secret = data[slice(*place)]
            parts = [secret] if place in others else _COLON.split(secret, 1)
            parts[::2] = map(alias, parts[::2])
            pieces += (data[done : place[0]], *parts)
            done = place[1]
        return b"".join((*pieces, data[done:]))
