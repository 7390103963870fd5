"""Keys of some hundred services, known by their shape: the rules of gitleaks (`shapes.json`), and a few of ours.

Texts of pages are read here, on the loop that all connections share. A rule is tried only where a text has the words
that it begins with, and reads a bounded number of characters there, so the work grows as the text does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec import Struct

_OURS: Mapping[str, str] = {
    "sk- sk_ pk- pk_ rk- rk_": r"[spr]k[-_](?:live_|test_|ant-|proj-)?[A-Za-z0-9_-]{16,300}",
    "gho_ ghp_ ghr_ ghs_ ghu_": r"gh[opsur]_[A-Za-z0-9]{20,300}",
    "github_pat_": r"github_pat_\w{20,300}",
    "glpat-": r"glpat-[\w-]{16,300}",
    "xoxa- xoxb- xoxe- xoxp- xoxr- xoxs-": r"xox[abeprs]-[\w-]{10,300}",
    "AKIA ASIA AKSA": r"A(?:KI|SI|KS)A[A-Z0-9]{16}\b",
    "AIza": r"AIza[\w-]{30,300}",
    "ya29. GOCSPX-": r"(?:ya29\.[\w-]{16,300}|GOCSPX-[\w-]{20,300})",
    "npm_": r"npm_[A-Za-z0-9]{30,300}",
    "pypi-": r"pypi-[\w-]{30,300}",
    "hf_": r"hf_[A-Za-z0-9]{20,300}",
    "SG.": r"SG\.[\w-]{16,300}\.[\w-]{16,300}",
    "sgp_": r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}",
    "key-": r"key-[a-f0-9]{32}\b",
    "sl. sl.u.": r"sl\.(?:u\.)?[\w-]{100,300}",
    "dckr_pat_": r"dckr_pat_[\w-]{20,300}",
    "figd_ figu_": r"fig[du]_[\w-]{30,300}",
    "tskey-": r"tskey-[a-z]{2,20}-[\w-]{20,300}",
    "nfp_": r"nfp_[A-Za-z0-9]{30,300}",
    "gsk_ xai- r8_": r"(?:gsk_|xai-|r8_)[A-Za-z0-9]{30,300}",
    "sbp_ sb_secret_": r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,300})",
    "EAA": r"EAA[A-Za-z0-9]{60,300}",
    "whsec_": r"whsec_[A-Za-z0-9+/=]{20,300}",
    "LTAI": r"LTAI[A-Za-z0-9]{12,30}",
}
"""What services write today, beside the rules of gitleaks: by the texts that they begin with."""
_WEB_TOKEN = "eyJ"
_JSON_WEB_TOKEN = r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.{1,2}[A-Za-z0-9_-]++){0,3}"
"""Its first part is as long as it likes: a word of which this is no beginning is read once."""
_OLD_VAULT = "s."
"""In code, a name of a member follows this: without a digit it is no key."""
_FIRST_PART = re.compile(r"[\w-]*+")
_LONGEST = 1_000
"""Characters of a word: a longer one is a picture or the like, in which what a key begins with comes by chance."""
_ESCAPE = 2
"""Characters that a word begins with that belong to an escape: `n` of `\\n`, `0A` of `%0A`."""
_REST = re.compile(r"[\w=+/~-]*+")
"""What follows the end of a key without a break is part of it."""
_WORD = re.compile(r"[\w.+/=~-]{15,}+")
"""A word that is long enough to be a key."""
_VALUE = re.compile(r"[=>:,|][\x60'\"\s=]{0,5}+[\w%+.=-][\w%+.=:/-]{13}")
_ASSIGNED = r"""[ \t\w.-]{0,20}[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}"""


class _Shapes(Struct, frozen=True):
    heads: re.Pattern[str]
    """The texts that keys begin with, at the beginning of a word, or anywhere if they are distinct."""
    escaped: re.Pattern[str]
    """The same, also after `\\n` and `%20`."""
    tokens: Mapping[str, Sequence[str]]
    """By the text that they begin with."""
    marked: Sequence[tuple[Sequence[str], str]]
    """With the texts one of which is in them."""
    named: Sequence[tuple[Sequence[str], str]]
    """After the name of a service, with texts that this begins with, in small letters."""


def without_keys(text: str, instead: str) -> str:
    """The text with something else in place of each key of a service."""
    if _WORD.search(text) is None:
        return text
    parts, end = list[str](), 0
    for start, stop in sorted([*_tokens(text), *_marked(text), *(_named(text) if _VALUE.search(text) else ())]):
        if start >= end:
            parts += [text[end:start], instead]
        end = max(end, stop)
    return "".join([*parts, text[end:]]) if parts else text


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    table = _table()
    heads = table.escaped if "\\" in text or "%" in text else table.heads
    end = barren = 0
    for word in _WORD.finditer(text):
        place, is_data = max(end, word.start()), word.end() - word.start() > _LONGEST
        while head := heads.search(text, place, word.end()):
            start, place = head.start(), head.start() + 1
            if start < barren and head[0] == _WEB_TOKEN:
                continue
            is_chance = is_data and start > word.start() + _ESCAPE and text[start - 1] != "="
            if is_chance and not _is_distinct(head[0]):
                continue
            found = _key_at(text, start, table.tokens[head[0]])
            if found and head[0] == _OLD_VAULT and found[0].removeprefix(_OLD_VAULT).isalpha():
                continue
            if found is not None:
                place = end = _end_of(_REST, text, found.end())
                yield start, end
            elif head[0] == _WEB_TOKEN:
                barren = _end_of(_FIRST_PART, text, start)


def _key_at(text: str, start: int, rules: Sequence[str]) -> re.Match[str] | None:
    return next((found for rule in rules if (found := _compiled(rule).match(text, start)) is not None), None)


def _end_of(part: re.Pattern[str], text: str, place: int) -> int:
    found = part.match(text, place)
    return found.end() if found else place


def _marked(text: str) -> Iterator[tuple[int, int]]:
    for marks, rule in _table().marked:
        if any(mark in text for mark in marks):
            yield from (found.span() for found in _compiled(rule).finditer(text))


def _named(text: str) -> Iterator[tuple[int, int]]:
    small = text.lower()
    if len(small) != len(text):
        small = "".join(each.lower()[0] for each in text)
    for keywords, rule in _table().named:
        for keyword in keywords:
            place = small.find(keyword)
            while place >= 0:
                found = _compiled(rule).match(text, place)
                if found is not None:
                    yield found.span("value")
                place = small.find(keyword, found.end() if found else place + len(keyword))


_compiled = cache(re.compile)


@cache
def _table() -> _Shapes:
    read = json.loads(files("cdp_typed.redaction").joinpath("shapes.json").read_bytes())
    tokens: dict[str, list[str]] = {_WEB_TOKEN: [_JSON_WEB_TOKEN]}
    rules = [(rule["heads"], rule["regex"]) for rule in read["tokens"].values()]
    for heads, rule in [*((names.split(), rule) for names, rule in _OURS.items()), *rules]:
        for head in heads:
            tokens.setdefault(head, []).append(rule)
    shortest = [head for head in tokens if not any(head != other and head.startswith(other) for other in tokens)]
    by_head = {
        short: list(dict.fromkeys(rule for head in sorted(tokens) if head.startswith(short) for rule in tokens[head]))
        for short in shortest
    }
    distinct = _alternatives([head for head in shortest if _is_distinct(head)])
    others = _alternatives([head for head in shortest if not _is_distinct(head)])
    escapes = r"(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2})"
    return _Shapes(
        heads=re.compile(rf"{distinct}|(?<![A-Za-z0-9]){others}"),
        escaped=re.compile(rf"{distinct}|(?:(?<![A-Za-z0-9])|{escapes}){others}"),
        tokens=by_head,
        marked=[(rule["marks"], rule["regex"]) for rule in read["marked"].values()],
        named=[
            (rule["keywords"], rf"{rule['name']}{_ASSIGNED}(?P<value>(?:{rule['value']})(?![A-Za-z0-9]))")
            for rule in read["named"].values()
        ],
    )


def _is_distinct(head: str) -> bool:
    """Whether a key begins here also in the middle of a word: what no other text has by chance."""
    return len(head) > 4 and not head.isalnum()


def _alternatives(words: Sequence[str]) -> str:
    """An expression for any of these words that reads each letter once."""
    if "" in words:
        return ""
    letters = dict.fromkeys(word[0] for word in sorted(words))
    parts = [re.escape(letter) + _alternatives([word[1:] for word in words if word[0] == letter]) for letter in letters]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
