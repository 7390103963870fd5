"""Elicitation: a confirm or prompt that stops a call is put before the person at the client."""

from __future__ import annotations

import secrets
from typing import Any, Literal

from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from cdp_typed.printable import in_quotes
from supervisor.cli.session_agent import SessionAgent
from supervisor.tools.framework.untrusted_text import is_plain_address

from .tool_calls import Context

KEY = "dialog"
MAX_OPEN = 100
"""Questions whose answer is still waited for; the oldest are given up first."""


class Questions:
    """Asks, and answers the dialog as the person says. A person who declines leaves it open, for the agent."""

    def __init__(self, agent: SessionAgent) -> None:
        self._agent = agent
        self._open: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}

    async def put(self, context: Context, payload: dict[str, Any]) -> dict[str, Any] | InputRequiredResult:
        """The payload of a call after a question, if there is one to ask; or the question itself."""
        dialog = _dialog(payload)
        if dialog is None or dialog["type"] not in ("confirm", "prompt") or not _can_ask(context):
            return payload
        form = _form(dialog)
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            reported = await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
            return await self._carry_out(payload, dialog, reported)
        state = secrets.token_urlsafe(16)
        while len(self._open) >= MAX_OPEN:
            self._open.pop(next(iter(self._open)))
        self._open[state] = payload, dialog
        return InputRequiredResult(input_requests={KEY: ElicitRequest(params=form)}, request_state=state)

    async def resume(self, params: CallToolRequestParams) -> dict[str, Any] | None:
        """Return the result of a call whose question was answered; None for a call that answers no question."""
        asked = self._open.pop(params.request_state or "", None)
        reported = (params.input_responses or {}).get(KEY)
        return (
            await self._carry_out(*asked, reported)
            if asked is not None and isinstance(reported, ElicitResult)
            else None
        )

    async def _carry_out(
        self, payload: dict[str, Any], dialog: dict[str, Any], reported: ElicitResult
    ) -> dict[str, Any]:
        content = reported.content or {}
        if reported.action != "accept" or content.get("answer") not in ("accept", "dismiss"):
            return {**payload, "user_answer": "none"}
        answer: Literal["accept", "dismiss"] = "accept" if content["answer"] == "accept" else "dismiss"
        wanted = {"action": answer, "prompt_text": content.get("text"), "dialog_id": dialog["id"]}
        receipt = await self._agent.call("browser_dialog", wanted)
        if not receipt["success"]:
            return {**payload, "user_answer": answer, "user_answer_error": receipt["error"]}
        now = {key: value for key, value in payload.items() if key not in ("pending_dialogs", "hint")}
        if "error" in now:
            now["error"] = f"A dialog ({dialog['type']}, {dialog['id']}) stopped the call. The user has answered it."
        for key in ("pending_dialogs", "user_input"):
            if key in receipt:
                now[key] = receipt[key]
        return {**now, "user_answer": answer}


def _dialog(payload: dict[str, Any]) -> dict[str, Any] | None:
    """The dialog that stopped a call, or was opened by it."""
    dialog_id = payload.get("blocked_by_dialog") or payload.get("opened_dialog")
    pending: list[dict[str, Any]] = payload.get("pending_dialogs", [])
    return next((dialog for dialog in pending if dialog["id"] == dialog_id), None)


def _can_ask(context: Context) -> bool:
    """Return True when the client can ask a person (capability `elicitation`)."""
    capabilities: ClientCapabilities | None = context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def _form(dialog: dict[str, Any]) -> ElicitRequestFormParams:
    """The page's own text is quoted, and named as such: the person has to know who is asking."""
    properties: dict[str, Any] = {
        "answer": {"type": "string", "enum": ["accept", "dismiss"], "description": "OK or Cancel"}
    }
    if dialog["type"] == "prompt":
        text = {"type": "string", "description": "The text to answer with"}
        properties["text"] = {**text, "default": dialog["default_prompt"]} if dialog.get("default_prompt") else text
    url, message = str(dialog["url"]), str(dialog["message"])
    return ElicitRequestFormParams(
        message=f"The page {url if is_plain_address(url) else in_quotes(url)} shows a {dialog['type']} dialog. "
        f"Its text, written by the page: {in_quotes(message, len(message) * 2)}",
        requested_schema={"type": "object", "properties": properties, "required": ["answer"]},
    )
