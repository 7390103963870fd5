"""Pages of MiniWoB++ with messages of people."""

from __future__ import annotations

import re

from evals.arena.applications.miniwob import MiniWoB
from evals.arena.miniwob.page import press, seen, solves
from evals.arena.reading import Element, Reading
from evals.tasks.hands import Hands, NotOnPage

IMAGES = ("image", "img")


@solves("email-inbox-reply", "email-inbox-noscroll", "email-inbox", "email-inbox-forward",
        "email-inbox-delete", "email-inbox-important", "email-inbox-star-reply")  # fmt: skip
def handle_an_email(hands: Hands, _: MiniWoB) -> None:
    """Reply to an email, forward it, delete it or mark it."""
    page = seen(hands)
    who = page.find(r"email by (\w+) and")
    if "trash icon" in page.words or "star icon" in page.words:
        _icon(hands, page, who, 0 if "trash icon" in page.words else 1)
    elif "forward" in page.words:
        _forward(hands, who, page.find(r"to (\w+)\."))
    else:
        _reply(hands, who, page.find(r'text " ?(.*?) ?"\.'))


@solves("email-inbox-forward-nl", "email-inbox-forward-nl-turk", "email-inbox-nl-turk")
def forward_by_a_sentence(hands: Hands, _: MiniWoB) -> None:
    """Forward an email, as a sentence in a person's words asks for."""
    page = seen(hands)
    names = set(re.findall(r"\b([A-Z][a-z]+) [A-Z][a-z]*[ .,]", page.words))
    asked = page.words.split("Primary")[0]
    senders = [
        name for name in names if re.search(rf"(from|by) {name}|{name}(?:'s)? (sent|email|gave|wrote|message)", asked)
    ]
    found = re.search(r"(?:[Ss]end|[Gg]ive|[Tt]o|[Ff]orward) ([A-Z]\w+)", asked)
    if not senders or found is None:
        raise NotOnPage(f"not understood: {asked!r}")
    _forward(hands, senders[0], found.group(1))


def _open(hands: Hands, who: str) -> Reading:
    if not any(element.ref and who in element.name for element in seen(hands).elements[3:]):
        raise NotOnPage(f"no email by {who} in {hands.look().text}")
    hands.looking.click(hands.look().ref(who, nth=_mentions(hands, who)))
    return seen(hands)


def _mentions(hands: Hands, who: str) -> int:
    """How many lines above the list have the name."""
    head = hands.look().text.split("Primary")[0]
    return sum(who in line for line in head.splitlines())


def _reply(hands: Hands, who: str, text: str) -> None:
    _open(hands, who)
    hands.looking.click(_answer(hands, "Reply", 0))
    hands.type(seen(hands).of("textbox")[-1].ref, text)
    _send(hands)


def _forward(hands: Hands, who: str, to: str) -> None:
    _open(hands, who)
    hands.looking.click(_answer(hands, "Forward", 1))
    hands.type(seen(hands).of("textbox")[0].ref, to)
    _send(hands)


def _answer(hands: Hands, name: str, number: int) -> str:
    """The ref of a button below an email, or of its icon."""
    page = seen(hands)
    named = [element.ref for element in page.elements if element.ref and element.name == name]
    return named[0] if named else [element.ref for element in page.of(*IMAGES)][number - 2]


def _send(hands: Hands) -> None:
    hands.click(_nameless(seen(hands))[-1].ref)


def _nameless(page: Reading) -> list[Element]:
    return [
        element
        for element in page.elements
        if element.ref and not element.name and element.role in (*IMAGES, "generic")
    ]


def _icon(hands: Hands, page: Reading, who: str, number: int) -> None:
    """Click one of the two icons of an email, which have no names."""
    place = max(place for place, element in enumerate(page.elements) if who in element.name)
    hands.click([element for element in page.elements[place + 1 :] if element.role in IMAGES][number].ref)


@solves("social-media", "social-media-some", "social-media-all")
def react_to_posts(hands: Hands, _: MiniWoB) -> None:
    """Press the icons of posts by a user."""
    page = seen(hands)
    action = page.find(r'the " ?(Reply|Retweet|Like|Share) ?" button')
    user = page.find(r"(@\w+)")
    posts = [place for place, element in enumerate(page.elements) if user in element.name][1:]
    number = int(page.find(r"on (\d+) post")) if re.search(r"on \d+ post", page.words) else len(posts)
    for place in posts[:number]:
        icons = [element for element in page.elements[place + 1 :] if element.role in IMAGES and element.ref]
        hands.click(icons[("Reply", "Retweet", "Like", "Share").index(action)].ref)
    if "Submit" in page.words:
        press(hands, page=page)
