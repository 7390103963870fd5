"""`dialog`: the next dialog that opens, answered."""

from __future__ import annotations

import argparse
from typing import get_args

from cdp_typed.cli.arguments import seconds
from cdp_typed.cli.output import json_text, plain, write
from supervisor.cli.arguments import Failed, add_browser, browser_of, new_parser, settings_of, warn
from supervisor.core.vocabulary.values import DialogAction, DialogType, PendingDialog, SupervisorSnapshot
from supervisor.facade import CDPSupervisor


def run(arguments: list[str]) -> int:
    """Wait for a dialog, answer it, print the receipt."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with browser_of(options) as url, CDPSupervisor(url, **settings_of(options)).start(options.timeout) as supervisor:
        dialog = wait_for_dialog(supervisor, options)
        receipt = supervisor.respond_to_dialog(options.action, options.text, dialog.id)
    write(json_text({"dialog": plain(dialog), "receipt": plain(receipt)}))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = new_parser(
        "dialog",
        "Wait for the next dialog, answer it (Page.handleJavaScriptDialog), and print it with the receipt.\n\n"
        "Chromium lets only a client answer that was listening when the dialog opened. So this cannot answer one that\n"
        "is open already: reload, navigate or close its page instead.",
        "dialog http://127.0.0.1:9222 accept --text Ada --type prompt --wait 60",
    )
    add_browser(parser)
    parser.add_argument("action", choices=get_args(DialogAction))
    parser.add_argument("--text", help="the answer to a prompt (default: the page's own)")
    parser.add_argument("--type", choices=get_args(DialogType), help="wait for one of this type")
    parser.add_argument(
        "--wait", type=seconds, metavar="SECONDS", default=30.0, help="how long to wait for it (default: 30)"
    )
    return parser


def wait_for_dialog(supervisor: CDPSupervisor, options: argparse.Namespace) -> PendingDialog:
    """The first dialog that can be answered and is of the wanted type. Raises `Failed` when none opens in time."""

    def wanted(now: SupervisorSnapshot) -> PendingDialog | None:
        fits = (dialog for dialog in now.pending_dialogs if dialog.answerable and options.type in (None, dialog.type))
        return next(fits, None)

    try:
        dialog = wanted(supervisor.wait_for(lambda now: wanted(now) is not None, timeout_s=options.wait))
    except TimeoutError:
        for page in supervisor.snapshot().pages:
            if page.status == "unresponsive":
                warn(f"page {page.target_id} does not respond: a dialog that opened earlier, or a long script")
        raise Failed(f"no dialog opened within {options.wait:g} s") from None
    assert dialog is not None
    return dialog
