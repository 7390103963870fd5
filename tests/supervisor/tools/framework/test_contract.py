"""The contract that every registered tool keeps."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it comes without types
import mcp.types
import pytest
from _pytest.mark import ParameterSet
from msgspec import Struct
from msgspec.structs import fields, replace

from cdp_typed.wire.json_text import is_object
from supervisor import BlockedByDialog, CDPSupervisor, Config, SupervisorRegistry
from supervisor.tools import CATALOGUE, Catalogue, Tool, Toolbox, ToolContext
from supervisor.tools.framework.schemas import FORMS, Form, output
from supervisor.tools.page.outline import outline
from tests.supervisor.tools.conftest import running_in
from tests.supervisor.tools.samples import NEEDS_MORE, REAL_BROWSER_ONLY, SAMPLES, sample
from tests.support.stages.layout import give_layout
from tests.support.stages.stages import Stage, open_page, raise_stage

TOOLS = sorted(CATALOGUE, key=lambda tool: tool.name)
JSON_SCHEMA: Any = jsonschema.Draft202012Validator
EVERY_TOOL = pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])


def on_stages() -> list[ParameterSet]:
    """Each tool on the mock and on Chromium; those that the mock cannot play on Chromium alone."""
    return [
        pytest.param(stage, tool, id=f"{stage}-{tool.name}")
        for stage in ("mock", "chromium")
        for tool in TOOLS
        if stage != "mock" or tool.name not in REAL_BROWSER_ONLY
    ]


EVERY_TOOL_ON_STAGES = pytest.mark.parametrize(("place", "tool"), on_stages(), indirect=["place"])

NOWHERE = Config(cdp_url="ws://127.0.0.1:9", watch_requests=True)
"""A closed port, which nothing gets as far as. Every gate is open."""

PATIENCE_S = 300.0
"""Every deadline, and five times what pytest gives a test: none that runs out can be why a call ended."""


class Place:
    """One browser, and its supervisor, for all tools of a stage: each begins on a page of its own."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.registry = SupervisorRegistry()
        config = Config(cdp_url=stage.cdp_url, call_timeout_s=PATIENCE_S, watch_requests=True)
        self.box = Toolbox(config, registry=self.registry, toolsets="all", timeout_s=PATIENCE_S)
        self.blocked_s: dict[str, float] = {}
        """The duration of each tool that met an open dialog."""

    def begin(self) -> CDPSupervisor:
        """The page with two frames, after another one, without a dialog."""
        self.call("browser_snapshot", {})
        supervisor = running_in(self.registry)
        for dialog in supervisor.snapshot().pending_dialogs:
            supervisor.respond_to_dialog("dismiss", dialog_id=dialog.id)
        open_page(supervisor, f"{self.stage.own}/plain")
        open_page(supervisor, f"{self.stage.own}/frames")
        return supervisor

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result, which is ASCII and agrees with the tool's output schema."""
        text = self.box.dispatch(name, dict(arguments))
        assert text.isascii()
        payload = json.loads(text)
        tool = CATALOGUE.get(name)
        assert tool is not None
        validate(payload, output(tool))
        return dict(payload)


def validate(payload: object, schema: Mapping[str, Any]) -> None:
    JSON_SCHEMA(schema).validate(payload)


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A stage for all tests of this file. Files that tools write do not go into the user's home."""
    with pytest.MonkeyPatch.context() as patch, raise_stage(request.param, omnibox=True) as stage:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        give_layout(stage)
        place = Place(stage)
        yield place
        place.registry.stop_all()
    slowest = max(place.blocked_s.items(), key=lambda item: item[1], default=("no tool", 0.0))
    sys.stdout.write(f"{stage.kind}: with a dialog open, {slowest[0]} took longest: {slowest[1]:.3f} s\n")


def test_a_tool_that_can_write_a_file_does_not_say_that_it_only_reads() -> None:
    of_files = {"path", "files", "saved", "save", "name"}
    names = {tool.name: {field.name for field in (*fields(tool.arguments), *fields(tool.result))} for tool in TOOLS}

    assert [tool.name for tool in TOOLS if tool.reads_only and names[tool.name] & of_files] == []


def test_every_tool_has_one_sample_and_another_is_refused_with_the_place_for_it() -> None:
    assert {*SAMPLES, *REAL_BROWSER_ONLY} == {tool.name for tool in TOOLS}
    assert SAMPLES.keys() & REAL_BROWSER_ONLY.keys() == set()
    with pytest.raises(LookupError, match=r"browser_new: add them to SAMPLES in tests/supervisor/tools/samples\.py"):
        sample("browser_new")


