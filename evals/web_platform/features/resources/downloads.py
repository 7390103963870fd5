"""Downloads. Scripts cannot read their result, so the files that arrived are compared at the end of a run."""

from __future__ import annotations

from evals.web_platform.feature import Feature
from tests.support.servers.sites import Response


def stay(disposition: str, body: str = "content") -> Response:
    return Response(body, headers={"Content-Type": "application/octet-stream", "Content-Disposition": disposition})


FEATURES = (
    Feature(
        "download_of_a_link",
        """
        await loaded();
        element('a', {href: 'file', download: 'of-a-link.txt'}).click();
        const request = await Promise.race([requested('file'), sleep(3000)]);
        await sleep(50);
        tell([request ? 'requested' : 'not requested', location.pathname.endsWith('/')]);
        """,
        files={"file": "content"},
    ),
    Feature(
        "download_of_a_blob",
        """
        await loaded();
        const href = URL.createObjectURL(new Blob(['content']));
        element('a', {href, download: 'of-a-blob.txt'}).click();
        await sleep(50);
        """,
    ),
    Feature(
        "download_of_a_navigation",
        """
        await loaded();
        location.href = 'file';
        await requested('file');
        await sleep(50);
        same(location.pathname.endsWith('/'), true);
        """,
        files={"file": stay('attachment; filename="of-a-navigation.txt"')},
    ),
    Feature(
        "download_in_a_frame",
        """
        const inner = attach({src: elsewhere('file')});
        await requested('file');
        await sleep(50);
        same(inner.contentWindow.length, 0);
        """,
        files={"file": stay('attachment; filename="of-a-frame.txt"')},
    ),
)
