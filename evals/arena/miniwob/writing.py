"""Pages of MiniWoB++ whose fields are filled."""

from __future__ import annotations

import re

from evals.arena.applications.miniwob import MiniWoB
from evals.arena.miniwob.page import press, seen, solves
from evals.arena.reading import Element, Reading
from evals.tasks.hands import Hands, NotOnPage

WORD = r'"\s*([^"]*?)\s*"'


@solves("enter-text", "enter-text-dynamic")
def enter_a_text(hands: Hands, _: MiniWoB) -> None:
    """Enter a text, and submit."""
    page = seen(hands)
    hands.type(page.ref("textbox"), page.find(rf"Enter {WORD}"))
    press(hands, page=page)


@solves("enter-text-2")
def enter_in_case(hands: Hands, _: MiniWoB) -> None:
    """Enter a text in upper or lower case."""
    page = seen(hands)
    text, case = page.find_all(rf"Type {WORD} in all (upper|lower) case")
    hands.type(page.ref("textbox"), text.upper() if case == "upper" else text.lower())
    press(hands, page=page)


@solves("enter-password")
def enter_a_password_twice(hands: Hands, _: MiniWoB) -> None:
    """Enter a password into two fields."""
    page = seen(hands)
    password = page.find(rf"password {WORD}")
    hands.fill({field.ref: ("text", password) for field in page.of("textbox")})
    press(hands, page=page)


@solves("login-user", "login-user-popup")
def log_in(hands: Hands, _: MiniWoB) -> None:
    """Log in by name and password, whatever opens meanwhile."""
    page = seen(hands)
    name, password = page.find_all(rf"username {WORD} and the password {WORD}")
    user, secret = page.of("textbox")
    hands.looking.fill({user.ref: ("text", name), secret.ref: ("text", password)})
    hands.click(page.of("button")[0].ref)


@solves("enter-date")
def enter_a_date(hands: Hands, _: MiniWoB) -> None:
    """Enter a date into a field of the browser's own."""
    page = seen(hands)
    month, day, year = page.find_all(r"Enter (\d+)/(\d+)/(\d+)")
    hands.set(page.of("Date", "textbox")[0].ref, f"{year}-{month}-{day}")
    press(hands, page=page)


@solves("enter-time")
def enter_a_time(hands: Hands, _: MiniWoB) -> None:
    """Enter a time into a field of the browser's own."""
    page = seen(hands)
    hour, minute, half = page.find_all(r"Enter (\d+):(\d+) (AM|PM)")
    hours = int(hour) % 12 + (12 if half == "PM" else 0)
    hands.set(page.of("InputTime", "textbox")[0].ref, f"{hours:02}:{minute}")
    press(hands, page=page)


@solves("read-table")
def copy_from_a_table(hands: Hands, _: MiniWoB) -> None:
    """Enter the value of a row."""
    page = seen(hands)
    hands.type(page.ref("textbox"), _cell(page, page.find(r"value of (.*?) into")))
    press(hands, page=page)


@solves("read-table-2")
def copy_two_from_a_table(hands: Hands, _: MiniWoB) -> None:
    """Enter the values of two rows."""
    page = seen(hands)
    labels = [element.name.strip(" :") for element in page.elements if element.name.strip().endswith(":")]
    fields = page.of("textbox")
    hands.fill({field.ref: ("text", _cell(page, label)) for field, label in zip(fields, labels, strict=True)})
    press(hands, page=page)


def _cell(page: Reading, label: str) -> str:
    lines = ((re.findall(r'"([^"]+)"', element.line), element.name) for element in page.elements)
    names: list[str] = [name for quoted, own in lines for name in quoted or [own]]
    values = [names[place + 1] for place, name in enumerate(names[:-1]) if name == label]
    if not values:
        raise NotOnPage(f"no {label!r} in {names}")
    return values[0]


@solves("find-word")
def enter_a_word(hands: Hands, _: MiniWoB) -> None:
    """Enter one word of a paragraph."""
    page = seen(hands)
    place = int(page.find(r"Find the (\d+)\w\w word"))
    words = page.find(r'press " ?Submit ?"\.? (.*?)(?: Submit|$)').split()
    hands.type(page.ref("textbox"), words[place - 1].strip(".,"))
    press(hands, page=page)


@solves("simple-algebra")
def solve_an_equation(hands: Hands, _: MiniWoB) -> None:
    """Solve an equation."""
    page = seen(hands)
    left, sign, right, total = page.find_all(r"done\.\s*(x|\d+) ?([-+]) ?(x|\d+) ?= ?(-?\d+)")
    if left == "x":
        answer = int(total) - int(right) if sign == "+" else int(total) + int(right)
    else:
        answer = int(total) - int(left) if sign == "+" else int(left) - int(total)
    hands.type(page.ref("textbox"), str(answer))
    press(hands, page=page)


