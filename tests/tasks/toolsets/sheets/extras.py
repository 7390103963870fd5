"""Tasks with the small things that a page needs now and then."""

from __future__ import annotations

from tests.tasks.desk import Desk
from tests.tasks.toolsets.hands import ToolsetHands
from tests.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer


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
