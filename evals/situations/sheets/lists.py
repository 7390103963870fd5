"""Situations on lists, long ones and such as change while somebody acts."""

from __future__ import annotations

from evals.situations.situation import situation
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands

ROWS = """<ul id="all"></ul><script>let names = ['Bread', 'Milk', 'Eggs'];
const draw = () => { while (all.children.length < names.length) { const row = document.createElement('li');
  row.innerHTML = '<span></span> <button>Delete</button>'; all.append(row);
  row.lastChild.onclick = () => tell(row.firstChild.textContent) }
  names.forEach((name, n) => all.children[n].firstChild.textContent = name) }; draw()</script>"""
"""Rows whose elements stay when they show something else."""


@situation(f"{ROWS}<button onclick=\"names.reverse(); draw(); tell('sorted')\">Sort</button>", "sorted", "Bread")
def row_that_is_recycled(hands: Hands, desk: Desk) -> None:
    """Sort between looking and deleting: the row's element shows another row then."""
    view = hands.look()
    bread = view.ref("Delete", "button", after="Bread")
    hands.click(view.ref("Sort", "button"))
    hands.click(bread)


@situation(
    """<main id="all"></main><button onclick="draw(); tell('drawn')">Refresh</button><script>const draw = () =>
    all.innerHTML = '<button onclick="tell(`saved`)">Save</button>'; draw()</script>""",
    "drawn", "saved",
)  # fmt: skip
def element_that_is_drawn_anew(hands: Hands, desk: Desk) -> None:
    """A new element takes the place of the one that was seen."""
    view = hands.look()
    save = view.ref("Save", "button")
    hands.click(view.ref("Refresh", "button"))
    hands.click(save)


@situation(
    """<p id="box"><button onclick="tell('saved')">Save</button></p>
    <button onclick="box.innerHTML = ''; tell('gone')">Clear</button>""",
    "gone",
)
def element_that_is_gone(hands: Hands, desk: Desk) -> None:
    """The element that was seen is gone: say so."""
    view = hands.look()
    save = view.ref("Save", "button")
    hands.click(view.ref("Clear", "button"))
    hands.must_fail(lambda: hands.click(save))


@situation(
    """<article><h2>Home</h2><button onclick="tell('home')">Edit</button></article>
    <article><h2>Work</h2><button onclick="tell('work')">Edit</button></article>""",
    "work",
)
def two_of_the_same_name(hands: Hands, desk: Desk) -> None:
    """Edit the second of two cards."""
    hands.click(hands.look().ref("Edit", "button", after="Work"))


@situation(
    """<button onclick="tell('first')">Edit</button><button onclick="tell('second')">Edit</button>""",
)
def name_that_two_have(hands: Hands, desk: Desk) -> None:
    """A locator that means two elements: say so, and press neither."""
    locator = hands.locator("Edit", "button")
    if locator is not None:
        hands.must_fail(lambda: hands.by_locator("Edit", "button"))


@situation(
    """<table><tbody id="body"></tbody></table><script>body.innerHTML = Array.from({length: 500}, (_, n) =>
    `<tr><td>Person ${n + 1}</td><td><button onclick="tell(${n + 1})">Edit ${n + 1}</button></td></tr>`).join('')
    </script>""",
    "437",
)
def five_hundred_rows(hands: Hands, desk: Desk) -> None:
    """Edit person 437 of 500."""
    hands.click(hands.find("Edit 437", "button"))


@situation(
    """<div id="list" style="height: 200px; overflow: auto"></div><script>let count = 0;
    const more = () => { for (let n = 0; n < 20; n++) { const line = document.createElement('button');
      line.style = 'display: block'; line.textContent = `Item ${++count}`; line.onclick = () => tell(line.textContent);
      list.append(line) } };
    list.onscroll = () => { if (list.scrollTop + 220 > list.scrollHeight && count < 60) setTimeout(more, 50) }; more();
    </script>""",
    "Item 35",
)
def item_that_scrolling_loads(hands: Hands, desk: Desk) -> None:
    """Press item 35: 20 are loaded, and more when the last comes into view."""
    hands.scroll_to(hands.ref("Item 20", "button"))
    hands.looking.wait_text("Item 35")
    hands.click(hands.ref("Item 35", "button"))
