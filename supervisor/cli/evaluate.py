"""`eval`: JavaScript in a frame, whatever process it lives in."""

from __future__ import annotations

import argparse
import contextlib
from typing import get_args

from cdp_typed.cli.arguments import UsageError
from cdp_typed.cli.output import json_text, plain, write
from cdp_typed.printable import in_quotes
from supervisor.cli.arguments import Failed, add_browser, browser_of, new_parser, settings_of, warn
from supervisor.cli.startup import settled
from supervisor.core.vocabulary.errors import BlockedByDialog, DialogError
from supervisor.core.vocabulary.values import DialogAction, Evaluation, FrameInfo
from supervisor.facade import CDPSupervisor


def run(arguments: list[str]) -> int:
    """Print what the expression came to, as JSON."""
    parser = new_parser(
        "eval",
        "Evaluate JavaScript in a frame of the current page (Runtime.evaluate) and print the value as JSON.\n\n"
        "A dialog that the expression opens ends the command; as nobody could answer it afterwards, it is dismissed\n"
        "first, or answered as --dialog says.",
        "eval http://127.0.0.1:9222 document.title --frame payment",
    )
    add_browser(parser)
    parser.add_argument("expression", metavar="EXPR", help="JavaScript; a promise is awaited")
    parser.add_argument(
        "--frame", metavar="FRAME", help="its id, its name, or a part of its URL (default: the top page)"
    )
    parser.add_argument("--dialog", choices=get_args(DialogAction), default="dismiss", help="(default: dismiss)")
    parser.add_argument("--all", action="store_true", help="print where it ran and of which type the value is, too")
    options = parser.parse_args(arguments)
    with browser_of(options) as url, CDPSupervisor(url, **settings_of(options)).start(options.timeout) as supervisor:
        evaluation = _evaluate(supervisor, options)
    write(json_text(plain(evaluation) if options.all else _value(evaluation)))
    return 0


def _evaluate(supervisor: CDPSupervisor, options: argparse.Namespace) -> Evaluation:
    frame_id = _frame(supervisor, options.frame).frame_id if options.frame is not None else None
    try:
        return supervisor.evaluate(options.expression, frame_id, timeout_s=options.timeout)
    except BlockedByDialog as blocked:
        dialog = blocked.dialog
        # Somebody else may have answered it by now, which is as good.
        with contextlib.suppress(DialogError):
            receipt = supervisor.respond_to_dialog(options.dialog, None, dialog.id)
            warn(f"the {dialog.type} dialog was {'accepted' if receipt.accepted else 'dismissed'}")
        raise Failed(f"a dialog stopped the expression: {dialog.type} {in_quotes(dialog.message)}") from None


def _frame(supervisor: CDPSupervisor, wanted: str) -> FrameInfo:
    tree = settled(supervisor).frame_tree
    frames = (*([tree.top] if tree.top else []), *tree.children)
    for fits in (
        [frame for frame in frames if wanted == frame.frame_id],
        [frame for frame in frames if wanted == frame.name],
        [frame for frame in frames if wanted in frame.url],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise UsageError(f"{len(fits)} frames are meant by {wanted!r}; name one by its id: {_listed(fits)}")
    raise UsageError(f"no frame has the id or name {wanted!r}, or it in its URL; there are: {_listed(frames)}")


def _listed(frames: tuple[FrameInfo, ...] | list[FrameInfo]) -> str:
    return ", ".join(f"{frame.frame_id} ({in_quotes(frame.name or frame.url, 80)})" for frame in frames[:20])


def _value(evaluation: Evaluation) -> object:
    """The JSON value; for what JSON cannot hold, its description."""
    return (
        evaluation.value
        if evaluation.value is not None or evaluation.type in ("object", "undefined")
        else evaluation.description
    )
