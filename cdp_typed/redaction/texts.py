"""Credentials in any text, known by their shape: in addresses, headers, forms, JSON, lines of settings, keys."""

from __future__ import annotations

import base64
import binascii
import json
import re
from functools import lru_cache

from .shapes import without_keys

REDACTED = "<redacted>"
"""The text in place of a secret."""

_TYPED = "/*typed*/"
_TYPED_VALUES = re.compile(r"/\*typed\*/[^/]*+")


def typed(values: object) -> str:
    """JSON for a script of ours, with texts that are typed into a page: what is written has `REDACTED` in their
    place."""
    plain = json.dumps(values).replace("/", r"\u002f")
    return f"{_TYPED}{plain}/**/"


_SECRET_NAME = re.compile(
    r"authorization$|cookie$|passw(or)?d$|passwd$|pwd$|passphrase$|passcode$|secret|api[-_]?key|private[-_]?key"
    r"|credentials?$|^x-.*token$|^(mnemonic|seed[-_]?phrase|recovery[-_]?code|connection[-_]?string|pin)$"
    r"|(access|account|activation|admin|api|app|auth|bearer|bot|client|csrf|deploy|device|gh|github|gitlab|id|invite"
    r"|invitation|jwt|login|npm|oauth|personal|private|pypi|refresh|registry|reset|security|service|session|slack|user"
    r"|verification|webhook|xsrf)[-_]?token$"
    r"|(account|auth|encryption|license|master|service|shared[-_]?access|signing|ssh|storage)[-_]?key$|access[-_]key$"
    r"|^(token|sig|signature|otp|cvc|cvv|jwt)$|^x-amz-(credential|signature)$",
    re.IGNORECASE,
)

_PLAIN_HEADER = re.compile(
    r"accept(-[a-z-]+)?|access-control-[a-z-]+|age|allow|alt-svc|cache-control|cdn-cache-control|connection|content-[a-z-]+"
    r"|cross-origin-[a-z-]+|date|device-memory|dnt|downlink|ect|etag|expect-ct|expires|host|if-[a-z-]+|keep-alive"
    r"|last-modified|link|location|nel|origin|origin-agent-cluster|permissions-policy|pragma|priority|purpose|range"
    r"|referer|referrer-policy|report-to|reporting-endpoints|retry-after|rtt|save-data|sec-(ch|fetch|gpc|purpose)[a-z-]*"
    r"|sec-websocket-(accept|extensions|protocol|version)|server|server-timing|service-worker-[a-z-]+"
    r"|strict-transport-security|te|timing-allow-origin|trailer|transfer-encoding|upgrade(-insecure-requests)?"
    r"|user-agent|vary|via|warning|www-authenticate|proxy-authenticate"
    r"|x-(cache|content-type-options|dns-prefetch-control|frame-options|powered-by|requested-with|robots-tag"
    r"|ua-compatible|xss-protection)",
    re.IGNORECASE,
)
"""Headers whose values are no credentials. Any other may be one, whatever a site calls it."""

# These are applied to texts of pages, on the loop that all connections share, so each must be linear in the text: no
# character is read more than a few times. A parameter without a value is matched too, and left unchanged: no other
# match can begin inside it. User info is matched only where no character of a scheme comes before.
_PARAMETER = re.compile(r"(?P<name>(?:^|[?&;#\"'`\n])(?P<key>[^=&#?;\s\"'`]++))(?:=(?P<value>[^&#;\s\"'`]*+))?")
_USER_INFO = re.compile(
    r"(?<![a-zA-Z0-9+.-])(?=[a-zA-Z0-9+.-]*?\b[a-zA-Z])(?P<scheme>[a-zA-Z0-9+.-]++://)[^/\s?#@\"']++@"
)
_NAMED = re.compile(
    r"(?<![\w-])(?P<name>[\"']?(?P<key>[\w-]{1,40}+)[\"']?\s{0,4}+[:=]\s{0,4}+)"
    r"(?:\"(?:[^\"\\\r\n]++|\\.)++\"|'(?:[^'\\\r\n]++|\\.)++'|`[^`\r\n]++`)"
)
"""`"password": "..."`, `password = '...'`."""
_NAMED_IN_TEXT = re.compile(
    r"(?P<name>\\{1,8}\"(?P<key>[\w-]{1,40}+)\\{1,8}+\"\s{0,4}+:\s{0,4}+)\\{1,8}+\"[^\"\r\n]++\""
)
"""The same, as JSON within a text of JSON."""
_HEADER = re.compile(
    r"(?P<name>(?<![\w-])(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key): ?)[^\r\n\"']++", re.IGNORECASE
)
_SCHEME = re.compile(
    r"\b(?P<scheme>bearer|basic|digest|token|negotiate) (?P<value>[A-Za-z0-9._~+/=-]{6,}+)", re.IGNORECASE
)
_PRIVATE_KEY = re.compile(
    r"(?P<name>-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----)[^-]*+(?:-(?!----END )[^-]*+)*+"
    r"|(?P<putty>\bPrivate-Lines: ?\d{1,4})(?:\r?\n[A-Za-z0-9+/=]++)++"
)
"""To its last line; to the end of the text where that is cut off. The lines before the key have hyphens, too."""
_CARD = re.compile(r"(?<![\d.-])(?:[3-6]\d{3})(?:[ -]?\d{4,6}){2}(?:[ -]?\d{1,5})?(?![\d.-])")