@solves("simple-arithmetic")
def solve_a_problem(hands: Hands, _: MiniWoB) -> None:
    """Add, subtract or multiply."""
    page = seen(hands)
    left, sign, right = page.find_all(r"done\.\s*(\d+) ?([-+x]) ?(\d+) ?=")
    answer = {"+": int(left) + int(right), "-": int(left) - int(right), "x": int(left) * int(right)}[sign]
    hands.type(page.ref("textbox"), str(answer))
    press(hands, page=page)


@solves("text-transform")
def enter_turned_letters(hands: Hands, _: MiniWoB) -> None:
    """Enter letters that are turned."""
    page = seen(hands)
    hands.type(page.ref("textbox"), "".join(page.find(r"press Submit\. ?((?:\w ?)+?) ?(?:Submit|$)").split()))
    press(hands, page=page)


@solves("scroll-text")
def enter_the_last_word(hands: Hands, _: MiniWoB) -> None:
    """Enter the last word of a long text."""
    page = seen(hands)
    area, field = page.of("textbox")
    hands.type(field.ref, _value(hands, area).split()[-1].strip("."))
    press(hands, page=page)


@solves("scroll-text-2")
def scroll_a_text(hands: Hands, _: MiniWoB) -> None:
    """Scroll a text to its top or its end by the keyboard."""
    page = seen(hands)
    hands.click(page.ref("textbox"))
    hands.press("Control+Home" if "top of the text" in page.words else "Control+End")
    press(hands, page=page)


@solves("sign-agreement")
def sign_an_agreement(hands: Hands, _: MiniWoB) -> None:
    """Scroll a text to its end, write a name, and agree or cancel."""
    page = seen(hands)
    if "Scroll" not in page.words:
        press(hands, "Cancel", page=page)
        return
    name, button = page.find_all(rf"the name {WORD} ?then press {WORD}")
    area, field = page.of("textbox")
    hands.scroll_down(area.ref)
    hands.type(field.ref, name)
    press(hands, button, page=page)


@solves("copy-paste")
def copy_a_text(hands: Hands, _: MiniWoB) -> None:
    """Copy a text into a field."""
    page = seen(hands)
    area, field = page.of("textbox")
    hands.type(field.ref, _value(hands, area))
    press(hands, page=page)


@solves("copy-paste-2")
def copy_one_of_three(hands: Hands, _: MiniWoB) -> None:
    """Copy one of three texts into a field."""
    page = seen(hands)
    *areas, field = page.of("textbox")
    hands.type(field.ref, _value(hands, areas[int(page.find(r"the (\d)\w\w text area")) - 1]))
    press(hands, page=page)


def _value(hands: Hands, field: Element) -> str:
    """The value of a field, as each server writes it."""
    whole = Reading(hands.whole(field.ref)).elements
    line = next(element.line for element in whole if element.ref == field.ref)
    for pattern in (r'value="((?:[^"\\]|\\.)*)"', r"\]: (.*)$"):
        found = re.search(pattern, line)
        if found is not None:
            return str(found.group(1)).strip('"')
    raise NotOnPage(f"no value in {line!r}")


