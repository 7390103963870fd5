"""Addresses as nobody should write them: a test asks two parsers what they mean."""

from __future__ import annotations

from random import Random

_SCHEMES = (
    *("http", "http", "https", "HTTP", "ws", "wss", "ftp", "file", "chrome", "chrome-extension", "about", "data"),
    *("blob", "javascript", "mailto", "app", "view-source:http", "blob:https", "filesystem:http", "ht\ntp", " https"),
    "1http",
)
_COLONS = (":", ":", ":", ":", ":", ":", "", "\t:")
_SLASHES = ("//", "//", "//", "//", "", "/", "///", "\\\\", "/\\", "\\")
_USERS = ("", "", "", "", "me@", "me:pw@", "a.example@", "a.example:80@", "u@v@", "[::1]@", "@", "%40@")
_PARTS = (
    *("a", "example", "com", "EXAMPLE", "evil", "localhost", "xn--bcher-kva", "xn--", "XN--A", "a_b", "-", "a--b"),
    *("127", "0", "1", "0x7f", "0177", "08", "0x", "256", "65535", "2130706433", "4294967296", "1x", "٣", "ا1"),
    *("bücher", "faß", "BÜCHER", "ΣΑΣ", "①②⑦", "ｅｘ", "İ", "ﬁ", "אב", "❤", "💩", "\u212a", "\u00ad", "\u200d"),
    *("\u200b", "\ufeff", "\u3002", "%61", "%2e", "%2E", "%2f", "%00", "%25", "%zz", "%", "%C3%BC", "%ff", "％４１"),
    *("", "\t", "\n", "a\tb", "a b", "a*b", "a|b", "a<b", "a'b", "a{b}", "a;b", "!", "~", "$&"),
)
_PLAIN_PARTS = ("a", "Example", "com", "bücher", "xn--bcher-kva", "①", "%61", "ﬁ", "b_c", "localhost")
_DOTS = (".", ".", ".", ".", ".", "..", "\u3002", "\uff0e", "%2e", "")
_NUMBERS = ("0", "1", "127", "255", "256", "0x7f", "0X0", "0177", "00", "09", "65535", "16777216")
_IPV6 = (
    *("[::1]", "[0:0::1]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[64:ff9b::a00:1]", "[1:2:3:4:5:6:7::]"),
    *("[::1%25x]", "[fe80::1%eth0]", "[::127.1]", "[::0127.0.0.1]", "[::1", "[]", "[::1]x", "%5b::1%5d", "[:::1]"),
)
_PORTS = (
    *("", "", "", "", ":", ":80", ":443", ":8080", ":0", ":00443", ":65535", ":65536", ":8x", ":-1", ":٣", ":80:80"),
    ": 80",
)
_TAILS = ("/", "/", "", "\\", "?", "#", "/x@b.example/", "\\@b.example", "?@b.example", "#@b.example/", " ", "/\u0000")


def odd_address(random: Random) -> str:
    """Return an address of any scheme, user name, host, port and tail, with what browsers drop, map or refuse."""
    written = (_SCHEMES, _COLONS, _SLASHES, _USERS)
    return "".join(map(random.choice, written)) + _host(random) + random.choice(_PORTS) + random.choice(_TAILS)


def _host(random: Random) -> str:
    kind = random.randrange(8)
    if kind == 0:
        return random.choice(_IPV6)
    if kind in (1, 2):
        return ".".join(random.choices(_NUMBERS, k=random.randint(1, 5)))
    parts = random.choices(_PARTS if kind == 3 else _PLAIN_PARTS, k=random.randint(1, 4))
    return random.choice(_DOTS).join(parts) + random.choice(("", "", "", "."))
