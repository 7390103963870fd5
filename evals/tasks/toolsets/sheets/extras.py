"""Tasks with the small things that a page needs now and then."""

from __future__ import annotations

import io
import json
from pathlib import Path

from PIL import Image

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer


@toolset_task(
    '<a href="second">Second</a>',
    lambda desk: desk.told == ["second", "second"],
    files={"second": "<p>Second page</p><script>addEventListener('pageshow', () => tell('second'))</script>"},
)
def go_forward(hands: ToolsetHands, desk: Desk) -> None:
    """Follow a link, go back, and go forward again."""
    hands.click(hands.ref("Second", "link"))
    hands.wait_text("Second page")
    hands.back()
    hands.forward()


@toolset_task(
    "<script>const visits = Number(sessionStorage.visits ?? 0) + 1; sessionStorage.visits = visits</script>",
    "visits === 2 && performance.getEntriesByType('navigation')[0].type === 'reload'",
)
def reload_the_page(hands: ToolsetHands, desk: Desk) -> None:
    """Load the page again."""
    hands.reload()


@toolset_task(
    ANSWER
    + """<button onclick="copy()">Copy the link</button><script>
    function copy() { const field = document.createElement('textarea'); field.value = 'https://a.test/v-7316';
      document.body.append(field); field.select(); document.execCommand('copy'); field.remove() }</script>""",
    answered("v-7316"),
)
def read_the_clipboard(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page copy a link that it does not show, and type the number in the link."""
    hands.click(hands.ref("Copy the link", "button"))
    type_answer(hands, found_in(hands.read_clipboard(), r"(v-\d+)"))


@toolset_task('<input id="code" aria-label="Code">', "code.value === 'from the clipboard'")
def write_the_clipboard(hands: ToolsetHands, desk: Desk) -> None:
    """Put a text on the clipboard, and paste it with the keyboard."""
    hands.write_clipboard("from the clipboard")
    hands.click(hands.ref("Code", "textbox"))
    hands.press("Control+v")


@toolset_task(
    ANSWER
    + """<button onclick="buy()">Buy</button><script>
    function countPears() { console.error('out of stock') }
    function buy() { countPears() }</script>""",
    answered("countPears"),
)
def find_who_wrote_on_the_console(hands: ToolsetHands, desk: Desk) -> None:
    """Buy, and type the name of the function that reports an error on the console."""
    hands.click(hands.ref("Buy", "button"))
    type_answer(hands, found_in(hands.console_stacks("out of stock"), r"(count\w+)"))


@toolset_task(
    "<p>First</p>",
    lambda desk: desk.told == ["a hundred"],
    files={"page": "<script>tell(window.currency ?? 'nothing')</script>"},
)
def run_a_script_before_those_of_the_page(hands: ToolsetHands, desk: Desk) -> None:
    """Let window.currency be "a hundred" before the scripts of the page run, and open it."""
    hands.open_with_script("window.currency = 'a hundred'", desk.at("page"))


PASSKEYS = """<button onclick="register()">Register</button><button onclick="enter()">Sign in</button>
<p id="state">Nobody</p><script>
const challenge = new Uint8Array(32);
const register = () => navigator.credentials.create({publicKey: {
  challenge, rp: {name: 'Shop'}, user: {id: new Uint8Array([7]), name: 'ann', displayName: 'Ann'},
  pubKeyCredParams: [{type: 'public-key', alg: -7}], authenticatorSelection: {residentKey: 'required'}, timeout: 4000,
}}).then(() => { state.textContent = 'Registered' }, () => { state.textContent = 'No passkey' });
const enter = () => navigator.credentials.get({publicKey: {challenge, timeout: 4000}}).then(
  used => tell(`user ${new Uint8Array(used.response.userHandle)[0]}`), () => tell('refused'));
</script>"""


@toolset_task(PASSKEYS, lambda desk: desk.told == ["user 7"])
def sign_in_with_a_passkey(hands: ToolsetHands, desk: Desk) -> None:
    """Register a passkey on the page without a person, and sign in with it."""
    hands.use_passkeys()
    hands.click(hands.ref("Register", "button"))
    hands.wait_text("Registered")
    hands.click(hands.ref("Sign in", "button"))


TOOLS = (
    ANSWER
    + """<script>
const text = {type: 'string'};
document.modelContext.registerTool({name: 'reserve_table', description: 'Reserves a table', inputSchema: {
  type: 'object', properties: {guest: text}, required: ['guest']},
  execute: given => { tell(`table for ${given.guest}`); return 'table v-15' }});
</script>"""
)


@toolset_task(TOOLS, answered("reserve_table"))
def find_a_tool_of_the_page(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the tool that the page offers to agents (WebMCP)."""
    type_answer(hands, found_in(hands.page_tools(), r"(reserve_\w+)"))


@toolset_task(TOOLS, lambda desk: desk.told == ["table for Ann"])
def call_a_tool_of_the_page(hands: ToolsetHands, desk: Desk) -> None:
    """Reserve a table for Ann with the tool that the page offers."""
    hands.call_page_tool("reserve_table", {"guest": "Ann"})


BOXES = """<body style="margin: 0; background: white"><style>
button { position: absolute; left: 20px; width: 120px; height: 40px; border: 0; background: white; color: white }
</style><button style="top: 60px">Save</button><button style="top: 300px">Cancel</button>"""


def has_boxes(desk: Desk, *, left: int = 20) -> list[bool]:
    """Return whether something is drawn over or around "Save" and "Cancel", which are white on white."""
    picture = Image.open(io.BytesIO(desk.browser.picture(desk.url))).convert("L")
    parts = [picture.crop((left - 6, top - 6, left + 126, top + 46)) for top in (60, 300)]
    return [part.getextrema() != (255, 255) for part in parts]


@toolset_task(BOXES, lambda desk: has_boxes(desk) == [True, False])
def highlight_an_element(hands: ToolsetHands, desk: Desk) -> None:
    """Draw a box over the button "Save", so that a person sees which one it is."""
    hands.highlight(hands.ref("Save", "button"))


@toolset_task(BOXES, lambda desk: has_boxes(desk) == [False, True])
def highlight_another_element(hands: ToolsetHands, desk: Desk) -> None:
    """Draw a box over the button "Save", remove it, and draw one over "Cancel"."""
    save = hands.ref("Save", "button")
    hands.highlight(save)
    hands.end_highlight(save)
    hands.highlight(hands.ref("Cancel", "button"))


@toolset_task(
    """<body style="margin: 0; background: white"><iframe title="Shop" src="$other/shop"
    style="position: absolute; left: 100px; top: 0; width: 400px; height: 400px; border: 0"></iframe>""",
    lambda desk: has_boxes(desk, left=120) == [True, False],
    files={"shop": BOXES},
)
def highlight_in_a_foreign_frame(hands: ToolsetHands, desk: Desk) -> None:
    """Draw a box over the button "Save" in a frame of another site."""
    hands.highlight(hands.wait_ref("Save", "button"))


@toolset_task(
    ANSWER
    + """<style>.card button { color: gray } .sale.pick-7315 button { color: red } .old button { color: blue }</style>
    <div class="card sale pick-7315"><button>Buy</button></div>""",
    answered("pick-7315"),
)
def find_the_rule_of_a_colour(hands: ToolsetHands, desk: Desk) -> None:
    """Type the class in the rule that makes the button "Buy" red."""
    type_answer(hands, found_in(hands.styles(hands.ref("Buy", "button")), r"\.(pick-\d+)"))


@toolset_task(
    """<button ondragover="event.preventDefault()" ondrop="take(event)">Drop here</button><script>
    async function take(event) { event.preventDefault(); const [file] = event.dataTransfer.files;
      tell(`${file.name}: ${await file.text()}`) }</script>""",
    lambda desk: desk.told == ["order.txt: seven pears"],
)
def drop_a_file(hands: ToolsetHands, desk: Desk) -> None:
    """Drop the file order.txt on "Drop here", as from a window of files."""
    hands.drop_file(hands.ref("Drop here", "button"), desk.file("order.txt", "seven pears"))


MARKED = """<p>Page</p><script>
addEventListener('load', () => tell(document.documentElement.dataset.mark ?? 'plain'))</script>"""
BUTTON = {
    "action": {},
    # Not `activeTab`: the first press may reach the worker before Chromium (156) has granted it the tab.
    "host_permissions": ["http://localhost/*"],
    "permissions": ["scripting"],
    "background": {"service_worker": "worker.js"},
}
WORKER = """chrome.runtime.onMessage.addListener((message, sender, reply) => { reply('ready') });
chrome.action.onClicked.addListener(tab => chrome.scripting.executeScript(
  {target: {tabId: tab.id}, func: () => { document.body.append(' Pressed'); document.title = 'pressed' }}));"""


def extension(desk: Desk, script: str, **further: object) -> Path:
    """Write an extension whose script runs in the task's pages before their own, and return its folder."""
    folder = desk.folder / f"extension-{desk.path.strip('/')}"
    folder.mkdir(exist_ok=True)
    scripts = [{"matches": [f"http://localhost{desk.path}*"], "js": ["mark.js"], "run_at": "document_start"}]
    manifest = {"manifest_version": 3, "name": "Marker", "version": "1.2", "content_scripts": scripts, **further}
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "mark.js").write_text(script, "utf-8")
    (folder / "worker.js").write_text(WORKER, "utf-8")
    return folder