@solves("search-engine")
def search_and_choose(hands: Hands, _: MiniWoB) -> None:
    """Search, turn the pages of what was found, and click a result."""
    page = seen(hands)
    text, place = page.find_all(rf"enter {WORD} and press .* click the (\d+)\w\w search result")
    hands.type(page.ref("textbox"), text)
    hands.looking.click(hands.ref("Search", "button"))
    number = int(place) - 1
    for turn in range(1, number // 3 + 1):
        hands.looking.click(hands.ref(str(turn + 1), "link"))
    hands.click([link for link in seen(hands).of("link") if not re.fullmatch(r"\W*\d*\W*", link.name)][number % 3].ref)


@solves("use-autocomplete", "use-autocomplete-nodelay")
def choose_a_suggestion(hands: Hands, _: MiniWoB) -> None:
    """Type the first letters, and choose what is suggested."""
    page = seen(hands)
    wanted = page.find_all(rf"starts with {WORD}(?: and ends with {WORD})?") if "ends" in page.words else ()
    start = wanted[0] if wanted else page.find(rf"starts with {WORD}")
    hands.looking.type(page.ref("textbox"), start)
    end = wanted[1] if wanted else ""
    view = hands.wait_view(lambda view: any(_suits(element.name, start, end) for element in Reading(view).elements))
    hands.click(next(item.ref for item in Reading(view).elements if item.ref and _suits(item.name, start, end)))
    press(hands, page=page)


def _suits(name: str, start: str, end: str) -> bool:
    return len(name) > len(start) and name.startswith(start) and name.endswith(end)


@solves("use-spinner")
def use_a_spinner(hands: Hands, _: MiniWoB) -> None:
    """Bring a spinner to a number."""
    page = seen(hands)
    hands.type(page.ref("spinbutton"), page.find(r"Select (-?\d+) with"))
    press(hands, page=page)


@solves("multi-layouts", "multi-orderings")
def search_for_a_film(hands: Hands, _: MiniWoB) -> None:
    """Fill a form whose fields are in any order."""
    page = seen(hands)
    genre, director, year = page.find_all(r"Search for (\w+) movies directed by (\w+) from year (\d+)")
    values = {"Genre": genre, "Director": director, "Year": year}
    labels = re.findall(r"\b(Genre|Director|Year)\b", page.words)
    fields = page.of("textbox")
    hands.fill({field.ref: ("text", values[label]) for field, label in zip(fields, labels, strict=True)})
    hands.click(hands.ref("Submit", "button", "generic", "uid"))


@solves("form-sequence-2")
def choose_and_enter(hands: Hands, _: MiniWoB) -> None:
    """Choose one of three radio buttons, and enter a number into one of three fields."""
    page = seen(hands)
    radio, number, field = page.find_all(rf"Check the (\d)\w\w radio button and enter the number {WORD} into the (\d)")
    hands.check(page.ref("radio", int(radio) - 1))
    hands.type(page.ref("textbox", int(field) - 1), number)
    press(hands, page=page)


@solves("form-sequence-3")
def choose_and_press(hands: Hands, _: MiniWoB) -> None:
    """Choose from a list, and press a button."""
    page = seen(hands)
    option, button = page.find_all(rf"Choose (.*?) from the dropdown, then click the button labeled {WORD}")
    hands.select(page.ref("combobox"), option)
    press(hands, button)


@solves("form-sequence")
def slide_and_tick(hands: Hands, _: MiniWoB) -> None:
    """Move a slider, and tick one of three checkboxes."""
    page = seen(hands)
    wanted, box = page.find_all(r"Select (-?\d+) with the slider, click the (\d)")
    _slide(hands, _handles(page)[0], int(wanted) - int(page.find(r"Submit\.\s*(-?\d+)")))
    hands.check(page.ref("checkbox", int(box) - 1))
    press(hands, page=page)


@solves("use-slider")
def use_a_slider(hands: Hands, _: MiniWoB) -> None:
    """Move a slider by the arrow keys."""
    page = seen(hands)
    _slide(hands, _handles(page)[0], int(page.find(r"Select (-?\d+)")) - int(page.find(r"Submit\.\s*(-?\d+)")))
    press(hands, page=page)


@solves("use-slider-2")
def use_three_sliders(hands: Hands, _: MiniWoB) -> None:
    """Move three sliders by the arrow keys."""
    page = seen(hands)
    wanted = page.find_all(r"\[(\d+),(\d+),(\d+)\]")
    values = page.find_all(r"submit\.\s*(\d+)\s+(\d+)\s+(\d+)\s*Submit")
    for handle, target, value in zip(_handles(page), wanted, values, strict=True):
        _slide(hands, handle, int(target) - int(value))
    press(hands, page=page)


def _handles(page: Reading) -> list[str]:
    """The handles of sliders, which are elements without a name in others."""
    nameless = [element for element in page.of("generic") if not element.name]
    return [element.ref for element in nameless[1::2]]


def _slide(hands: Hands, handle: str, steps: int) -> None:
    hands.click(handle)
    for _step in range(abs(steps)):
        hands.press("ArrowRight" if steps > 0 else "ArrowLeft")


@solves("terminal")
def delete_a_file(hands: Hands, _: MiniWoB) -> None:
    """List the files in a terminal, and delete one."""
    page = seen(hands)
    ending = page.find(r"extension (\.?\w+)").lstrip(".") if "extension" in page.words else ""
    hands.click(hands.ref("terminal", "generic", "uid"))
    hands.write("ls")
    hands.looking.press("Enter")
    name = Reading(hands.look()).find(rf"([\w-]+\.{ending}|\w+(?= user\$ ?\W?$))(?!\S)")
    hands.write(f"rm {name}")
    hands.press("Enter")


@solves("use-colorwheel")
def enter_a_color(hands: Hands, _: MiniWoB) -> None:
    """Enter a colour into the field of a picker."""
    page = seen(hands)
    colours = {
        "red": "FF0000", "green": "008000", "blue": "0000FF", "yellow": "FFFF00", "cyan": "00FFFF",
        "magenta": "FF00FF", "black": "000000", "white": "FFFFFF", "purple": "800080", "orange": "FFA500",
    }  # fmt: skip
    hands.type(page.ref("textbox"), colours[page.find(r"Select (\w+) with")])
    hands.press("Enter")
    press(hands, page=page)
