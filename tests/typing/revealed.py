"""Types that both type checkers must infer in users' code."""

from __future__ import annotations

from tests.typing.cases import Revealed

# Above each: its name, and the types in their order; those of pyright where it prints them in another way.
REVEALED = Revealed.read("""
# the_result_of_a_command -> NavigateResult
reveal_type(await session.send(page.Navigate(url="x")))

# through_the_whole_chain -> NavigateResult
async with connect("http://127.0.0.1:9222") as browser, browser.new_page() as tab:
    reveal_type(await tab.send(page.Navigate(url="x")))

# a_value_of_a_script_with_its_type -> list[str]
from cdp_typed.helpers import js
reveal_type(await js(session, "Array.from(document.links, link => link.href)", type=list[str]))

# a_command_without_a_result -> None
reveal_type(await session.send(page.Enable()))

# the_fields_of_a_result -> FrameId; str | None
result = await session.send(page.Navigate(url="x"))
reveal_type(result.frame_id)
reveal_type(result.error_text)

# a_stream_of_two_events -> JavascriptDialogOpening | JavascriptDialogClosed
async with session.events(page.JavascriptDialogOpening, page.JavascriptDialogClosed) as dialogs:
    async for event in dialogs:
        reveal_type(event)

# an_enum_from_the_browser_is_open -> Literal['alert'] | Literal['confirm'] | Literal['prompt'] |
#   Literal['beforeunload'] | UnlistedValue
# pyright -> UnlistedValue | Literal['alert', 'confirm', 'prompt', 'beforeunload']
async with session.events(page.JavascriptDialogOpening) as dialogs:
    async for event in dialogs:
        reveal_type(event.type)

# an_enum_of_a_result_goes_into_a_command -> SetCookie; RequestPattern
for cookie in (await session.send(network.GetCookies())).cookies:
    reveal_type(
        network.SetCookie(
            name=cookie.name,
            value=cookie.value,
            same_site=cookie.same_site,
            priority=cookie.priority,
            source_scheme=cookie.source_scheme,
        )
    )
async with session.events(fetch.RequestPaused) as requests:
    async for event in requests:
        reveal_type(fetch.RequestPattern(resource_type=event.resource_type))
        if event.response_error_reason is not None:
            fetch.FailRequest(request_id=event.request_id, error_reason=event.response_error_reason)

# a_value_that_the_bindings_do_not_list_can_be_sent_and_compared_with -> CaptureScreenshot; bool
reveal_type(page.CaptureScreenshot(format=UnlistedValue("avif")))
async with session.events(page.JavascriptDialogOpening) as dialogs:
    async for event in dialogs:
        reveal_type(event.type == "a newer one")

# an_id_is_a_type_of_its_own -> FrameId
reveal_type(page.FrameId("x"))

# a_result_on_the_browser_and_on_a_session -> str; GetVersionResult; GetFrameTreeResult
reveal_type((await connection.send(browser.GetVersion())).product)
reveal_type(await connection.root.send(browser.GetVersion()))
reveal_type(await connection.send(page.GetFrameTree(), session_id=session.session_id))

# a_future_of_a_result -> Future[None]; GetFrameTreeResult
reveal_type(session.send_nowait(page.Reload()))
reveal_type(await session.send_nowait(page.GetFrameTree()))

# several_commands_at_once -> GetFrameTreeResult; GetDocumentResult; tuple[GetDocumentResult, ...]
first, second = await session.send_many((page.GetFrameTree(), dom.GetDocument()))
reveal_type(first)
reveal_type(second)
reveal_type(await session.send_many([dom.GetDocument(), dom.GetDocument()]))

# a_method_that_the_bindings_do_not_know -> dict[str, Any]
reveal_type(await session.send_raw("Telepathy.read", {"depth": 1}))

# a_function_of_the_users_own_that_takes_any_command -> tuple[GetFrameTreeResult, GetFrameTreeResult]
async def twice(command: Command[R]) -> tuple[R, R]:
    return await session.send(command), await session.send(command)

reveal_type(await twice(page.GetFrameTree()))

# a_stream_of_one_event -> EventStream[ResponseReceived]; int
async with session.events(network.ResponseReceived, maxsize=10) as responses:
    reveal_type(responses)
    reveal_type((await anext(responses)).response.status)

# a_stream_of_three_events_told_apart -> FrameId; FrameId; str
async with session.events(page.FrameNavigated, page.FrameDetached, UnknownEvent) as events:
    async for event in events:
        match event:
            case page.FrameNavigated():
                reveal_type(event.frame.id)
            case page.FrameDetached():
                reveal_type(event.frame_id)
            case UnknownEvent():
                reveal_type(event.method)
            case _:
                assert_never(event)

# a_stream_of_all_events -> Event
async with connection.events() as events:
    reveal_type(await anext(events))

# an_event_that_is_expected -> FrameNavigated; str
async with session.expect(page.FrameNavigated, lambda event: event.frame.parent_id is None) as expected:
    reveal_type(await expected)
reveal_type(expected.value.frame.url)

# a_callback_for_two_events -> FrameId; Subscription
def heard(session_id: str | None, event: page.FrameAttached | page.FrameDetached) -> None:
    reveal_type(event.frame_id)

reveal_type(session.listen(heard, page.FrameAttached, page.FrameDetached))

# a_part_of_a_result_that_may_be_absent -> ExceptionDetails | None; RemoteObjectId | None; str
result = await session.send(runtime.Evaluate(expression="1"))
reveal_type(result.exception_details)
reveal_type(result.result.object_id)
if result.exception_details is not None:
    reveal_type(result.exception_details.text)

# a_value_of_the_page_is_anything -> Any
reveal_type((await session.send(runtime.Evaluate(expression="1"))).result.value)

# arrays_and_nested_types -> tuple[Cookie, ...]; float; tuple[FrameTree, ...] | None
cookies = (await session.send(network.GetCookies())).cookies
reveal_type(cookies)
reveal_type(cookies[0].expires)
children = (await session.send(page.GetFrameTree())).frame_tree.child_frames
reveal_type(children)

# ids_are_strings_and_numbers_where_those_are_wanted -> NodeId; int; str
document = await session.send(dom.GetDocument())
reveal_type(document.root.node_id)
reveal_type(document.root.node_id + 1)
reveal_type(session.target_id.lower())
await session.send(target.CloseTarget(target_id=session.target_id))

# bytes_of_a_binary_field -> bytes
reveal_type(base64_bytes((await session.send(page.CaptureScreenshot(format="png"))).data))

# errors_tell_what_was_wrong -> int; str | None; str
try:
    await session.send(page.Enable())
except CommandError as error:
    reveal_type(error.code)
    reveal_type(error.session)
except ConnectionLost as error:
    reveal_type(error.reason)

# what_a_class_says_of_itself -> str; str; type[NavigateResult]; None
reveal_type(page.FrameNavigated.METHOD)
reveal_type(page.Navigate.METHOD)
reveal_type(page.Navigate.RESULT)
reveal_type(page.Enable.RESULT)

# what_was_seen_on_the_wire -> str; int; tuple[Session, ...]
reveal_type(connection.drift[0].path)
reveal_type(connection.counters.late_replies)
reveal_type(connection.sessions)

# a_program_that_is_not_async -> NavigateResult; FrameNavigated | FrameDetached; float
with connect_sync("http://127.0.0.1:9222", command_timeout=5) as browser, browser.new_page() as tab:
    reveal_type(tab.send(page.Navigate(url="x")))
    with tab.events(page.FrameNavigated, page.FrameDetached) as events:
        for event in events:
            reveal_type(event)
    with tab.expect(page.LoadEventFired) as load:
        pass
    reveal_type(load.value.timestamp)

# a_program_that_is_not_async_and_is_called_back -> int; NavigateResult; NavigateResult
def hear(session_id: str | None, event: page.FrameNavigated | page.FrameDetached) -> None: ...

with connect_sync("http://127.0.0.1:9222") as browser, browser.auto_attach(enable=[page.Enable()]) as attached:
    reveal_type(browser.listen(hear, page.FrameNavigated, page.FrameDetached).dropped)
    reveal_type(browser.send_nowait(page.Navigate(url="x")).result(5))
    reveal_type(attached.sessions[0].send_many((page.Navigate(url="x"), page.Enable()))[0])

# a_stream_of_five_events -> FrameAttached | FrameDetached | FrameNavigated | FrameStartedLoading |
#   FrameStoppedLoading
async with session.events(
    page.FrameAttached, page.FrameDetached, page.FrameNavigated,
    page.FrameStartedLoading, page.FrameStoppedLoading,
) as events:
    reveal_type(await anext(events))

# a_stream_of_eight_events -> FrameAttached | FrameDetached | FrameNavigated | FrameStartedLoading |
#   FrameStoppedLoading | LoadEventFired | DomContentEventFired | LifecycleEvent
async with session.events(
    page.FrameAttached, page.FrameDetached, page.FrameNavigated, page.FrameStartedLoading,
    page.FrameStoppedLoading, page.LoadEventFired, page.DomContentEventFired, page.LifecycleEvent,
) as events:
    reveal_type(await anext(events))

# a_stream_of_ten_events -> FrameAttached | FrameDetached | FrameNavigated | FrameStartedLoading |
#   FrameStoppedLoading | LoadEventFired | DomContentEventFired | LifecycleEvent | Event
# pyright -> FrameAttached | FrameDetached | FrameNavigated | FrameStartedLoading | FrameStoppedLoading |
#   LoadEventFired | DomContentEventFired | LifecycleEvent | WindowOpen | JavascriptDialogOpening
async with session.events(
    page.FrameAttached, page.FrameDetached, page.FrameNavigated, page.FrameStartedLoading,
    page.FrameStoppedLoading, page.LoadEventFired, page.DomContentEventFired, page.LifecycleEvent,
    page.WindowOpen, page.JavascriptDialogOpening,
) as events:
    reveal_type(await anext(events))

# six_commands_at_once -> tuple[None, GetFrameTreeResult, GetDocumentResult, None, NavigateResult, EvaluateResult]
reveal_type(
    await session.send_many((
        page.Enable(), page.GetFrameTree(), dom.GetDocument(), page.Enable(), page.Navigate(url="x"),
        runtime.Evaluate(expression="1"),
    ))
)

# ten_commands_at_once -> tuple[None, GetFrameTreeResult, None, None, None, None, None, NavigateResult,
#   *tuple[GetDocumentResult, ...]]
many = (
    page.Enable(), page.GetFrameTree(), page.Enable(), page.Enable(), page.Enable(), page.Enable(),
    page.Enable(), page.Navigate(url="x"), dom.GetDocument(), dom.GetDocument(),
)
reveal_type(await session.send_many(many))

# headers_of_an_event_put_into_a_command -> ContinueResponse
async with session.events(fetch.RequestPaused) as paused:
    event = await anext(paused)
reveal_type(
    fetch.ContinueResponse(
        request_id=event.request_id,
        response_code=event.response_status_code,
        response_phrase=event.response_status_text,
        response_headers=event.response_headers,
    )
)

# cookies_put_back -> SetCookies; SetCookies; SetCookies
cookies = (await session.send(network.GetCookies())).cookies
reveal_type(network.SetCookies(cookies=cookies))
reveal_type(storage.SetCookies(cookies=cookies))
reveal_type(network.SetCookies(cookies=[network.CookieParam(name="a", value="b", path=None)]))

# a_parameter_that_is_left_out -> Navigate; CallArgument
referrer = "x" if connection.closed else UNSET
reveal_type(page.Navigate(url="x", referrer=referrer, transition_type=None, frame_id=UNSET))
reveal_type(runtime.CallArgument(value=UNSET))
""")
