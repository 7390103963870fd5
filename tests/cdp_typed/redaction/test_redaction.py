"""What is hidden in messages, in other plain JSON and in texts, and what stays."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed.redaction import REDACTED, Redaction, protect
from cdp_typed.redaction.texts import typed
from tests.support.secrets import CANARY

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
KEPT = "https://shop.example/orders?page=2&sort=price#top"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"password": CANARY, "username": "ada"}, {"password": REDACTED, "username": "ada"}),
        ({"Authorization": CANARY, "Accept": "*/*"}, {"Authorization": REDACTED, "Accept": "*/*"}),
        (
            {"headers": [{"name": "Set-Cookie", "value": CANARY}]},
            {"headers": [{"name": "Set-Cookie", "value": REDACTED}]},
        ),
        ({"headers": [{"name": "Accept", "value": "a"}]}, {"headers": [{"name": "Accept", "value": "a"}]}),
        ({"name": "sid", "value": CANARY, "domain": "a.test"}, {"name": "sid", "value": REDACTED, "domain": "a.test"}),
        ({"name": 1, "value": "kept"}, {"name": 1, "value": "kept"}),
        ({"privateKey": CANARY, "isResident": True}, {"privateKey": REDACTED, "isResident": True}),
        (
            f"GET / HTTP/1.1\r\nCookie: {CANARY}\r\nHost: a.test\r\n",
            f"GET / HTTP/1.1\r\nCookie: {REDACTED}\r\nHost: a.test\r\n",
        ),
        (f"https://ada:{CANARY}@a.test/x", f"https://{REDACTED}@a.test/x"),
        (f"https://a.test/?q=1&access_token={CANARY}#end", f"https://a.test/?q=1&access_token={REDACTED}#end"),
        (f"https://a.test/?token={CANARY}", f"https://a.test/?token={REDACTED}"),
        (f"what? token={CANARY}, no address", f"what? token={CANARY}, no address"),
        ({"expression": "alert('x')", "timeout": 500}, {"expression": "alert('x')", "timeout": 500}),
    ],
)
def test_what_is_named_as_a_secret_is_hidden(value: Any, shown: Any) -> None:
    assert Redaction().value({"deep": [value]}) == {"deep": [shown]}


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Authorization: Bearer {CANARY}", CANARY),
        ("curl -H 'Authorization: Basic YWRhOmh1bnRlcjI='", "YWRhOmh1bnRlcjI="),
        (f"fetch(url, {{headers: {{Authorization: 'Bearer abc-123-{CANARY}'}}}})", CANARY),
        (f"logged in with {TOKEN}", TOKEN),
        ("AKIAIOSFODNN7EXAMPLE is the id", "AKIAIOSFODNN7EXAMPLE"),
        (f'{{"user": "ada", "password": "{CANARY}"}}', CANARY),
        (f"login({{password: '{CANARY}'}})", CANARY),
        (f"password={CANARY}&user=ada", CANARY),
        (f"/login?user=ada&password={CANARY}", CANARY),
        (f"https://a.test/cb#access_token={CANARY}&state=1", CANARY),
        (f"Set-Cookie: sid={CANARY}; Path=/", CANARY),
        ("card 4111 1111 1111 1111 was charged", "4111 1111 1111 1111"),
        ("378282246310005", "378282246310005"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "MIIEow"),
    ],
)
def test_a_credential_is_known_by_its_shape(text: str, secret: str) -> None:
    shown = Redaction().text(text)

    assert secret not in shown
    assert REDACTED in shown


@pytest.mark.parametrize(
    "text",
    [
        KEPT,
        "Basic knowledge of bearer bonds",
        "the token authentication-scheme",
        "let password = input.value",
        "order 1700000000000000 of 2026-11-23",
        "4111 1111 1111 1112 has a wrong check digit",
        "a ? b : c",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert Redaction().text(text) == text


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Input.insertText", {"text": CANARY}),
        ("Network.setCookie", {"name": "a", "value": CANARY}),
        ("Storage.setCookies", {"cookies": [{"name": "a", "value": CANARY}]}),
        ("Network.setExtraHTTPHeaders", {"headers": {"X-Of-Ours": CANARY}}),
        ("Network.requestWillBeSent", {"request": {"url": KEPT, "headers": {"X-Mine": CANARY}, "postData": CANARY}}),
        ("Network.requestWillBeSent", {"request": {"postDataEntries": [{"bytes": CANARY}]}}),
        ("Fetch.continueRequest", {"headers": [{"name": "X-Mine", "value": CANARY}], "postData": CANARY}),
        ("Fetch.continueWithAuth", {"authChallengeResponse": {"username": "ada", "password": CANARY}}),
        ("Network.webSocketFrameSent", {"response": {"payloadData": CANARY}}),
        ("Network.responseReceivedExtraInfo", {"headersText": f"HTTP/1.1 200 OK\r\nX-Mine: {CANARY}\r\n"}),
        ("WebAuthn.addCredential", {"credential": {"privateKey": CANARY}}),
        ("DOMStorage.domStorageItemUpdated", {"oldValue": CANARY, "newValue": CANARY}),
        ("DOM.setChildNodes", {"nodes": [{"attributes": ["type", "password", "value", CANARY]}]}),
        ("Runtime.callFunctionOn", {"arguments": [{"value": CANARY}]}),
        ("Target.sendMessageToTarget", {"message": json.dumps({"method": "Input.insertText", "text": CANARY})}),
        ("Of.tomorrow", {"new": {"password": CANARY}}),
    ],
)
def test_parameters_are_read_by_their_method(method: str, params: dict[str, Any]) -> None:
    redaction = Redaction()

    assert CANARY not in json.dumps(redaction.params(method, params))
    assert Redaction(keeps_secrets=True).params(method, params) == params


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("Network.getResponseBody", {"body": CANARY, "base64Encoded": False}),
        ("Network.getCookies", {"cookies": [{"name": "a", "value": CANARY}]}),
        ("IO.read", {"data": CANARY, "eof": True}),
        ("DOMStorage.getDOMStorageItems", {"entries": [["key", CANARY]]}),
        ("IndexedDB.requestData", {"objectStoreDataEntries": [{"value": {"type": "string", "value": CANARY}}]}),
        ("DOM.getAttributes", {"attributes": ["autocomplete", "cc-number", "value", CANARY]}),
    ],
)
def test_results_are_read_by_their_method(method: str, result: dict[str, Any]) -> None:
    assert CANARY not in json.dumps(Redaction().result(method, result))


def test_a_snapshot_loses_the_texts_of_secret_fields_alone() -> None:
    strings = ["type", "password", "value", CANARY, "text", "Ada"]
    nodes = {"attributes": [[0, 1, 2, 3], [0, 4, 2, 5]], "inputValue": {"index": [0, 1], "value": [3, 5]}}

    shown = Redaction().result("DOMSnapshot.captureSnapshot", {"documents": [{"nodes": nodes}], "strings": strings})

    assert shown["strings"] == ["type", "password", "value", REDACTED, "text", "Ada"]


@pytest.mark.parametrize("key", ["a", "7", "é"])
def test_a_key_that_writes_is_not_told_and_others_are(key: str) -> None:
    pressed = {"type": "keyDown", "key": key, "text": key, "code": f"Key{key}", "windowsVirtualKeyCode": 65}

    shown = Redaction().params("Input.dispatchKeyEvent", pressed)

    assert shown == {
        "type": "keyDown", "key": REDACTED, "text": REDACTED, "code": REDACTED, "windowsVirtualKeyCode": 0,
    }  # fmt: skip
    other = {"type": "rawKeyDown", "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40}
    assert Redaction().params("Input.dispatchKeyEvent", other) == other


@pytest.mark.parametrize("text", ["hello ada", "a/b // */ /**/ c", '"quoted" \\ \n', "/*typed*/", "\u2028"])
def test_text_that_a_script_of_ours_types_is_not_shown(text: str) -> None:
    written = typed([text, 7])
    shown = Redaction().params("Runtime.evaluate", {"expression": f"f({written}) / 2 /* of ada */"})

    assert json.loads(written.removeprefix("/*typed*/").removesuffix("/**/")) == [text, 7]
    assert shown == {"expression": f"f(/*typed*/{REDACTED}/**/) / 2 /* of ada */"}


def test_what_a_person_protects_is_hidden_by_every_redaction_and_never_evicted() -> None:
    before = Redaction()
    protect("pa55-of-ada")
    protect("abc")
    for redaction in (before, Redaction()):
        redaction.hide("hunter2")
        for number in range(400):
            redaction.params("Network.setCookie", {"name": "sid", "value": f"value-{number:03}"})

        assert redaction.text("pa55-of-ada, abc") == f"{REDACTED}, abc"
        # A page that sets many cookies uncovers only the oldest of its own.
        assert redaction.text("hunter2 value-399 value-200 value-199") == f"{REDACTED} {REDACTED} {REDACTED} value-199"
    assert Redaction(keeps_secrets=True).text("pa55-of-ada") == "pa55-of-ada"


def test_a_cookie_that_was_set_is_hidden_where_a_script_reads_it() -> None:
    redaction = Redaction()
    redaction.params("Network.setCookie", {"name": "sid", "value": "s3cr3t-of-ada"})

    shown = redaction.result("Runtime.evaluate", {"result": {"type": "string", "value": "sid=s3cr3t-of-ada; a=1"}})

    assert shown["result"]["value"] == f"sid={REDACTED}; a=1"


@pytest.mark.parametrize("value", [None, [], "x", 7, {"params": 1}, {"method": 1, "params": {}}])
def test_any_json_can_be_given(value: Any) -> None:
    redaction = Redaction()

    assert redaction.value(value) == value
    assert redaction.params("Input.insertText", value) == value
    assert redaction.result("DOMSnapshot.captureSnapshot", value) == value
