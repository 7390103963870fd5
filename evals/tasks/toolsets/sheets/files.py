"""Tasks whose outcome is a file, which the page reads itself."""

from __future__ import annotations

from pathlib import Path

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import toolset_task
from tests.support.servers.sites import Response

READER = """<input type="file" aria-label="File" onchange="read(files[0])"><script>
async function read(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 11));
  if (start.startsWith('%PDF-')) return tell(bytes.length > 1000 ? 'a PDF' : 'an empty PDF');
  if (start.includes('PNG') || start.includes('JFIF')) {
    const picture = await createImageBitmap(file), canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d'); context.drawImage(picture, 0, 0);
    const [red, green, blue] = context.getImageData(picture.width / 2, picture.height - 20, 1, 1).data;
    const color = red > 200 && green < 90 ? 'red' : green > 90 && red < 90 ? 'green' : 'other';
    return tell(`${start.includes('PNG') ? 'PNG' : 'JPEG'} ${picture.width}x${picture.height} ${color}`);
  }
  tell(new TextDecoder().decode(bytes));
}</script>"""
LONG = """<body style="margin: 0; background: white"><h1>Report</h1>
<div style="height: 3000px"></div><div id="end" style="height: 100px; background: rgb(0, 128, 0)"></div>"""
BOX = """<body style="margin: 0"><p>Text</p><button style="width: 200px; height: 100px; background: rgb(255, 0, 0);
border: 0; position: absolute; left: 300px; top: 200px">Box</button>"""


def give(hands: ToolsetHands, desk: Desk, path: Path) -> None:
    """Go back to the page that reads files, and give it a file."""
    hands.navigate(desk.url)
    hands.upload(hands.ref("File", "button", "Button", "textbox"), [path])


@toolset_task(READER, lambda desk: desk.told == ["a PDF"], files={"page": LONG})
def print_the_page_as_a_pdf(hands: ToolsetHands, desk: Desk) -> None:
    """Save a long page as a PDF, and give it to the first page."""
    hands.navigate(desk.at("page"))
    give(hands, desk, hands.save_pdf("report"))


def has_whole_page(desk: Desk) -> bool:
    """Whether the picture is higher than the long page's parts and ends in green."""
    words = desk.told[0].split() if len(desk.told) == 1 else []
    return len(words) == 3 and words[0] == "PNG" and int(words[1].split("x")[1]) > 3100 and words[2] == "green"


@toolset_task(READER, has_whole_page, files={"page": LONG})
def take_a_picture_of_the_whole_page(hands: ToolsetHands, desk: Desk) -> None:
    """Save a picture of a page of more than 3100 pixels, and give it to the first page."""
    hands.navigate(desk.at("page"))
    give(hands, desk, hands.save_picture("whole", "png"))


@toolset_task(READER, lambda desk: desk.told == ["PNG 200x100 red"], files={"page": BOX})
def take_a_picture_of_an_element(hands: ToolsetHands, desk: Desk) -> None:
    """Save a picture of the red box alone, and give it to the first page."""
    hands.navigate(desk.at("page"))
    give(hands, desk, hands.save_picture("box", "png", ref=hands.ref("Box", "button")))


@toolset_task(READER, lambda desk: desk.told == ["JPEG 200x100 red"], files={"page": BOX})
def take_a_picture_as_a_jpeg(hands: ToolsetHands, desk: Desk) -> None:
    """Save a picture of the red box as a JPEG, and give it to the first page."""
    hands.navigate(desk.at("page"))
    give(hands, desk, hands.save_picture("small", "jpeg", ref=hands.ref("Box", "button")))


@toolset_task(
    READER + '<a href="export">Export</a>',
    lambda desk: desk.told == ["a;b\n1;v-77\n"],
    files={
        "export": Response(
            "a;b\n1;v-77\n",
            headers={"Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="prices.csv"'},
        )
    },
)
def give_a_download_back(hands: ToolsetHands, desk: Desk) -> None:
    """Export a file, find where it was saved, and give it to the page."""
    hands.keep_downloads(desk.folder)
    hands.click(hands.ref("Export", "link"))
    path = hands.downloaded("prices.csv")
    hands.upload(hands.ref("File", "button", "Button", "textbox"), [path])
