"""The names of query parameters in which well-known programs send secrets.

>>> import fasturl
>>> fasturl.redact("http://h/x?apiKey=abc&n=1&X-Amz-Signature=f00", fasturl.SECRET_KEYS)
'http://h/x?apiKey=***&n=1&X-Amz-Signature=***'
"""

from __future__ import annotations

# A key NAME&OTHER matches NAME if OTHER is a parameter too. A code without a state is often a postal code, not OAuth's.
_CONDITIONAL = ("code&state",)
# Matched in every spelling that _spellings returns.
_WORDS = """
    apikey auth authorization bearer credential credentials csrf hmac jsessionid jwt key otp pass passcode passphrase
    passwd password phpsessid pwd secret secrets session sessionid sid sig signature ticket token xsrf
    access_key access_token api_key api_secret api_token auth_key auth_token client_assertion client_secret
    consumer_secret csrf_token id_token private_key refresh_token saml_response secret_key security_token session_id
    session_key session_token xsrf_token
"""
# Matched in this spelling only, which storage services and frameworks use.
_EXACT = """
    AWSAccessKeyId GoogleAccessId Key-Pair-Id SAMLResponse X-Amz-Credential X-Amz-Security-Token X-Amz-Signature
    X-Goog-Credential X-Goog-Signature _csrf _token oauth_signature oauth_token oauth_verifier
"""


def _spellings(name: str) -> list[str]:
    words = name.split("_")
    capitals = [word.capitalize() for word in words]
    joined = [between.join(words) for between in ("_", "-", "")]
    camel = words[0] + "".join(capitals[1:])
    return [*joined, camel, "".join(capitals), "-".join(capitals), *(each.upper() for each in joined)]


SECRET_KEYS: tuple[str, ...] = tuple(
    dict.fromkeys([*(each for name in _WORDS.split() for each in _spellings(name)), *_EXACT.split(), *_CONDITIONAL])
)
"""Keys for :func:`fasturl.redact`."""
