"""Pages of MiniWoB++ that are clicked."""

from __future__ import annotations

import re

from evals.arena.applications.miniwob import MiniWoB
from evals.arena.miniwob.page import press, seen, solves
from evals.tasks.hands import Hands


@solves("click-test")
def click_the_button(hands: Hands, _: MiniWoB) -> None:
    """Click the only button."""
    press(hands, "Click Me!")


@solves("click-test-2", "click-test-transfer", "click-button", "unicode-test")
def click_the_button_named(hands: Hands, _: MiniWoB) -> None:
    """Click the button that the page names."""
    press(hands, seen(hands).find(r'[Cc]lick (?:on the |button )"? ?(\w+)'))


@solves("click-button-sequence")
def click_one_then_two(hands: Hands, _: MiniWoB) -> None:
    """Click one button, and then another one."""
    press(hands, "ONE")
    press(hands, "TWO")


LABELS = {"disk": "Save", "seek-start": "Prev", "stop": "Stop", "play": "Play", "seek-end": "Next", "zoomin": "Zoom In",
          "zoomout": "Zoom Out"}  # fmt: skip
"""What the icons of a menu stand for."""


@solves("click-menu-2")
def choose_by_icon(hands: Hands, _: MiniWoB) -> None:
    """Open a menu, and choose an item by its name, or by the icon that the page shows."""
    page = seen(hands)
    named = re.search(r'item labeled " ?([\w ]+?) ?"', page.words)
    wanted = named.group(1) if named else LABELS[hands.look().match(r'icon="([\w-]+)"')]
    hands.looking.click(hands.ref("Menu", "button"))
    if wanted in ("Prev", "Stop", "Play", "Next"):
        hands.looking.hover(hands.ref("Playback", "menuitem"))
    hands.click(hands.ref(wanted, "menuitem"))


@solves("click-checkboxes-soft")
def tick_similar_words(hands: Hands, _: MiniWoB) -> None:
    """Tick the words that mean the same."""
    page = seen(hands)
    asked = page.find(r"similar to (.*?) and click").split(", ")
    similar = [box.ref for box in page.of("checkbox") if box.name in asked]
    hands.fill(dict.fromkeys(similar, ("check", "true")))
    press(hands, page=page)


@solves("highlight-text")
def select_a_paragraph(hands: Hands, _: MiniWoB) -> None:
    """Select a paragraph by a triple click."""
    words = seen(hands).find(r"click submit\. ?(?:Submit)? ?(.*?)$").split()
    hands.click(hands.find(words[0], "generic", "paragraph", "uid"), count=3)
    press(hands)


@solves("highlight-text-2")
def select_one_of_three_paragraphs(hands: Hands, _: MiniWoB) -> None:
    """Select one of three paragraphs by a triple click."""
    page = seen(hands)
    number = int(page.find(r"text in the (\d)"))
    rest = [element.name for element in page.elements if element.name not in ("", "Submit")]
    words = rest[rest.index(next(name for name in rest if "click submit" in name)) + number]
    hands.click(hands.find(words, "generic", "paragraph", "uid"), count=3)
    press(hands)


DIGITS = {
    "0": (".##.", "#..#", "#..#", "#..#", "#..#", "#..#", ".##."),
    "1": ("..#.", ".##.", "..#.", "..#.", "..#.", "..#.", "..#."),
    "2": (".##.", "#..#", "#..#", "..#.", ".#..", "#...", "####"),
    "3": (".##.", "#..#", "...#", ".##.", "...#", "#..#", ".##."),
    "4": ("#...", "#.#.", "#.#.", "####", "..#.", "..#.", "..#."),
    "5": ("####", "#...", "#...", "###.", "...#", "#..#", ".##."),
    "6": (".##.", "#..#", "#...", "###.", "#..#", "#..#", ".##."),
    "7": ("####", "#..#", "...#", "..#.", "..#.", ".#..", ".#.."),
    "8": (".##.", "#..#", "#..#", ".##.", "#..#", "#..#", ".##."),
    "9": (".##.", "#..#", "#..#", ".###", "...#", "#..#", ".##."),
}
"""The examples, which are pictures."""


@solves("number-checkboxes")
def draw_a_digit(hands: Hands, _: MiniWoB) -> None:
    """Tick the checkboxes that draw a digit."""
    page = seen(hands)
    boxes = page.of("checkbox")
    marks = "".join(DIGITS[page.find(r'number "?(\d)')])
    hands.fill({box.ref: ("check", "true") for box, mark in zip(boxes, marks, strict=True) if mark == "#"})
    press(hands, page=page)


