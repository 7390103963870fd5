"""Events as Chromium sends them, made up but of everyday shape and size: two large ones and two small ones."""

from __future__ import annotations

import json

_CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
_HEADERS = {
    "Referer": "https://shop.example/catalogue?page=3",
    "User-Agent": _CHROME,
    "sec-ch-ua": '"Chromium";v="156", "Not=A?Brand";v="24"',
    "sec-ch-ua-mobile": "?0",
    "sec-ch-ua-platform": '"Linux"',
}

_STACK = {
    "callFrames": [
        {
            "functionName": name,
            "scriptId": "17",
            "url": "https://shop.example/static/app.8f3a1c.js",
            "lineNumber": line,
            "columnNumber": 118,
        }
        for name, line in (("load", 41), ("refresh", 77), ("", 120), ("dispatch", 9))
    ]
}

REQUEST_WILL_BE_SENT = json.dumps(
    {
        "method": "Network.requestWillBeSent",
        "params": {
            "requestId": "1000045210.87",
            "loaderId": "9D1B3C6E5F0A4B7C8D2E1F3A5B6C7D8E",
            "documentURL": "https://shop.example/catalogue?page=3",
            "request": {
                "url": "https://shop.example/api/items?page=3&size=48",
                "method": "GET",
                "headers": _HEADERS,
                "mixedContentType": "none",
                "initialPriority": "High",
                "referrerPolicy": "strict-origin-when-cross-origin",
                "isSameSite": True,
            },
            "timestamp": 184623.482913,
            "wallTime": 1784623482.119,
            "initiator": {"type": "script", "stack": _STACK},
            "redirectHasExtraInfo": False,
            "type": "Fetch",
            "frameId": "5C7A0F1E2D3B4C5A6978879605142332",
            "hasUserGesture": False,
        },
        "sessionId": "A1B2C3D4E5F60718293A4B5C6D7E8F90",
    },
    separators=(",", ":"),
).encode()

CONSOLE_API_CALLED = json.dumps(
    {
        "method": "Runtime.consoleAPICalled",
        "params": {
            "type": "error",
            "args": [
                {"type": "string", "value": "request failed"},
                {"type": "number", "value": 503, "description": "503"},
                {
                    "type": "object",
                    "className": "Object",
                    "description": "Object",
                    "objectId": "5872348723.1.7",
                    "preview": {
                        "type": "object",
                        "description": "Object",
                        "overflow": False,
                        "properties": [
                            {"name": "url", "type": "string", "value": "/api/items"},
                            {"name": "attempt", "type": "number", "value": "3"},
                        ],
                    },
                },
            ],
            "executionContextId": 3,
            "timestamp": 1784623482119.42,
            "stackTrace": _STACK,
        },
        "sessionId": "A1B2C3D4E5F60718293A4B5C6D7E8F90",
    },
    separators=(",", ":"),
).encode()

_SMALL = {"requestId": "1000045210.87", "timestamp": 184623.482913}
_SESSION = {"sessionId": "A1B2C3D4E5F60718293A4B5C6D7E8F90"}

DATA_RECEIVED = json.dumps(
    {
        "method": "Network.dataReceived",
        "params": {**_SMALL, "dataLength": 16384, "encodedDataLength": 4102},
        **_SESSION,
    },
    separators=(",", ":"),
).encode()

LOADING_FINISHED = json.dumps(
    {"method": "Network.loadingFinished", "params": {**_SMALL, "encodedDataLength": 20510}, **_SESSION},
    separators=(",", ":"),
).encode()
