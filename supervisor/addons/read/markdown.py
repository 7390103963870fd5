"""Markdown from HTML, by the library html-to-markdown, and a long text in parts."""

from __future__ import annotations

from supervisor.tools.framework.tool_errors import ToolError

PART = 8_000
"""Most characters of a part."""


class NoConverter(ToolError):
    """The library that makes Markdown is not installed."""

    def __init__(self) -> None:
        super().__init__("the extra 'reading' is not installed (pip install 'cdp-typed[reading]')")


def markdown_of(html: str, *, with_boilerplate: bool) -> str:
    """Return HTML as Markdown; without boilerplate, the library leaves out navigation, asides, footers and forms.

    The whole text is returned where little else would be left. Raises `NoConverter`.
    """
    try:
        from html_to_markdown import ConversionOptions, PreprocessingOptions, PreprocessingPreset, convert
    except ImportError:
        raise NoConverter from None
    cleaning = PreprocessingOptions(
        enabled=not with_boilerplate,
        preset=PreprocessingPreset.AGGRESSIVE,
        remove_navigation=not with_boilerplate,
        remove_forms=False,
    )
    options = ConversionOptions(extract_metadata=False, skip_images=True, compact_tables=True, preprocessing=cleaning)
    readable = html.encode("utf-8", "backslashreplace").decode()  # a lone surrogate
    text = (convert(readable, options).content or "").strip()
    return text if text or with_boilerplate else markdown_of(html, with_boilerplate=True)


def in_parts(text: str) -> list[str]:
    """Return a text in parts of at most `PART` characters, cut between paragraphs, or else lines, where possible."""
    parts: list[str] = []
    while len(text) > PART:
        breaks = (text.rfind(mark, PART // 2, PART) for mark in ("\n\n", "\n", " "))
        end = next((found for found in breaks if found > 0), PART)
        parts.append(text[:end].rstrip())
        text = text[end:].lstrip("\n")
    return [*parts, text]
