"""Messages between windows, frames, popups and channels."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page

ECHO = "addEventListener('message', ({data, source}) => source.postMessage(['echo', data], '*'));"
IN_A_FRAME = page(f"{ECHO} parent.postMessage('ready', '*')")
IN_A_POPUP = page(f"{ECHO} opener.postMessage('ready', '*')")
TALK = """
same(await from(target), 'ready');
target.postMessage({list: [1, new Date(0)]}, '*');
same(await from(target), ['echo', {list: [1, new Date(0)]}]);
"""

FEATURES = (
    Feature(
        "message_to_a_frame",
        "const target = attach({src: 'frame.html'}).contentWindow;" + TALK,
        files={"frame.html": IN_A_FRAME},
    ),
    Feature(
        "message_to_a_sibling_origin",
        "const target = attach({src: sibling('frame.html')}).contentWindow;" + TALK,
        files={"frame.html": IN_A_FRAME},
    ),
    Feature(
        "message_to_a_cross_site_frame",
        "const target = attach({src: elsewhere('frame.html')}).contentWindow;" + TALK,
        files={"frame.html": IN_A_FRAME},
    ),
    Feature(
        "message_to_a_popup",
        "const target = popUp('popup.html');" + TALK,
        files={"popup.html": IN_A_POPUP},
    ),
    Feature(
        "message_to_a_cross_site_popup",
        "const target = popUp(elsewhere('popup.html'));" + TALK,
        files={"popup.html": IN_A_POPUP},
    ),
    Feature(
        "message_for_another_origin_is_not_delivered",
        """
        const target = attach({src: elsewhere('frame.html')}).contentWindow;
        same(await from(target), 'ready');
        target.postMessage('lost', location.origin);
        target.postMessage('found', new URL(elsewhere('')).origin);
        same(await from(target), ['echo', 'found']);
        """,
        files={"frame.html": IN_A_FRAME},
    ),
    Feature(
        "message_port_to_a_cross_site_frame",
        """
        const target = attach({src: elsewhere('frame.html')}).contentWindow, {port1, port2} = new MessageChannel();
        same(await from(target), 'ready');
        target.postMessage('a port', '*', [port2]);
        same(await message(port1), 'through the port');
        """,
        files={
            "frame.html": page("""
            addEventListener('message', event => event.ports[0].postMessage('through the port'));
            parent.postMessage('ready', '*');
            """),
        },
    ),
    Feature(
        "message_order",
        """
        const heard = messages(window, 20);
        for (let number = 0; number < 20; number++) postMessage(number);
        same(await heard, Array.from({length: 20}, (_, number) => number));
        """,
    ),
    Feature(
        "message_channel",
        """
        const {port1, port2} = new MessageChannel();
        const answer = message(port1);
        port2.onmessage = ({data}) => port2.postMessage(data + 1);
        port1.postMessage(1);
        same(await answer, 2);
        """,
    ),
    Feature(
        "message_channel_closes",
        """
        need('onclose' in MessagePort.prototype, 'the event of a closed port');
        const {port1, port2} = new MessageChannel();
        port1.start();
        same((await once(port1, 'close', () => port2.close())).type, 'close');
        """,
    ),
    Feature(
        "broadcast_channel",
        """
        const channel = new BroadcastChannel('channel');
        attach({src: 'frame.html'});
        same(await message(channel), 'of a frame');
        """,
        files={"frame.html": page("new BroadcastChannel('channel').postMessage('of a frame')")},
    ),
    Feature(
        "broadcast_channel_of_a_popup",
        """
        const channel = new BroadcastChannel('channel'), popup = open('popup.html', '_blank', 'noopener');
        same([popup, await message(channel)], [null, 'of a popup']);
        """,
        files={"popup.html": page("new BroadcastChannel('channel').postMessage('of a popup'); close()")},
    ),
    Feature(
        "structured_clone",
        """
        const source = {map: new Map([[1, new Set(['a'])]]), error: new TypeError('text'), date: new Date(0), big: 5n};
        source.self = source;
        const copy = structuredClone(source);
        same([copy.self === copy, [...copy.map.get(1)], copy.error.name, +copy.date, copy.big === 5n],
             [true, ['a'], 'TypeError', 0, true]);
        same(await refusal(() => structuredClone(() => {})), 'DataCloneError');
        """,
    ),
    Feature(
        "popup_with_opener_and_without",
        """
        same(await wordOfPopup('popup.html'), true);
        const channel = new BroadcastChannel('channel');
        open('popup.html', '_blank', 'noopener');
        same(await message(channel), false);
        """,
        files={
            "popup.html": page("""
            if (opener) opener.postMessage(true);
            else new BroadcastChannel('channel').postMessage(false), close();
            """),
        },
    ),
    Feature(
        "popup_that_is_blank",
        """
        const popup = popUp();
        popup.document.write('<title>written</title>');
        same([popup.document.title, popup.opener === window], ['written', true]);
        popup.close();
        await until(() => popup.closed);
        """,
    ),
    Feature(
        "popup_of_a_name",
        """
        const first = popUp('popup.html', 'named');
        same(await from(first), 'named');
        const second = popUp('popup.html?again', 'named');
        same([await from(second), first === second], ['named', true]);
        """,
        files={"popup.html": page("opener.postMessage(name)")},
    ),
    Feature(
        "popup_that_moves_to_another_site_and_back",
        """
        const popup = popUp('popup.html');
        same(await from(popup), 'localhost');
        popup.location = elsewhere('popup.html');
        same(await from(popup), '127.0.0.1');
        popup.location = here('popup.html');
        same(await from(popup), 'localhost');
        """,
        files={
            "popup.html": page(
                "opener.postMessage(location.hostname.split('.').slice(-1)[0].replace(/^1$/, '127.0.0.1'), '*')"
            )
        },
    ),
    Feature(
        "popup_s_size_and_place",
        "tell(await wordOfPopup('popup.html', 'popup,width=300,height=200,left=10,top=20'))",
        files={
            "popup.html": page("""
            if (!innerHeight) await once(window, 'resize');
            opener.postMessage([innerWidth, innerHeight, screenX, screenY, menubar.visible]);
            """),
        },
    ),
    Feature(
        "popup_closed_at_once",
        """
        const popup = popUp('popup.html');
        popup.close();
        await until(() => popup.closed);
        """,
        files={"popup.html": page()},
    ),
    Feature(
        "popup_is_visible_and_has_frames",
        "same(await wordOfPopup('popup.html'), 'visible')",
        files={"popup.html": page("await nextFrame(); opener.postMessage(document.visibilityState)")},
    ),
    Feature(
        "popup_with_a_worker",
        "same(await wordOfPopup('popup.html'), 'hello')",
        files={
            "worker.js": "postMessage('hello')",
            "popup.html": page("opener.postMessage(await message(new Worker('worker.js')), '*')"),
        },
    ),
    Feature(
        "popup_leaves_its_opener_visible",
        """
        same(await wordOfPopup('popup.html'), 'here');
        await until(() => document.visibilityState === 'visible');
        await nextFrame();
        """,
        files={"popup.html": page("opener.postMessage('here')")},
    ),
)
