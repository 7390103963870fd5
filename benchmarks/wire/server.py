"""A websocket server for benchmarks, in its own process, with as little work per message as possible.

    python -m benchmarks.wire.server EVENTS

It prints its port. `Runtime.enable` is answered after EVENTS large events and `Network.enable` after as many small
ones, prepared beforehand and written in large pieces; `Target.attachToTarget` attaches the session that they are of;
everything else is answered at once with a browser's version.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import struct
import sys
import threading
from typing import Any

from benchmarks.samples import CONSOLE_API_CALLED, DATA_RECEIVED, LOADING_FINISHED, REQUEST_WILL_BE_SENT

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_PIECE = 500
_ENABLES = ("Runtime.enable", "Network.enable")
_VERSION = (
    b'{"protocolVersion":"1.3","product":"Chrome/156.0.0.0","revision":"@1","userAgent":"benchmark","jsVersion":"15.6"}'
)


_SESSION = b"A1B2C3D4E5F60718293A4B5C6D7E8F90"
_ATTACHED = (
    b'{"method":"Target.attachedToTarget","params":{"sessionId":"%s","targetInfo":{"targetId":"page","type":"page",'
    b'"title":"","url":"about:blank","attached":true,"canAccessOpener":false},"waitingForDebugger":false}}' % _SESSION
)


def answer(command: dict[str, Any]) -> bytes:
    """Return the frames that answer a command, on the session that it came on."""
    number, session = command["id"], command.get("sessionId")
    ending = b',"sessionId":"%s"}' % session.encode() if session else b"}"
    if command["method"] == "Target.attachToTarget":
        return frame(_ATTACHED) + frame(b'{"id":%d,"result":{"sessionId":"%s"}}' % (number, _SESSION))
    if command["method"] in _ENABLES:
        return frame(b'{"id":%d,"result":{}%s' % (number, ending))
    return frame(b'{"id":%d,"result":%s%s' % (number, _VERSION, ending))


def frame(data: bytes, opcode: int = 1) -> bytes:
    """Return one frame of a server."""
    if len(data) < 126:
        return struct.pack("!BB", 0x80 | opcode, len(data)) + data
    if len(data) < 2**16:
        return struct.pack("!BBH", 0x80 | opcode, 126, len(data)) + data
    return struct.pack("!BBQ", 0x80 | opcode, 127, len(data)) + data


def serve(connection: socket.socket, events: int) -> None:
    """Serve one client until it disconnects."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pieces = {
        "Runtime.enable": (frame(CONSOLE_API_CALLED) + frame(REQUEST_WILL_BE_SENT)) * (_PIECE // 2),
        "Network.enable": (frame(DATA_RECEIVED) + frame(LOADING_FINISHED)) * (_PIECE // 2),
    }
    with connection, connection.makefile("rb") as received:
        key = b""
        while (line := received.readline()) != b"\r\n":
            if header := re.match(rb"(?i)sec-websocket-key: (\S+)", line):
                key = header[1]
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )
        while (head := received.read(2)) and head[0] & 0x0F != 8:
            size = head[1] & 0x7F
            size = struct.unpack("!H", received.read(2))[0] if size == 126 else size
            mask, masked = received.read(4), received.read(size)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(masked))
            if head[0] & 0x0F == 9:
                connection.sendall(frame(data, 10))
                continue
            command = json.loads(data)
            if command["method"] in pieces:
                for _ in range(events // _PIECE):
                    connection.sendall(pieces[command["method"]])
            connection.sendall(answer(command))
        connection.sendall(frame(struct.pack("!H", 1000), 8))


def main() -> None:
    """Serve until the process is ended."""
    events = int(sys.argv[1])
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve, args=(connection, events), daemon=True).start()


if __name__ == "__main__":
    main()
