"""Has our own scripts read the members of the DOM, never an element that has the name of one."""

from __future__ import annotations

import re
from functools import lru_cache

from cdp_typed.helpers.shared.own_scripts import own

LONGEST = 20_000
"""Characters of a script that is rewritten once for all its calls; a longer one has a text of the caller's in it."""

_TEXTS = r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*\""""
_READS = re.compile(rf"({_TEXTS})|\bglobalThis(?=\??\.)|(?<![\w$])(?:(?<!\.)|(?<=\.\.\.))([a-z]\w*)(?=\??\.[A-Za-z_$])")

_THE = """const the = node => {
    const kind = node?.[Symbol.toStringTag];
    if (kind !== 'HTMLFormElement' && !(typeof kind === 'string' && kind.endsWith('Document'))) return node;
    const above = Object.getPrototypeOf(node);
    return new Proxy({}, {
        get: (_, name) => {
            const found = name in above ? Reflect.get(above, name, node) : undefined;
            return typeof found === 'function' ? found.bind(node) : found;
        },
        set: (_, name, value) => Reflect.set(above, name, value, node),
    });
};"""
"""A script. A field takes the place of a member of its form, and an image or a form that of a member of its document,
also in our own world."""
_KEPT = "const kept = globalThis[Symbol.for('cdp-typed')] ??= Object.create(null);"
"""A script. Any element with an id takes the place of a global variable that does not exist yet. So what our scripts
keep for each other, they keep in an object that no page can name."""


def expression(source: str) -> str:
    """Our own expression, or statements, as our own world is to run them."""
    if source.isalnum():  # a number reads no member
        return own(source)
    return own(f"{{ {_read(source)}\n}}")


def function(source: str) -> str:
    """The same for a function."""
    return own(f"function(...given) {{ {_read(source, 'return (')}\n).apply(this, given) }}")


def _read(source: str, before: str = "") -> str:
    return _rewritten(source, before) if len(source) > LONGEST else _rewritten_once(source, before)


def _rewritten(source: str, before: str) -> str:
    """The source, where `globalThis.name` is in what scripts keep, and `name.` before a member means `the(name).`."""

    def safe(match: re.Match[str]) -> str:
        text, name = match.groups()
        return text or ("kept" if name is None else f"the({name})")

    read = _READS.sub(safe, source)
    kept = _KEPT if any(match.group() == "globalThis" for match in _READS.finditer(source)) else ""
    return f"{_THE} {kept} {before}{read}"


_rewritten_once = lru_cache(maxsize=128)(_rewritten)