@EVERY_TOOL_ON_STAGES
def test_it_works_and_its_result_agrees_with_its_schema(place: Place, tool: Tool) -> None:
    place.begin()

    payload = place.call(tool.name, sample(tool.name))

    assert payload.get("error_type") == NEEDS_MORE.get(tool.name), payload
    assert "pending_dialogs" not in payload or payload["pending_dialogs"] == []


@EVERY_TOOL_ON_STAGES
def test_with_a_dialog_open_it_works_or_is_blocked_at_once_by_an_event_with_no_deadline_near(
    place: Place, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seconds would say how busy the machine is; what waits for a timer does not end here at all."""
    monkeypatch.setattr(outline, "__kwdefaults__", {"frame_timeout_s": PATIENCE_S})
    supervisor = place.begin()
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("confirm('stay?')")
    patient = {"timeout": PATIENCE_S} if "timeout" in tool.arguments.__struct_fields__ else {}
    began = time.monotonic()

    payload = place.call(tool.name, {**sample(tool.name), **patient})

    place.blocked_s[tool.name] = time.monotonic() - began
    if tool.works_during_dialog:
        assert payload.get("error_type") in (None, NEEDS_MORE.get(tool.name))
    else:
        assert payload["blocked_by_dialog"] == payload["pending_dialogs"][0]["id"]
    still_open = bool(supervisor.snapshot().pending_dialogs)
    assert still_open == (tool.name != "browser_dialog")
    if still_open:
        assert [dialog["message"] for dialog in payload["pending_dialogs"]] == ["stay?"]
        assert any(path.startswith("pending_dialogs") for path in payload["untrusted"])


@EVERY_TOOL
def test_without_an_endpoint_it_is_hidden_and_says_so(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CDP_SUPERVISOR_CDP_URL", raising=False)
    box = Toolbox(registry=SupervisorRegistry(), toolsets="all")

    payload = json.loads(box.dispatch(tool.name, dict(sample(tool.name))))

    assert tool.name not in {known.name for known in box.available()}
    assert payload == {
        "success": False,
        "error": f"{tool.name} is not available: no browser endpoint is configured",
        "error_type": "ToolUnavailable",
    }


@EVERY_TOOL
def test_a_wrong_argument_is_named(tool: Tool) -> None:
    box = Toolbox(NOWHERE, registry=SupervisorRegistry(), toolsets="all")
    names = [field.encode_name for field in fields(tool.arguments)]
    for name in names:
        nonsense: dict[str, Any] = {**sample(tool.name), name: [{"no": ["such"]}, [1]]}
        payload = json.loads(box.dispatch(tool.name, nonsense))
        assert (payload["error_type"], payload["argument"]) == ("InvalidArgument", name)
        assert f"argument {name!r}: expected " in payload["error"]
    unknown = json.loads(box.dispatch(tool.name, {**sample(tool.name), "no_such": 1}))
    assert (unknown["error_type"], unknown["argument"]) == ("InvalidArgument", "no_such")
    for name in [field.encode_name for field in fields(tool.arguments) if field.required]:
        rest = {key: value for key, value in sample(tool.name).items() if key != name}
        missing = json.loads(box.dispatch(tool.name, rest))
        assert missing["error"].startswith(f"argument {name!r}: missing; expected ")


@EVERY_TOOL_ON_STAGES
def test_a_handler_that_raises_gives_well_formed_json(place: Place, tool: Tool) -> None:
    async def raises(context: ToolContext, arguments: Struct) -> Struct:
        raise KeyError("<script>\u202e\ud800")

    catalogue = Catalogue()
    catalogue.register(replace(tool, handler=raises))
    config = Config(cdp_url=place.stage.cdp_url, call_timeout_s=10, watch_requests=True)
    box = Toolbox(config, registry=place.registry, toolsets="all", catalogue=catalogue)

    payload = json.loads(box.dispatch(tool.name, dict(sample(tool.name))))

    validate(payload, output(tool))
    assert payload["error"] == "The tool failed with KeyError; see page_error."
    assert payload["page_error"] == "'<script>\\u202e\\ud800'"


# A description would only repeat the name, and each costs a model's context in every request. `browser_click` says what
# a ref is; the members of fields and steps are described.
SELF_EXPLANATORY = {
    "delta_y", "fields", "forced_colors", "height", "landscape", "locale", "method", "reduced_motion", "ref", "status",
    "steps", "touch", "user_agent", "width", "y",
}  # fmt: skip


@EVERY_TOOL
def test_its_schemas_are_valid_in_every_form(tool: Tool) -> None:
    box = Toolbox(NOWHERE, registry=SupervisorRegistry(), toolsets=[tool.name])
    (openai,), (responses,), (anthropic,), (gemini,), (for_mcp,) = (
        box.definitions(form, structured=True) for form in FORMS
    )

    assert openai["function"]["strict"] is True
    assert_strict(openai["function"]["parameters"])
    assert responses == {"type": "function", **openai["function"]}
    assert_gemini(gemini)
    JSON_SCHEMA.check_schema(anthropic["input_schema"])
    validate(dict(sample(tool.name)), anthropic["input_schema"])
    JSON_SCHEMA.check_schema(for_mcp["outputSchema"])
    assert "outputSchema" not in box.definitions("mcp")[0]
    assert mcp.types.Tool.model_validate(for_mcp).name == tool.name
    assert {openai["function"]["name"], anthropic["name"], gemini["name"]} == {tool.name}
    for name, described in anthropic["input_schema"]["properties"].items():
        assert described.get("description") or "enum" in described or name in SELF_EXPLANATORY, (
            f"{name} is not described"
        )
    # Changes and pages are shown to those who ask.
    assert anthropic["input_schema"]["properties"].get("snapshot", {}).get("default", False) is False


@EVERY_TOOL
@pytest.mark.parametrize("form", ["openai", "gemini", "mcp"])
def test_the_description_of_an_argument_has_its_default_and_its_bounds(tool: Tool, form: Form) -> None:
    """Strict mode and Gemini have no fields for them, and some hosts of MCP leave these out."""
    box = Toolbox(NOWHERE, registry=SupervisorRegistry(), toolsets=[tool.name])
    (plain,), (definition,) = box.definitions("anthropic"), box.definitions(form)
    inner = definition.get("function", definition)
    described = inner.get("parameters", inner.get("inputSchema", {})).get("properties", {})

    for name, field in plain["input_schema"]["properties"].items():
        least, most = field.get("minimum"), field.get("maximum", field.get("maxItems"))
        limits = {least, most, *([] if field.get("default") in ("", False) else [field.get("default")])} - {None}
        told = described[name].get("description", "")
        for limit in limits:
            assert (limit if isinstance(limit, str) else f"{limit:.9g}" if limit is not True else "true") in told, name


@EVERY_TOOL
def test_what_asks_for_the_rest_comes_before_what_may_be_long(tool: Tool) -> None:
    """Hosts cut the middle or the end of a long result."""
    places = {name: place for place, name in enumerate(tool.result.__struct_fields__)}
    for rest in {"cursor", "lines_left", "parts"} & places.keys():
        for long in {"page", "messages", "markdown"} & places.keys():
            assert places[rest] < places[long]


def assert_gemini(declaration: Mapping[str, Any]) -> None:
    """What Gemini takes of a schema: one type for a value, texts alone in an enumeration, no empty object."""

    def check(schema: Mapping[str, Any]) -> None:
        known = {"type", "description", "nullable", "enum", "items", "properties", "required", "anyOf"}
        assert schema.keys() <= known
        assert ("type" in schema) != ("anyOf" in schema)
        assert schema.get("type") in (None, "STRING", "INTEGER", "NUMBER", "BOOLEAN", "ARRAY", "OBJECT")
        assert ("items" in schema) == (schema.get("type") == "ARRAY")
        assert bool(schema.get("properties")) == (schema.get("type") == "OBJECT")
        assert all(isinstance(choice, str) for choice in schema.get("enum", ()))
        for inner in [
            *schema.get("anyOf", ()),
            *schema.get("properties", {}).values(),
            *filter(None, [schema.get("items")]),
        ]:
            check(inner)

    assert declaration.keys() <= {"name", "description", "parameters"}
    if "parameters" in declaration:
        check(declaration["parameters"])


def assert_strict(schema: Mapping[str, Any]) -> None:
    """The requirements of OpenAI's strict mode on a schema."""
    allowed = {"type", "properties", "required", "additionalProperties", "description", "enum", "items", "anyOf"}
    assert set(schema) <= allowed
    assert "type" in schema or "anyOf" in schema
    if schema.get("type") == "object":
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
    for part in [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items")]:
        if is_object(part):
            assert_strict(part)