@solves("click-link")
def click_the_word(hands: Hands, _: MiniWoB) -> None:
    """Click a word of a text."""
    page = seen(hands)
    hands.click(page.named(page.find(r'link "\s*([^"]+?)\s*"\s*\.')))


@solves("click-dialog")
def close_the_dialog(hands: Hands, _: MiniWoB) -> None:
    """Close a dialog by its button."""
    press(hands, "Close")


@solves("click-dialog-2")
def press_in_the_dialog(hands: Hands, _: MiniWoB) -> None:
    """Press a button of a dialog."""
    name = seen(hands).find(r'labeled "(\w+)"')
    press(hands, "Close" if name == "x" else name)


@solves("click-tab")
def choose_the_tab(hands: Hands, _: MiniWoB) -> None:
    """Choose a tab."""
    hands.click(hands.ref(seen(hands).find(r"Click on (Tab #\d)"), "link"))


@solves("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard")
def find_the_word_on_tabs(hands: Hands, _: MiniWoB) -> None:
    """Look through tabs for a word, and click it."""
    page = seen(hands)
    word = page.find(r'link "\s*([^"]+?)\s*"\s*\.')
    for tab in [element.ref for element in page.of("link")]:
        words = [element for element in seen(hands).elements if element.name == word and element.ref]
        if words:
            hands.click(words[0].ref)
            return
        hands.looking.click(tab)
    hands.click(next(element.ref for element in seen(hands).elements if element.name == word))


@solves("click-collapsible", "click-collapsible-nodelay")
def expand_and_submit(hands: Hands, _: MiniWoB) -> None:
    """Expand a section, and submit."""
    page = seen(hands)
    hands.looking.click(page.ref("tab"))
    press(hands, page=page)


@solves("click-collapsible-2", "click-collapsible-2-nodelay")
def find_the_word_in_sections(hands: Hands, _: MiniWoB) -> None:
    """Expand sections until one has a word, and click it."""
    page = seen(hands)
    word = page.find(r'link "\s*([^"]+?)\s*"\s*\.')
    for section in page.of("tab"):
        hands.looking.click(section.ref)
        words = [element for element in seen(hands).elements if element.name == word and element.ref]
        if words:
            hands.click(words[0].ref)
            return


@solves("click-option")
def choose_the_option(hands: Hands, _: MiniWoB) -> None:
    """Choose a radio button, and submit."""
    hands.check(hands.ref(seen(hands).find(r"Select (\w+) and click"), "radio"))
    press(hands)


