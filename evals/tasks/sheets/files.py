"""Tasks with files."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task
from tests.support.servers.sites import Response

READ = "for (const file of this.files) file.text().then(text => tell(file.name + ': ' + text))"


@task(f'<label>Attach <input type="file" onchange="{READ}"></label>', "told.join() === 'one.txt: 111'")
def upload_a_file(hands: Hands, desk: Desk) -> None:
    """Attach a file."""
    ref = hands.ref("Attach", "button", "Button", "textbox")
    hands.upload(ref, [desk.file("one.txt", "111")])


@task(
    f'<input type="file" multiple aria-label="Pictures" onchange="{READ}">',
    "told.sort().join() === 'one.txt: 111,two.txt: 222'",
)
def upload_two_files(hands: Hands, desk: Desk) -> None:
    """Attach two files at once."""
    ref = hands.ref("Pictures", "button", "Button", "textbox")
    hands.upload(ref, [desk.file("one.txt", "111"), desk.file("two.txt", "222")])


@task(
    f"""<input type="file" id="input" hidden onchange="{READ}">
    <button onclick="input.click()">Choose a file</button>""",
    "told.join() === 'one.txt: 111'",
)
def upload_by_a_button_that_opens_the_chooser(hands: Hands, desk: Desk) -> None:
    """Give a file to a button that opens the chooser of a hidden input."""
    hands.upload_by_chooser(hands.ref("Choose a file", "button"), [desk.file("one.txt", "111")])


REPORT = Response(
    "a;b\n1;2\n", headers={"Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="report.csv"'}
)


@task(
    '<a href="report">Export</a> <label>Saved as <input id="saved" aria-label="Name"></label>',
    "saved.value.includes('report')",
    files={"report": REPORT},
)
def download_a_file_and_know_its_name(hands: Hands, desk: Desk) -> None:
    """Export, and type the name under which the tools say that it was saved."""
    view = hands.look()
    hands.looking.click(view.ref("Export", "link"))
    hands.wait_view(lambda _: hands.heard.has("csv"))
    hands.type(view.ref("Name", "textbox"), hands.heard.match(r"([\w.-]*report[\w.-]*csv)"))
