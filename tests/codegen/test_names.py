"""Names, by table."""

from __future__ import annotations

import pytest

from codegen.errors import SchemaError
from codegen.names import class_name, field_name, module_name, words

FIELDS = {
    "url": "url",
    "frameId": "frame_id",
    "documentURL": "document_url",
    "baseURL": "base_url",
    "isSVG": "is_svg",
    "outerHTML": "outer_html",
    "backendDOMNodeId": "backend_dom_node_id",
    "includeCommandLineAPI": "include_command_line_api",
    "allowUnsafeEvalBlockedByCSP": "allow_unsafe_eval_blocked_by_csp",
    "remoteIPAddress": "remote_ip_address",
    "base64Encoded": "base64_encoded",
    "certSha256": "cert_sha256",
    "ctap2Version": "ctap2_version",
    "t0": "t0",
    "wow64": "wow64",
    "max_depth": "max_depth",
    "blockedURLs": "blocked_urls",
    "or": "or_",
    "not": "not_",
    "from": "from_",
    "list": "list_",
    "tuple": "tuple_",
    "str": "str_",
    "field": "field_",
    "type": "type",
    "id": "id",
}
CLASSES = {
    "navigate": "Navigate",
    "printToPDF": "PrintToPDF",
    "getDOMCounters": "GetDOMCounters",
    "setXHRBreakpoint": "SetXHRBreakpoint",
    "consoleAPICalled": "ConsoleAPICalled",
    "setBlockedURLs": "SetBlockedURLs",
    "FrameId": "FrameId",
    "TargetID": "TargetID",
    "RGBA": "RGBA",
    "max_depth": "MaxDepth",
}
MODULES = {
    "Page": "page",
    "DOM": "dom",
    "CSS": "css",
    "IO": "io",
    "PWA": "pwa",
    "DOMDebugger": "dom_debugger",
    "DOMSnapshot": "dom_snapshot",
    "IndexedDB": "indexed_db",
    "WebAuthn": "web_authn",
    "WebMCP": "web_mcp",
    "FedCm": "fed_cm",
}
WORDS = {
    "printToPDF": ["print", "to", "pdf"],
    "getDOMCounters": ["get", "dom", "counters"],
    "setBlockedURLs": ["set", "blocked", "urls"],
    "replayXHR": ["replay", "xhr"],
    "IPAddressSpace": ["ip", "address", "space"],
    "sensorReadingXYZ": ["sensor", "reading", "xyz"],
    "max_depth": ["max", "depth"],
}


@pytest.mark.parametrize("name", ["", "a-b", "_a", "a b", "1a", "größe", "a.b"])
def test_a_name_of_another_shape_is_refused(name: str) -> None:
    for convert in (words, field_name, class_name, module_name):
        with pytest.raises(SchemaError, match="is not a name this generator understands"):
            convert(name)


@pytest.mark.parametrize(("wire", "python"), FIELDS.items())
def test_a_property_becomes_an_attribute(wire: str, python: str) -> None:
    assert field_name(wire) == python


@pytest.mark.parametrize(("wire", "python"), CLASSES.items())
def test_a_method_or_type_becomes_a_class(wire: str, python: str) -> None:
    assert class_name(wire) == python


@pytest.mark.parametrize(("domain", "python"), MODULES.items())
def test_a_domain_becomes_a_module(domain: str, python: str) -> None:
    assert module_name(domain) == python


@pytest.mark.parametrize(("name", "expected"), WORDS.items())
def test_initialisms_are_words(name: str, expected: list[str]) -> None:
    assert words(name) == expected
