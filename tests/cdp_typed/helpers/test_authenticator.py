"""A login with a passkey, played by a program."""

from __future__ import annotations

import pytest

from cdp_typed import Connection, InvalidParams, Session, connect_sync
from cdp_typed.helpers import blocking, goto, js, virtual_authenticator
from cdp_typed.launch import LaunchedBrowser
from tests.support.servers.sites import Sites

pytestmark = pytest.mark.thorough

PAGE = """<script>
const challenge = new Uint8Array(32), user = {id: new Uint8Array([7]), name: 'ann', displayName: ''};
const pubKeyCredParams = [{type: 'public-key', alg: -7}], authenticatorSelection = {residentKey: 'required'};
const asked = {challenge, rp: {name: 'Shop'}, user, pubKeyCredParams, authenticatorSelection};
const register = () => navigator.credentials.create({publicKey: asked}).then(made => made.id);
const login = () => navigator.credentials.get({publicKey: {challenge, userVerification: 'required'}}).then(c => c.id);
</script>"""


async def test_a_passkey_of_one_tab_logs_in_in_another(browser: Connection, tab: Session, sites: Sites) -> None:
    sites.pages["/"] = PAGE
    await goto(tab, sites.local())
    async with virtual_authenticator(tab) as first:
        made = await js(tab, "register()")
        (kept,) = await first.credentials()

        with pytest.raises(InvalidParams, match="one internal authenticator"):
            async with virtual_authenticator(tab):
                pass
        assert await js(tab, "login()") == made

    async with browser.new_page() as other, virtual_authenticator(other) as second:
        await goto(other, sites.local())
        await second.add(kept)
        assert await js(other, "login()") == made


def test_a_program_without_async_has_the_same(no_leaks: None, chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = PAGE
    with connect_sync(chromium.ws_url) as connection, connection.new_page() as tab:
        blocking.goto(tab, sites.local())
        with blocking.virtual_authenticator(tab) as authenticator:
            made = blocking.js(tab, "register()")

            assert blocking.js(tab, "login()") == made
            assert len(authenticator.credentials()) == 1
