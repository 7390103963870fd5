"""Commands with their results, and events, as source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.emit.fields import Scope, Text, accepted_ref, fields, inline_enums, join, named, reference
from codegen.emit.source_text import Import, class_constant, class_head, decorator, docstring, quote, source
from codegen.model import Command, Domain, Event
from codegen.names import class_name, field_name, module_name
from codegen.plan import Plan, result_name

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ADVICE = re.compile(r"deprecated\b(?!\.)|^(please |consider )?us(e|ing) |\binstead\b", re.IGNORECASE)


def commands_module(plan: Plan, domain: Domain, version: str) -> str:
    """Return `_commands/<domain>.py`."""
    scope = Scope(plan, domain.domain, "commands")
    aliases = [
        text
        for command in domain.commands
        for text in (
            *inline_enums(class_name(command.name), command.parameters),
            *inline_enums(result_name(command.name), command.returns),
        )
    ]
    classes = [command_text(command, scope, domain) for command in domain.commands]
    return _module("commands", domain, aliases, classes, version)


def events_module(plan: Plan, domain: Domain, version: str) -> str:
    """Return `_events/<domain>.py`."""
    scope = Scope(plan, domain.domain, "events")
    aliases = [text for event in domain.events for text in inline_enums(class_name(event.name), event.parameters)]
    classes = [event_text(event, scope, domain) for event in domain.events]
    return _module("events", domain, aliases, classes, version)


def _module(kind: str, domain: Domain, aliases: list[Text], classes: list[Text], version: str) -> str:
    body = join([part for part in (join(aliases, "\n"), join(classes, "\n\n")) if part.code], "\n\n")
    doc = (
        f"The {kind} of the {domain.domain} domain; import them from `cdp_typed.protocol.{module_name(domain.domain)}`."
    )
    return source(version, doc, body.imports, body.code)


def command_text(command: Command, scope: Scope, domain: Domain) -> Text:
    """Return the class of a command, after that of its result, if it has one."""
    method = f"{domain.domain}.{command.name}"
    name, result = class_name(command.name), result_name(command.name)
    parts: list[Text] = []
    returned = kind = "None"
    if command.returns:
        returned, kind = result, f"ResultClass[{result}]"
        members = fields(command.returns, scope, owner=result, direction="output")
        head = class_head(result, "Struct", "frozen=True, kw_only=True, gc=False, omit_defaults=True")
        doc = docstring(f"The result of `{name}`. CDP: `{method}`.", "    ")
        imports = members.imports | {Import("msgspec", "Struct"), Import("cdp_typed._base", "ResultClass")}
        parts.append(Text(f"{head}{doc}\n{members.code}", imports))
    doc = _method_doc(command, method, domain, _redirect(command, scope.plan))
    head = class_head(
        name,
        f"Command[{returned}]",
        "frozen=True, kw_only=True" + (", omit_defaults=True" if command.parameters else ""),
    )
    # Annotated, so that no type checker has to infer what a user of the installed package sees.
    constants = _wire_name(method) + class_constant("RESULT", kind, returned)
    members = fields(command.parameters, scope, owner=name, direction="input")
    members = join([members, *_conversions(command, scope)])
    parts.append(_finish(command, method, domain, f"{head}{doc}\n{constants}", members, "Command"))
    return join(parts, "\n\n")


def _conversions(command: Command, scope: Scope) -> Iterator[Text]:
    """Yield the method that makes parameters of what results gave, where the command takes such."""
    for item in command.parameters:
        if item.items is not None and item.items.ref is not None and accepted_ref(item, scope):
            wanted = reference(item.items.ref, scope)
            call = f"as_params(self, {quote(field_name(item.name))}, {wanted.code})"
            code = f"\n    def __post_init__(self) -> None:\n        {call}\n"
            yield Text(code, wanted.imports | {Import("cdp_typed._base", "as_params")})


def event_text(event: Event, scope: Scope, domain: Domain) -> Text:
    """Return the class of an event."""
    method = f"{domain.domain}.{event.name}"
    name = class_name(event.name)
    members = fields(event.parameters, scope, owner=name, direction="output")
    head = class_head(name, "Event", "frozen=True, kw_only=True")
    code = f"{head}{_method_doc(event, method, domain, '')}\n{_wire_name(method)}"
    return _finish(event, method, domain, code, members, "Event")


def _wire_name(method: str) -> str:
    return class_constant("METHOD", "str", quote(method))


def _redirect(command: Command, plan: Plan) -> str:
    """Return the sentence about a command's `redirect`; upstream has one whose target does not exist any more."""
    if command.redirect is None:
        return ""
    target = plan.domain(command.redirect)
    if any(other.name == command.name for other in target.commands):
        return f"Redirects to `{target.domain}.{command.name}`."
    return f"Redirects to `{target.domain}`, which has no command of this name."


def deprecation(item: Command | Event, method: str, domain: Domain) -> str:
    """Return the message of a deprecated method for type checkers, with upstream's advice; else an empty text."""
    if not (item.deprecated or domain.deprecated):
        return ""
    sentences = _SENTENCE.split(" ".join(item.description.split()))
    advice = [sentence for sentence in sentences if _ADVICE.search(sentence)]
    what = method if item.deprecated else f"{method}: the domain {domain.domain}"
    return " ".join([f"{what} is deprecated in the protocol.", *advice])


def _finish(item: Command | Event, method: str, domain: Domain, code: str, members: Text, base: str) -> Text:
    imports = members.imports | {Import("cdp_typed._base", base), Import("typing", "ClassVar")}
    if message := deprecation(item, method, domain):
        code = decorator("deprecated", quote(message)) + code
        imports |= {Import("cdp_typed._base", "deprecated")}
    return Text(code + ("\n" + members.code if members.code else ""), imports)


def _method_doc(item: Command | Event, method: str, domain: Domain, note: str) -> str:
    experimental, deprecated = item.experimental or domain.experimental, item.deprecated or domain.deprecated
    return docstring(
        named(item.description, method, experimental=experimental, deprecated=deprecated, note=note), "    "
    )
