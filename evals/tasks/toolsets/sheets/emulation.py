"""Tasks that show a page another device, place or network."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import Surroundings, ToolsetHands
from evals.tasks.toolsets.task import toolset_task
from tests.support.servers.sites import Response

FETCH = """<button onclick="load()">Load</button><script>
async function load() {
  const started = performance.now();
  try {
    const text = await (await fetch('data')).text();
    tell(text.length > 9 ? performance.now() - started > 1000 ? 'slow' : 'fast' : text);
  } catch { tell('no connection') }
}</script>"""


def load(hands: ToolsetHands) -> None:
    """Let the page fetch its data."""
    hands.click(hands.ref("Load", "button"))


@toolset_task(
    "<style>@media (min-width: 600px) { #menu { display: none } }</style>"
    '<button id="menu" onclick="tell(innerWidth + \'x\' + innerHeight)">Menu</button>',
    lambda desk: desk.told == ["400x720"],
)
def use_the_narrow_layout(hands: ToolsetHands, desk: Desk) -> None:
    """Make the viewport 400 by 720, and press the button that only narrow pages show."""
    hands.emulate(Surroundings(size=(400, 720)))
    hands.click(hands.ref("Menu", "button"))


@toolset_task(
    '<meta name="viewport" content="width=device-width"><p>Desktop</p>',
    "innerWidth < 500 && devicePixelRatio > 1 && navigator.maxTouchPoints && navigator.userAgent.includes('Mobile')",
)
def open_a_page_as_a_phone(hands: ToolsetHands, desk: Desk) -> None:
    """Open the page as a Pixel 7 does: its size, its touch screen and its user agent."""
    hands.emulate(Surroundings(device="Pixel 7"))
    hands.navigate(desk.url)


@toolset_task("<p>Sharp?</p>", "devicePixelRatio === 3 && innerWidth === 800")
def use_a_display_of_high_density(hands: ToolsetHands, desk: Desk) -> None:
    """Make the viewport 800 by 600 with three device pixels for each of its own."""
    hands.emulate(Surroundings(size=(800, 600), scale=3))


@toolset_task("<p>Light?</p>", "matchMedia('(prefers-color-scheme: dark)').matches")
def see_the_dark_page(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page in its dark colors."""
    hands.emulate(Surroundings(dark=True))


@toolset_task("<p>Moving?</p>", "matchMedia('(prefers-reduced-motion: reduce)').matches")
def ask_for_less_motion(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page to somebody who wants less motion."""
    hands.emulate(Surroundings(less_motion=True))


@toolset_task("<p>Pale?</p>", "matchMedia('(prefers-contrast: more)').matches")
def ask_for_more_contrast(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page to somebody who wants more contrast."""
    hands.emulate(Surroundings(more_contrast=True))


@toolset_task("<p>Screen?</p>", "matchMedia('print').matches")
def see_the_page_as_printed(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page with its styles for print."""
    hands.emulate(Surroundings(print=True))


@toolset_task("<p>Price</p>", "navigator.language === 'de-DE' && (1234.5).toLocaleString() === '1.234,5'")
def read_the_page_in_german(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page to a browser whose language is German, and load it again."""
    hands.emulate(Surroundings(locale="de-DE"))
    hands.navigate(desk.url)


@toolset_task("<p>Clock</p>", "new Date(0).getHours() === 9")
def live_in_tokyo(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page with the time of Tokyo, and load it again."""
    hands.emulate(Surroundings(time_zone="Asia/Tokyo"))
    hands.navigate(desk.url)


@toolset_task(
    '<button onclick="navigator.geolocation.getCurrentPosition('
    "at => tell(at.coords.latitude.toFixed(2)), error => tell('refused'))\">Where am I</button>",
    lambda desk: desk.told == ["47.56"],
)
def stand_in_basel(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page find itself in Basel (47.56, 7.59), with its permission."""
    hands.emulate(Surroundings(place=(47.56, 7.59), permission="geolocation"))
    hands.click(hands.ref("Where am I", "button"))


@toolset_task("<p>News</p>", "Notification.permission === 'granted'")
def grant_a_permission(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page show notifications."""
    hands.emulate(Surroundings(permission="notifications"))


@toolset_task(
    FETCH,
    "told.join() === 'no connection,here'",
    files={"data": Response("here", headers={"Content-Type": "text/plain"})},
)
def go_offline_and_come_back(hands: ToolsetHands, desk: Desk) -> None:
    """Load the data without a network, and once more with it."""
    hands.emulate(Surroundings(network="offline"))
    load(hands)
    hands.emulate(Surroundings(network="full"))
    load(hands)


@toolset_task(
    FETCH, "told.join() === 'slow'", files={"data": Response("x" * 2000, headers={"Content-Type": "text/plain"})}
)
def use_a_slow_network(hands: ToolsetHands, desk: Desk) -> None:
    """Load the data over a slow 3G network."""
    hands.emulate(Surroundings(network="slow-3g"))
    load(hands)


@toolset_task(
    "<p>First</p>",
    lambda desk: desk.requests[-1].path.endswith("/next") and desk.requests[-1].headers.get("user-agent") == "Kiosk/7",
    files={"next": "<p>Next</p>"},
)
def send_another_user_agent(hands: ToolsetHands, desk: Desk) -> None:
    """Open the next page with the user agent Kiosk/7."""
    hands.emulate(Surroundings(user_agent="Kiosk/7"))
    hands.navigate(desk.at("next"))


@toolset_task(
    '<iframe title="Clock" src="$other/clock"></iframe>',
    lambda desk: desk.told == ["true"],
    files={"clock": "<button onclick=\"tell(matchMedia('(prefers-color-scheme: dark)').matches)\">Colors</button>"},
)
def see_a_foreign_frame_in_the_dark(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page in its dark colors, and press the button in a frame of another site."""
    hands.emulate(Surroundings(dark=True))
    hands.click(hands.wait_ref("Colors", "button"))


@toolset_task(
    "<script>const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches; let was = false;"
    "setInterval(() => { was ||= isDark() && innerWidth === 640 }, 10)</script>",
    "was && !isDark() && innerWidth !== 640",
)
def end_an_emulation(hands: ToolsetHands, desk: Desk) -> None:
    """Show the page dark and 640 wide, and then as before."""
    hands.emulate(Surroundings(dark=True, size=(640, 480)))
    hands.end_emulation()
