"""`cdp_browser` serves `cdp_site` to Chromium, seen from runs of projects that use the plugin."""

from __future__ import annotations

import pytest

from tests.cdp_typed.test_pytest_plugin import RunTests, run_tests

__all__ = ["run_tests"]

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

pytest_plugins = ["pytester"]

SHOP = """
import contextlib
import pytest

from cdp_typed import NavigationFailed
from cdp_typed.helpers.blocking import cookies, goto, intercept, js, new_context
from cdp_typed.mock import FileInput, Frame, Link, Page, Resource
from cdp_typed.protocol import network, target

@contextlib.contextmanager
def opened(cdp_browser, url):
    with connect_sync(cdp_browser.http_url) as browser, browser.new_page() as tab:
        goto(tab, url)
        yield tab
"""
SITE = """
@pytest.fixture
def cdp_site():
    away = {"Location": "/", "Set-Cookie": "cart=1; Path=/"}
    return {
        "http://shop.test/": Page(title="Shop & <more>", script="window.early = 1", on_load="window.late = 2"),
        "http://shop.test/?of=tea": Page(title="Tea"),
        "http://shop.test/old": Page(status=302, headers=away),
        "http://shop.test/price": Page(body='{"price": 7}', headers={"Content-Type": "application/json"}),
        "http://shop.test/inside": Page(title="Inside", login="ada:lovelace"),
        "http://shop.test/around": Page(title="Around", frames=[Frame("http://pay.example/", "pay"), SRCDOC]),
        "http://pay.example/": Page(title="Pay"),
        "http://shop.test/script": Page(title="With script", resources=[Resource("/one.js", "Script")]),
        "http://shop.test/one.js": Page(body=SCRIPT, script=SCRIPT, headers={"Content-Type": "text/javascript"}),
        "http://shop.test/quoting": Page(title="Quoting", script="window.end = '</script>'"),
    }

SCRIPT = "window.one = '</script>'"
SRCDOC = Frame(name="own", srcdoc=Page(title="Own"))
"""


def test_a_site_of_a_test_is_the_same_on_the_mock_and_on_chromium(run_tests: RunTests) -> None:
    result = run_tests(
        SHOP
        + SITE
        + """
def test_documents(cdp_no_leaks, cdp_browser):
    with opened(cdp_browser, "http://shop.test/") as tab:
        assert js(tab, "[document.title, window.early, window.late]") == ["Shop & <more>", 1, 2]
        goto(tab, "http://shop.test/?of=tea#fragment")
        assert js(tab, "document.title") == "Tea"
        goto(tab, "http://shop.test/quoting")
        assert js(tab, "window.end") == "</script>"

def test_redirects_and_cookies(cdp_no_leaks, cdp_browser):
    with opened(cdp_browser, "http://shop.test/old") as tab:
        assert js(tab, "location.href") == "http://shop.test/"
        assert [(cookie.name, cookie.value, cookie.domain) for cookie in cookies(tab)] == [("cart", "1", "shop.test")]

def test_requests_of_scripts(cdp_no_leaks, cdp_browser):
    with opened(cdp_browser, "http://shop.test/script") as tab:
        assert js(tab, "fetch('/price').then(response => response.json())") == {"price": 7}
        assert js(tab, "window.one") == "</script>"
        assert js(tab, "fetch('/absent').then(response => response.status)") == 404

def test_pages_that_do_not_open(cdp_no_leaks, cdp_browser):
    with opened(cdp_browser, "about:blank") as tab:
        with pytest.raises(NavigationFailed, match="net::ERR_HTTP_RESPONSE_CODE_FAILURE"):
            goto(tab, "http://shop.test/absent")

def test_a_login(cdp_no_leaks, cdp_browser):
    def log_in(request):
        return request.authenticate("ada", "lovelace") if request.challenge else None

    with opened(cdp_browser, "about:blank") as tab, intercept(tab, "*", log_in, auth=True):
        goto(tab, "http://shop.test/inside")
        assert js(tab, "document.title") == "Inside"

def test_a_login_of_one_context_is_none_of_another(cdp_no_leaks, cdp_browser):
    def seen_by(password):
        left = [password]

        def log_in(request):
            return request.authenticate("ada", left.pop()) if request.challenge and left else None

        with new_context(browser) as context, context.new_page() as tab:
            with intercept(tab, "*", log_in, auth=True):
                goto(tab, "http://shop.test/")
                return js(tab, "fetch('/inside').then(response => response.status)")

    with connect_sync(cdp_browser.http_url) as browser:
        assert seen_by("lovelace") == 200
        assert seen_by("wrong") == 401

def test_frames(cdp_no_leaks, cdp_browser):
    with opened(cdp_browser, "about:blank") as tab, tab.auto_attach() as attaching:
        goto(tab, "http://shop.test/around")
        frames = {js(frame, "document.title") for frame in attaching.sessions if frame.target_info.type == "iframe"}
        assert frames == {"Pay"}
        assert [child.frame.name for child in tab.send(page.GetFrameTree()).frame_tree.child_frames] == ["own"]
"""
    )

    result.assert_outcomes(passed=14)


def test_a_test_does_not_meet_the_pages_of_another(run_tests: RunTests) -> None:
    result = run_tests(
        SHOP
        + """
@pytest.fixture
def cdp_site(request):
    return {f"http://shop.test/{request.node.originalname}": Page(title=request.node.originalname)}

@pytest.mark.parametrize("name", ["test_one", "test_two"])
def test_one(cdp_no_leaks, cdp_browser, name):
    with opened(cdp_browser, "http://shop.test/test_one") as tab:
        assert js(tab, "fetch('/test_two').then(response => response.status)") == 404

def test_two(cdp_no_leaks, cdp_browser):
    with opened(cdp_browser, "http://shop.test/test_two") as tab:
        assert js(tab, "fetch('/test_one').then(response => response.status)") == 404
"""
    )

    result.assert_outcomes(passed=6)


def test_a_page_that_chromium_cannot_get_is_refused_and_those_of_others_are_left_to_them(run_tests: RunTests) -> None:
    result = run_tests(
        SHOP
        + """
@pytest.fixture
def cdp_site(request):
    return {request.param: Page(title="There")}

@pytest.mark.parametrize("cdp_site", ["https://shop.test/"], indirect=True)
def test_refused(cdp_browser):
    pass

@pytest.mark.parametrize("cdp_site", ["data:text/html,a", "http://127.0.0.1:1/", "https://a.com/"], indirect=True)
def test_left(cdp_browser):
    pass

def test_not_served(cdp_chromium):
    with connect_sync(cdp_chromium.http_url) as browser, browser.new_page() as tab:
        with pytest.raises(NavigationFailed, match="net::ERR_CONNECTION_REFUSED"):
            goto(tab, "http://shop.test/")
""",
        "--cdp-browser=chromium",
    )

    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(
        ["*cdp_site: https://shop.test/: Chromium gets pages of .test and .example by http only*"]
    )
