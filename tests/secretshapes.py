"""Random secrets in each shape of escapes/secrets.h, with the source of the shape, and texts that hold them."""

import base64
import random
import secrets
import string
import uuid
from collections.abc import Callable
from urllib.parse import quote

LETTERS = string.ascii_letters + string.digits
URL_SAFE, HEX = LETTERS + "-_", "0123456789abcdef"
RNG = random.Random("shapes")


def some(count: int, characters: str = LETTERS) -> str:
    return "".join(RNG.choices(characters, k=count))


def some_uuid() -> str:
    return str(uuid.UUID(int=RNG.getrandbits(128)))


def json_web_token() -> str:
    parts = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"%d"}' % RNG.randrange(10**9), RNG.randbytes(32))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


GITHUB = "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure"
# What makes a token, and where its form is described.
SHAPES: dict[str, tuple[Callable[[], str], str]] = {
    "JSON web token": (json_web_token, "https://www.rfc-editor.org/rfc/rfc7519"),
    "GitHub": (lambda: f"gh{RNG.choice('pousr')}_{some(36)}", f"{GITHUB}/about-authentication-to-github"),
    "GitHub, fine-grained": (
        lambda: f"github_pat_{some(22)}_{some(59)}", f"{GITHUB}/managing-your-personal-access-tokens"),
    "GitLab": (lambda: "glpat-" + some(20, URL_SAFE), "https://docs.gitlab.com/security/tokens/"),
    "Stripe": (lambda: RNG.choice(("sk_live_", "sk_test_", "rk_live_")) + some(24), "https://docs.stripe.com/keys"),
    "AWS": (
        lambda: RNG.choice(("AKIA", "ASIA")) + some(16, string.ascii_uppercase + "234567"),
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"),
    "Google": (lambda: "AIza" + some(35, URL_SAFE), "https://cloud.google.com/docs/authentication/api-keys"),
    "npm": (lambda: "npm_" + some(36), "https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/"),
    "PyPI": (lambda: "pypi-AgEIcHlwaS5vcmc" + some(100, URL_SAFE), "https://pypi.org/help/#apitoken"),
    "SendGrid": (
        lambda: f"SG.{some(22)}.{some(43, URL_SAFE)}",
        "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys"),
    "Twilio": (lambda: "SK" + some(32, HEX), "https://www.twilio.com/docs/iam/api-keys"),
    "Slack": (lambda: f"xoxb-{some(12, string.digits)}-{some(24)}", "https://docs.slack.dev/authentication/tokens/"),
}  # fmt: skip
WEBHOOKS: dict[str, tuple[Callable[[], tuple[str, str]], str]] = {
    "Slack": (lambda: (f"https://hooks.slack.com/services/T{some(8).upper()}/B{some(8).upper()}/", some(24)),
              "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/"),
    "Discord": (lambda: (f"https://discord.com/api/webhooks/{some(18, string.digits)}/", some(68, URL_SAFE)),
                "https://docs.discord.com/developers/resources/webhook"),
    "Telegram": (lambda: (f"https://api.telegram.org/bot{some(10, '123456789')}:", "AA" + some(33, URL_SAFE)),
                 "https://core.telegram.org/bots/api#authorizing-your-bot"),
    "Teams": (lambda: (f"https://x.webhook.office.com/webhookb2/{some_uuid()}/IncomingWebhook/", some(31, HEX) + "7"),
              "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/"),
}  # fmt: skip
WORDS = (
    "reset verify confirm activate invite magic unsubscribe share feed webhook hooks token signed password_reset"
).split()
OPAQUE: tuple[Callable[[], str], ...] = (
    lambda: some(32, HEX), some_uuid, lambda: secrets.token_urlsafe(32), lambda: some(24),
    lambda: f"{some(6).lower()}-{some(32, HEX)}",
)  # fmt: skip


def places(token: str) -> list[str]:
    """Return texts of a URL that hold the token."""
    return [
        f"/a/{token}/b", f"/a?x={token}&y=1", f"http://h/{token}", f"/r?to={quote('https://h/a/' + token, '')}",
        f"/r?to={quote(quote('/a/' + token, ''), '')}", f"/a#{token}",
    ]  # fmt: skip
