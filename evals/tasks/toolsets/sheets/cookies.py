"""Tasks with cookies."""

from __future__ import annotations

from http.cookies import SimpleCookie

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer
from tests.support.servers.sites import Response

LOGIN = '<script src="login"></script>'
"""Its server sets a cookie before the rest of the page loads."""


def setting(cookie: str) -> Response:
    """Return an empty script with a cookie."""
    return Response("", headers={"Content-Type": "text/javascript", "Set-Cookie": cookie})


def sent(desk: Desk) -> dict[str, str]:
    """Return the cookies that the server got with the request for the page `next`."""
    sent_cookies = [each.headers.get("cookie", "") for each in desk.requests if each.path.endswith("/next")]
    return {key: morsel.value for key, morsel in SimpleCookie("".join(sent_cookies[-1:])).items()}


@toolset_task(
    "<p>In the light</p>", lambda desk: sent(desk).get("theme_of_page") == "dark", files={"next": "<p>Next</p>"}
)
def set_a_cookie(hands: ToolsetHands, desk: Desk) -> None:
    """Set the cookie theme_of_page to dark, and open the next page."""
    hands.set_cookie("theme_of_page", "dark")
    hands.navigate(desk.at("next"))


@toolset_task(LOGIN + ANSWER, answered("v-4711"), files={"login": setting("visit=v-4711; Path=/; HttpOnly")})
def read_a_cookie_that_no_script_sees(hands: ToolsetHands, desk: Desk) -> None:
    """Type the value of the HttpOnly cookie "visit"."""
    type_answer(hands, found_in(hands.cookie("visit"), r"(v-\d+)"))


@toolset_task(
    "<p>Settings</p>",
    lambda desk: sent(desk).get("hidden_flag") == "1" and desk.told == ["false"],
    files={"next": "<script>tell(document.cookie.includes('hidden_flag'))</script>"},
)
def set_a_cookie_that_no_script_sees(hands: ToolsetHands, desk: Desk) -> None:
    """Set the HttpOnly cookie hidden_flag, and open the next page."""
    hands.set_cookie("hidden_flag", "1", http_only=True)
    hands.navigate(desk.at("next"))


@toolset_task(
    "<script>document.cookie = 'basket_kept=1; path=/'; document.cookie = 'basket_dropped=1; path=/'</script>",
    lambda desk: {"basket_kept"} == {name for name in sent(desk) if name.startswith("basket_")},
    files={"next": "<p>Next</p>"},
)
def delete_one_of_two_cookies(hands: ToolsetHands, desk: Desk) -> None:
    """Delete the cookie basket_dropped, leave the other, and open the next page."""
    hands.delete_cookie("basket_dropped")
    hands.navigate(desk.at("next"))


@toolset_task(
    LOGIN,
    lambda desk: desk.requests[-1].path.endswith("/next") and not sent(desk),
    files={"login": setting("member=ann; Path=/; HttpOnly"), "next": "<p>Next</p>"},
)
def sign_out_by_clearing_the_cookies(hands: ToolsetHands, desk: Desk) -> None:
    """Clear all cookies, one of them HttpOnly, and open the next page."""
    hands.clear_cookies()
    hands.navigate(desk.at("next"))


@toolset_task(
    "<script>document.cookie = 'seen_here=1; path=/'</script>" + ANSWER,
    answered("seen_there"),
    files={"there": "<script>document.cookie = 'seen_there=1; path=/'</script>"},
)
def list_the_cookies_of_another_host(hands: ToolsetHands, desk: Desk) -> None:
    """Visit a page on another host, come back, and type the name of the cookie that it left."""
    hands.navigate(desk.other("there"))
    hands.navigate(desk.url)
    type_answer(hands, found_in(hands.cookies("127.0.0.1"), r"(seen_\w+)"))


@toolset_task("<p>Here</p>", lambda desk: sent(desk).get("invited") == "yes", files={"next": "<p>Next</p>"})
def set_a_cookie_before_the_first_visit(hands: ToolsetHands, desk: Desk) -> None:
    """Set a cookie of another host, and only then open its page."""
    hands.set_cookie("invited", "yes", host="127.0.0.1")
    hands.navigate(desk.other("next"))
