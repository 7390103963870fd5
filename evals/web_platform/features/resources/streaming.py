"""Streams of the browser, of servers and of sockets."""

from __future__ import annotations

from evals.web_platform.feature import Feature, Held
from tests.support.servers.sites import Response

EVENTS = "retry: 10\nid: 7\nevent: named\ndata: first\ndata: line\n\n"

FEATURES = (
    Feature(
        "stream_readable",
        """
        let next = 0;
        const stream = new ReadableStream({
          pull(controller) { next < 3 ? controller.enqueue(next++) : controller.close(); },
        });
        const heard = [];
        for await (const value of stream) heard.push(value);
        same(heard, [0, 1, 2]);
        """,
    ),
    Feature(
        "stream_transform_and_tee",
        """
        const numbers = new ReadableStream({
          start(controller) { [1, 2, 3].forEach(number => controller.enqueue(number)); controller.close(); },
        });
        const doubled = new TransformStream({transform: (value, controller) => controller.enqueue(value * 2)});
        const [one, two] = numbers.pipeThrough(doubled).tee();
        same([await Array.fromAsync(one), await Array.fromAsync(two)], [[2, 4, 6], [2, 4, 6]]);
        """,
    ),
    Feature(
        "stream_of_bytes",
        """
        const stream = new ReadableStream({
          type: 'bytes',
          pull(controller) { controller.enqueue(new Uint8Array([1, 2, 3])); controller.close(); },
        });
        const {value} = await stream.getReader({mode: 'byob'}).read(new Uint8Array(2));
        same([...value], [1, 2]);
        """,
    ),
    Feature(
        "stream_compression",
        """
        const through = (body, transform) => new Response(new Response(body).body.pipeThrough(transform));
        const packed = await through('a'.repeat(10000), new CompressionStream('gzip')).arrayBuffer();
        same(packed.byteLength < 200, true);
        same((await through(packed, new DecompressionStream('gzip')).text()).length, 10000);
        """,
    ),
    Feature(
        "stream_text_decoder",
        """
        const bytes = new TextEncoder().encode('a€b'), {readable, writable} = new TextDecoderStream();
        const writer = writable.getWriter(), heard = Array.fromAsync(readable);
        for (const piece of [bytes.slice(0, 2), bytes.slice(2)]) writer.write(piece);
        writer.close();
        same(await heard, ['a', '€b']);
        """,
    ),
    Feature(
        "stream_transferred",
        """
        const {port1, port2} = new MessageChannel();
        const stream = new ReadableStream({start(controller) { controller.enqueue('hello'); controller.close(); }});
        const arrived = message(port2);
        port1.postMessage(stream, [stream]);
        same(await Array.fromAsync(await arrived), ['hello']);
        """,
    ),
    Feature(
        "event_source",
        """
        const source = new EventSource('events');
        const event = await once(source, 'named');
        source.close();
        same([event.data, event.lastEventId], ['first\\nline', '7']);
        """,
        files={"events": Response(EVENTS, headers={"Content-Type": "text/event-stream"})},
    ),
    Feature(
        "event_source_comes_again",
        """
        const source = new EventSource('events');
        await once(source, 'named');
        await once(source, 'named');
        source.close();
        const seen = (await requests('events')).map(request => request.headers['last-event-id'] ?? null);
        same(seen.slice(0, 2), [null, '7']);
        """,
        files={"events": Response(EVENTS, headers={"Content-Type": "text/event-stream"})},
    ),
    Feature(
        "event_source_in_pieces",
        """
        const source = new EventSource('events'), heard = [];
        source.onmessage = event => heard.push(event.data);
        for (let count = 1; count <= 3; count++) {
          await until(() => heard.length === count);
          await more();
        }
        source.close();
        same(heard, ['1', '2', '3']);
        """,
        files={"events": Held(("data: 1\n\n", "data: 2\n\n", "data: 3\n\n"), "text/event-stream")},
    ),
    Feature(
        "event_source_refused",
        """
        const source = new EventSource('events');
        await once(source, 'error');
        same(source.readyState, EventSource.CLOSED);
        """,
        files={"events": "no events"},
    ),
    Feature(
        "websocket",
        """
        const socket = new WebSocket(WEBSOCKETS);
        await once(socket, 'open');
        socket.send('hello');
        same(await message(socket), 'hello');
        const {code, wasClean} = await once(socket, 'close', () => socket.close());
        same([code, wasClean], [1005, true]);
        """,
    ),
    Feature(
        "websocket_binary",
        """
        const socket = Object.assign(new WebSocket(WEBSOCKETS), {binaryType: 'arraybuffer'});
        await once(socket, 'open');
        socket.send(new Uint8Array([1, 2, 3]));
        same([...new Uint8Array(await message(socket))], [1, 2, 3]);
        """,
    ),
    Feature(
        "websocket_closed_by_the_server",
        """
        const socket = new WebSocket(WEBSOCKETS);
        await once(socket, 'open');
        const {code, reason} = await once(socket, 'close', () => socket.send('close'));
        same([code, reason], [4001, 'as asked']);
        """,
    ),
    Feature(
        "websocket_many_messages",
        """
        const socket = new WebSocket(WEBSOCKETS);
        await once(socket, 'open');
        const heard = messages(socket, 10);
        socket.send('many');
        same((await heard).join(''), '0123456789');
        """,
    ),
    Feature("websocket_to_nobody", "same((await once(new WebSocket('ws://127.0.0.1:1/'), 'close')).code, 1006)"),
    Feature(
        "websocket_stream",
        """
        need(window.WebSocketStream, 'WebSocketStream');
        const {readable, writable} = await new WebSocketStream(WEBSOCKETS).opened;
        await writable.getWriter().write('hello');
        same((await readable.getReader().read()).value, 'hello');
        """,
    ),
)
