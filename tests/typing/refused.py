"""Users' code that both type checkers must refuse."""

from __future__ import annotations

from tests.typing.cases import Refused

# Above each: its name, and the faults that mypy finds, then those that pyright finds.
REFUSED = Refused.read("""
# a_typo_in_an_enum -> arg-type; reportArgumentType
await session.send(page.CaptureScreenshot(format="pngg"))

# any_text_for_an_enum -> arg-type; reportArgumentType
await session.send(page.CaptureScreenshot(format=str(1)))

# a_wrong_id_type -> arg-type; reportArgumentType
await session.send(target.AttachToTarget(target_id=dom.NodeId(7)))

# an_id_of_another_kind_with_the_same_base -> arg-type; reportArgumentType
await session.send(runtime.ReleaseObject(object_id=page.FrameId("x")))

# a_plain_string_for_an_id -> arg-type; reportArgumentType
await session.send(target.CloseTarget(target_id="x"))

# a_missing_required_parameter -> call-arg; reportCallIssue
await session.send(page.Navigate())

# an_unknown_parameter -> call-arg; reportCallIssue
await session.send(page.Navigate(url="x", refferer="y"))

# a_parameter_by_position -> call-arg; reportCallIssue
await session.send(page.Navigate("x"))

# null_for_a_parameter_that_is_required -> arg-type; reportArgumentType
await session.send(page.Navigate(url=None))

# none_of_the_types_of_a_stream_is_a_command -> type-var; reportCallIssue reportArgumentType
async with session.events(page.FrameAttached, page.Navigate):
    pass

# a_typo_in_a_field_of_the_result -> attr-defined; reportAttributeAccessIssue
result = await session.send(page.Navigate(url="x"))
print(result.loaderId)

# a_change_to_a_command -> misc; reportAttributeAccessIssue
command = page.Navigate(url="x")
command.url = "y"

# a_received_array_that_is_changed -> attr-defined; reportAttributeAccessIssue
async with session.expect(runtime.ConsoleAPICalled, timeout=1) as call:
    pass
call.value.args.clear()

# an_event_sent_as_a_command -> arg-type; reportArgumentType
await session.send(runtime.ExecutionContextsCleared())

# a_command_awaited_as_an_event -> type-var; reportArgumentType
async with session.expect(page.Navigate, timeout=1):
    pass

# a_forgotten_await -> unused-coroutine; reportUnusedCoroutine
session.send(page.Navigate(url="x"))

# a_result_that_may_be_absent_taken_for_granted -> union-attr; reportOptionalMemberAccess
result = await session.send(page.Navigate(url="x"))
print(result.error_text.upper())

# a_result_of_a_command_that_has_none -> func-returns-value attr-defined; reportAttributeAccessIssue
nothing = await session.send(page.Enable())
print(nothing.frame_id)

# an_open_value_sent_back_unchecked -> arg-type; reportArgumentType
event = await anext(session.events(fetch.RequestPaused))
await session.send(fetch.FailRequest(request_id=event.request_id, error_reason=event.resource_type))

# two_ids_of_one_node_mixed_up -> arg-type; reportArgumentType
root = (await session.send(dom.GetDocument())).root
await session.send(dom.GetOuterHTML(node_id=root.backend_node_id))

# request_ids_of_two_domains_mixed_up -> arg-type; reportArgumentType
event = await anext(session.events(network.RequestWillBeSent))
await session.send(fetch.ContinueRequest(request_id=event.request_id))

# a_typo_in_a_field_of_an_event -> attr-defined; reportAttributeAccessIssue
async with session.events(page.FrameDetached) as events:
    print((await anext(events)).frameId)

# a_field_that_only_one_of_two_events_has -> union-attr; reportAttributeAccessIssue
async with session.events(page.FrameDetached, page.FrameNavigated) as events:
    print((await anext(events)).reason)

# a_callback_for_another_event -> arg-type; reportArgumentType
def heard(session_id: str | None, event: page.FrameAttached) -> None: ...

session.listen(heard, page.FrameDetached)

# a_predicate_about_another_event -> arg-type; reportArgumentType
def is_top(event: page.FrameDetached) -> bool:
    return True

async with session.expect(page.FrameNavigated, is_top):
    pass

# a_misspelt_name_of_the_package -> attr-defined; reportAttributeAccessIssue
import cdp_typed

print(cdp_typed.Conection)

# a_misspelt_name_of_a_domain -> attr-defined; reportAttributeAccessIssue
print(page.Navigat)

# a_change_to_an_event -> misc; reportAttributeAccessIssue
async with session.events(page.FrameDetached) as events:
    (await anext(events)).reason = "swap"

# a_deadline_that_is_text -> arg-type; reportArgumentType
await session.send(page.Enable(), timeout="5")

# an_overflow_policy_that_does_not_exist -> call-overload; reportCallIssue reportArgumentType
async with session.events(page.FrameDetached, overflow="drop"):
    pass

# an_option_of_connect_that_does_not_exist_without_async -> call-arg; reportCallIssue
connect_sync("http://127.0.0.1:9222", comand_timeout=5)

# a_deprecated_command -> ; reportDeprecated
await session.send(page.AddScriptToEvaluateOnLoad(script_source="1"))
""")