@toolset_task("<p>Start</p>", lambda desk: desk.told == ["marked"], files={"page": MARKED})
def load_an_extension(hands: ToolsetHands, desk: Desk) -> None:
    """Load the unpacked extension, and open the page."""
    hands.load_extension(extension(desk, "document.documentElement.dataset.mark = 'marked'"))
    hands.navigate(desk.at("page"))


@toolset_task("<p>Start</p>", lambda desk: desk.told == ["marked", "plain"], files={"page": MARKED})
def remove_an_extension(hands: ToolsetHands, desk: Desk) -> None:
    """Load the unpacked extension, open the page, remove the extension, and open the page again."""
    hands.load_extension(extension(desk, "document.documentElement.dataset.mark = 'marked'"))
    hands.navigate(desk.at("page"))
    hands.wait_text("Page")
    hands.remove_extension()
    hands.navigate(desk.url)
    hands.navigate(desk.at("page"))


@toolset_task("<p>Start</p>", "document.title === 'pressed'", files={"page": "<p>Page</p>"})
def press_the_button_of_an_extension(hands: ToolsetHands, desk: Desk) -> None:
    """Load the unpacked extension, open the page, and press the extension's button once the page says Ready."""
    ready = "chrome.runtime.sendMessage('?').then(word => document.body.append(word))"
    hands.load_extension(extension(desk, f"addEventListener('load', () => {ready})", **BUTTON))
    hands.navigate(desk.at("page"))
    hands.wait_text("ready")
    hands.press_extension()
