"""A report as one HTML file, which fetches nothing and runs nothing but the viewer."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import math
import re
from typing import Any

import msgspec

from cdp_typed.wire.json_text import is_array, is_object

from .model import Report
from .viewer import script, style, template

_MARKER = re.compile(r"\{\{(csp|title|style|data|script)\}\}")


def report_json(report: Report) -> str:
    """The data of a report as JSON, in ASCII: a lone half of a character of two is written as it was."""
    plain = msgspec.to_builtins(report)
    try:
        return json.dumps(plain, allow_nan=False, separators=(",", ":"))
    except ValueError:  # a number that JSON cannot hold, which no browser sends
        return json.dumps(_finite(plain), allow_nan=False, separators=(",", ":"))


def report_html(report: Report) -> str:
    """The whole file.

    Its policy lets only this very script and style run, and lets nothing be fetched.
    """
    parts = {
        "csp": _policy(script(), style()),
        "title": html.escape(_printable(report.summary.title)),
        "style": style(),
        "data": _packed(report),
        "script": script(),
    }
    return _MARKER.sub(lambda found: parts[found[1]], template())


def _packed(report: Report) -> str:
    return base64.b64encode(gzip.compress(_encoded(report), compresslevel=6, mtime=0)).decode("ascii")


def _encoded(report: Report) -> bytes:
    try:
        return msgspec.json.encode(report)
    except ValueError:  # half of a character of two
        return report_json(report).encode("ascii")


def _policy(script_text: str, style_text: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script_text)}",
            f"style-src {_hash(style_text)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if is_array(value):
        return [_finite(item) for item in value]
    return {key: _finite(item) for key, item in value.items()} if is_object(value) else value
