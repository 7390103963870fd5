"""A cookie to set from the text of a `Set-Cookie` header."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

from cdp_typed.protocol import network
from supervisor.tools.framework.tool_errors import InvalidArgument

SAME_SITE = {"strict": "Strict", "lax": "Lax", "none": "None"}


def cookie_of(line: str, url: str) -> network.SetCookie:
    """Return the command that sets this cookie for a page at `url`.

    Raises `InvalidArgument` for a text without a name and a value, and for an attribute that cannot be read. It does
    not quote the text, which may hold a secret.
    """
    pair, *attributes = (part.strip() for part in line.split(";"))
    name, equals, value = pair.partition("=")
    if not equals or not name.strip():
        raise InvalidArgument("cookie", "expected name=value, and attributes after semicolons")
    fields: dict[str, Any] = {}
    for attribute in attributes:
        key, _, given = (part.strip() for part in attribute.partition("="))
        fields.update(_attribute(key.lower(), given))
    partition = {"partition_key": network.CookiePartitionKey(top_level_site=url, has_cross_site_ancestor=False)}
    if fields.pop("partitioned", False):
        fields.update(partition)
    return network.SetCookie(name=name.strip(), value=value.strip(), url=url, **fields)


def _attribute(key: str, given: str) -> dict[str, Any]:
    match key:
        case "":
            return {}
        case "httponly":
            return {"http_only": True}
        case "secure" | "partitioned":
            return {key: True}
        case "path":
            return {key: given}
        case "domain":
            return {"domain": f".{given.lstrip('.')}"}  # without the dot, Chromium 156 keeps it for this host alone
        case "samesite" if given.lower() in SAME_SITE:
            return {"same_site": SAME_SITE[given.lower()]}
        case "max-age" if re.fullmatch(r"-?[0-9]{1,15}", given):
            return {"expires": time.time() + int(given)}
        case "expires":
            return {"expires": _seconds(given)}
        case _:
            raise InvalidArgument(
                "cookie", "an attribute is none of Path, Domain, Max-Age, Expires, HttpOnly, Secure, SameSite, "
                "Partitioned, or its value does not fit"
            )  # fmt: skip


def _seconds(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        raise InvalidArgument("cookie", "Expires is no date such as Wed, 21 Oct 2026 07:28:00 GMT") from None