_LONGEST_NAME = 100
"""Characters of the names whose answer is kept; a page may make up longer ones."""
_SHORTEST = 15
"""Characters of the shortest key or number of a card."""


def is_secret_name(name: str) -> bool:
    """Whether a field, a header or a parameter of this name holds a credential."""
    return _is_secret(name) if len(name) <= _LONGEST_NAME else _SECRET_NAME.search(name) is not None


@lru_cache(maxsize=1024)
def _is_secret(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def is_plain_header(name: str) -> bool:
    """Whether the header of this name holds no credential."""
    return _PLAIN_HEADER.fullmatch(name) is not None


def without_credentials(text: str) -> str:
    """The text with `REDACTED` in place of what has the shape of a credential."""
    return _kept(text) if len(text) in _KEPT else _searched(text)


_KEPT = range(200, 20_000)
"""Characters of the texts whose result is kept: the same scripts are sent again and again."""


@lru_cache(maxsize=64)
def _kept(text: str) -> str:
    return _searched(text)


def _searched(text: str) -> str:
    if _TYPED in text:
        text = _TYPED_VALUES.sub(f"{_TYPED}{REDACTED}", text)
    if "://" in text:
        text = _USER_INFO.sub(rf"\g<scheme>{REDACTED}@", text)
    if "=" in text:
        text = _PARAMETER.sub(_parameter, text)
    if ":" in text:
        text = _HEADER.sub(rf"\g<name>{REDACTED}", text)
    if '"' in text or "'" in text:
        text = _NAMED.sub(_named, text)
        if "\\" in text:
            text = _NAMED_IN_TEXT.sub(_named, text)
    if "-----BEGIN" in text or "Private-Lines" in text:
        text = _PRIVATE_KEY.sub(lambda key: f"{key['name'] or key['putty']}{REDACTED}", text)
    if " " in text:
        text = _SCHEME.sub(_scheme, text)
    return text if len(text) < _SHORTEST else _CARD.sub(_card, without_keys(text, REDACTED))


def _parameter(match: re.Match[str]) -> str:
    is_secret = match["value"] and is_secret_name(match["key"])
    return f"{match['name']}={REDACTED}" if is_secret else match[0]


def _named(match: re.Match[str]) -> str:
    if not is_secret_name(match["key"]):
        return match[0]
    return f'{match["name"]}"{REDACTED}"'


def _scheme(match: re.Match[str]) -> str:
    """`Basic` is a word, too: what follows must be base64 of a name and a password, a token not one word."""
    value: str = match["value"]
    if match["scheme"].lower() == "basic":
        try:
            is_secret = b":" in base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            is_secret = False
    else:
        is_secret = len(value) >= 12 and not value.replace("-", "").isalpha()
    return f"{match['scheme']} {REDACTED}" if is_secret else match[0]


def _card(match: re.Match[str]) -> str:
    """A number of a payment card: 15 or 16 digits whose check digit is right."""
    digits = [int(character) for character in match[0] if character.isdigit()]
    doubled = (2 * digit - 9 if digit > 4 else 2 * digit for digit in digits[-2::-2])
    is_card = len(digits) in (15, 16) and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
    return REDACTED if is_card else match[0]