@solves("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
def tick_the_boxes(hands: Hands, _: MiniWoB) -> None:
    """Tick some checkboxes, and submit."""
    names = seen(hands).find(r"Select (.*?) and click").split(", ")
    hands.fill({hands.ref(name, "checkbox"): ("check", "true") for name in names if name != "nothing"})
    press(hands)


@solves("click-widget")
def click_the_widget(hands: Hands, _: MiniWoB) -> None:
    """Click on an element of a kind."""
    page = seen(hands)
    kind = page.find(r'Click on a " ?(\w+) ?" widget')
    role = {"text": "textbox", "textarea": "textbox"}.get(kind, kind)
    hands.click(page.ref(role))


@solves("click-scroll-list", "choose-list")
def choose_from_the_list(hands: Hands, _: MiniWoB) -> None:
    """Choose from a list, and submit."""
    page = seen(hands)
    hands.select(page.of("listbox", "combobox")[0].ref, *page.find(r"Select (.*?) from").split(", "))
    press(hands, page=page)


@solves("click-menu")
def choose_from_the_menu(hands: Hands, _: MiniWoB) -> None:
    """Choose an item of a menu in a menu, which opens under the mouse."""
    *above, last = seen(hands).find(r"Select (\S+)").split(">")
    for name in above:
        hands.looking.hover(hands.ref(name, "menuitem"))
    hands.click(hands.ref(last, "menuitem"))


@solves("ascending-numbers")
def click_numbers_in_order(hands: Hands, _: MiniWoB) -> None:
    """Click five numbers in their order; the first click hides the others behind squares, in the same order."""
    hands.looking.click(next(element.ref for element in seen(hands).elements if element.name == "1"))
    for square in [element.ref for element in seen(hands).of("graphics-symbol", "image", "img", "generic")][-4:]:
        hands.click(square)


@solves("focus-text")
def focus_the_field(hands: Hands, _: MiniWoB) -> None:
    """Give the focus to a field."""
    hands.click(seen(hands).ref("textbox"))


@solves("focus-text-2")
def focus_one_of_three(hands: Hands, _: MiniWoB) -> None:
    """Give the focus to one of three fields."""
    page = seen(hands)
    hands.click(page.ref("textbox", int(page.find(r"the (\d)\w\w input")) - 1))


@solves("find-greatest")
def pick_the_greatest(hands: Hands, _: MiniWoB) -> None:
    """Pick the card with the greatest number."""
    numbers = [element for element in seen(hands).elements if element.name.strip().isdecimal() and element.ref]
    hands.click(max(numbers, key=lambda element: int(element.name)).ref)
    press(hands)


@solves("odd-or-even")
def mark_odd_or_even(hands: Hands, _: MiniWoB) -> None:
    """Mark numbers as odd or even."""
    page = seen(hands)
    numbers = [int(element.name) for element in page.elements if element.name.strip("- ").isdecimal()]
    odd, even = ([element.ref for element in page.of("button") if element.name == name] for name in ("Odd", "Even"))
    for place, number in enumerate(numbers):
        hands.click((odd if number % 2 else even)[place])
    press(hands, page=page)


@solves("buy-ticket")
def buy_a_ticket(hands: Hands, _: MiniWoB) -> None:
    """Buy the ticket with the longest, the shortest, the cheapest or the dearest journey."""
    page = seen(hands)
    tickets = page.of("button")
    hours = [int(hour) * 60 + int(minute) for hour, minute in _all(page.words, r"(\d+)h (\d+)m")]
    prices = [int(price) for (price,) in _all(page.words, r"Book for \$ ?(\d+)")]
    figures = hours if "duration" in page.words else prices
    wanted = (max if "longest" in page.words or "expensive" in page.words else min)(figures)
    hands.click(tickets[figures.index(wanted)].ref)


def _all(words: str, pattern: str) -> list[tuple[str, ...]]:
    return [found.groups() for found in re.finditer(pattern, words)]


@solves("generate-number")
def generate_a_number(hands: Hands, _: MiniWoB) -> None:
    """Generate numbers until one is greater or less than a limit, or even or odd."""
    page = seen(hands)
    kind, limit = page.find_all(r"number (greater than|less than)? ?(\d+|\w+),")
    for _try in range(60):
        hands.looking.click(page.ref("button"))
        numbers = [int(element.name) for element in seen(hands).elements if element.name.strip().isdecimal()]
        if numbers and _fits(numbers[0], kind, limit):
            break
    press(hands, page=page)


def _fits(number: int, kind: str, limit: str) -> bool:
    if kind:
        return number > int(limit) if kind == "greater than" else number < int(limit)
    return number % 2 == (limit == "odd")


@solves("guess-number")
def guess_the_number(hands: Hands, _: MiniWoB) -> None:
    """Guess a number by what is told of each guess."""
    low, high = 0, 9
    while low < high:
        guess = (low + high) // 2
        hands.type(seen(hands).ref("spinbutton"), str(guess))
        press(hands)
        words = hands.snapshot().text
        if "higher" in words:
            low = guess + 1
        elif "lower" in words:
            high = guess - 1
        else:
            return
    hands.type(seen(hands).ref("spinbutton"), str(low))
    press(hands)


@solves("phone-book")
def find_in_the_phone_book(hands: Hands, _: MiniWoB) -> None:
    """Turn the pages of a contact book, and click on a person's phone, email or address."""
    name, kind = seen(hands).find_all(r"Find (\w+) in the contact book and click on their (\w+)")
    for _page in range(12):
        page = seen(hands)
        if any(element.role == "heading" and element.name == name for element in page.elements):
            label = kind.replace("number", "phone").capitalize() + ":"
            place = next(place for place, element in enumerate(page.elements) if element.name.strip() == label)
            hands.click(next(element.ref for element in page.elements[place + 1 :] if element.ref))
            return
        hands.looking.click(hands.ref(">", "link"))


@solves("identify-shape")
def name_the_shape(hands: Hands, _: MiniWoB) -> None:
    """Say whether a figure is a letter or a number."""
    page = seen(hands)
    shown = next(element.name.strip() for element in page.elements if len(element.name.strip()) == 1)
    press(hands, "Number" if shown.isdecimal() else "Letter")


@solves("navigate-tree")
def find_in_the_tree(hands: Hands, _: MiniWoB) -> None:
    """Find a file in a tree of folders."""
    page = seen(hands)
    hands.click(page.named(page.find(r'named " ?(\w+) ?"')))
