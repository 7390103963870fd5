"""Tasks that read pages."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer

MENU = "<nav>" + "".join(f'<a href="#{number}">Chapter {number}</a> ' for number in range(150)) + "</nav>"
PARAGRAPHS = "".join(f"<p>Paragraph {number}: {'words and more words ' * 8}</p>" for number in range(150))


@toolset_task(
    MENU + "<main><h1>Report</h1><table><tr><th>Item</th><th>Sum</th></tr><tr><td>Travel</td><td>310</td></tr>"
    "<tr><td>Total</td><td>v-5140</td></tr></table>" + ANSWER + "</main>",
    answered("v-5140"),
)
def read_a_table(hands: ToolsetHands, desk: Desk) -> None:
    """Type the total of the table in a page with a long menu."""
    type_answer(hands, found_in(hands.read(), r"Total\W[^v]*(v-\d+)"))


@toolset_task(
    MENU + "<main><h1>Bread</h1><p>Mix flour, water, salt and yeast, and wait until the next morning.</p>"
    "<h2>Baking</h2><p>Bake it at 220 degrees.</p>" + ANSWER + "</main>",
    answered("Baking"),
)
def read_the_headings(hands: ToolsetHands, desk: Desk) -> None:
    """Type the heading of the second level."""
    text = hands.read()
    type_answer(hands, found_in(text, r'(?m)(?:^## |heading ")(\w+)(?=\n|"[^\n]*level="?2)'))


@toolset_task(
    ANSWER + f"<main><h1>Long</h1>{PARAGRAPHS}<p>The last word is v-9444.</p></main>",
    answered("v-9444"),
)
def read_the_end_of_a_long_page(hands: ToolsetHands, desk: Desk) -> None:
    """Type the last word of a page of 150 paragraphs."""
    parts = int(found_in(hands.read(), r"parts\W+(\d+)").replace("not found", "1"))
    text = hands.read(part=parts) if parts > 1 else hands.heard.text
    type_answer(hands, found_in(text, r"last word is (v-\d+)"))


@toolset_task(
    ANSWER + '<iframe title="Article" src="$other/article"></iframe>',
    answered("v-6068"),
    files={"article": "<article><h1>News</h1><p>The train leaves from track v-6068.</p></article>"},
)
def read_a_foreign_frame(hands: ToolsetHands, desk: Desk) -> None:
    """Type the track, which an article in a frame of another site tells."""
    type_answer(hands, found_in(hands.patiently(lambda: hands.read(frame="Article")), r"track (v-\d+)"))
