"""Users' code that both type checkers must refuse."""

from __future__ import annotations

from tests.typing.cases import Refused

__all__ = ["REFUSED"]

REFUSED = (
    Refused(
        "a_typo_in_an_enum",
        'await session.send(page.CaptureScreenshot(format="pngg"))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "any_text_for_an_enum",
        "await session.send(page.CaptureScreenshot(format=str(1)))",
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_wrong_id_type",
        "await session.send(target.AttachToTarget(target_id=dom.NodeId(7)))",
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "an_id_of_another_kind_with_the_same_base",
        'await session.send(runtime.ReleaseObject(object_id=page.FrameId("x")))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_plain_string_for_an_id",
        'await session.send(target.CloseTarget(target_id="x"))',
        "arg-type",
        "reportArgumentType",
    ),
    Refused("a_missing_required_parameter", "await session.send(page.Navigate())", "call-arg", "reportCallIssue"),
    Refused(
        "an_unknown_parameter",
        'await session.send(page.Navigate(url="x", refferer="y"))',
        "call-arg",
        "reportCallIssue",
    ),
    Refused("a_parameter_by_position", 'await session.send(page.Navigate("x"))', "call-arg", "reportCallIssue"),
    Refused(
        "null_for_a_parameter_that_is_required",
        "await session.send(page.Navigate(url=None))",
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "none_of_the_types_of_a_stream_is_a_command",
        """
        async with session.events(page.FrameAttached, page.Navigate):
            pass
        """,
        "type-var",
        "reportCallIssue reportArgumentType",
    ),
    Refused(
        "a_typo_in_a_field_of_the_result",
        """
        result = await session.send(page.Navigate(url="x"))
        print(result.loaderId)
        """,
        "attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_change_to_a_command",
        """
        command = page.Navigate(url="x")
        command.url = "y"
        """,
        "misc",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_received_array_that_is_changed",
        """
        async with session.expect(runtime.ConsoleAPICalled, timeout=1) as call:
            pass
        call.value.args.clear()
        """,
        "attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "an_event_sent_as_a_command",
        "await session.send(runtime.ExecutionContextsCleared())",
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_command_awaited_as_an_event",
        """
        async with session.expect(page.Navigate, timeout=1):
            pass
        """,
        "type-var",
        "reportArgumentType",
    ),
    Refused(
        "a_forgotten_await",
        'session.send(page.Navigate(url="x"))',
        "unused-coroutine",
        "reportUnusedCoroutine",
    ),
    Refused(
        "a_result_that_may_be_absent_taken_for_granted",
        """
        result = await session.send(page.Navigate(url="x"))
        print(result.error_text.upper())
        """,
        "union-attr",
        "reportOptionalMemberAccess",
    ),
    Refused(
        "a_result_of_a_command_that_has_none",
        """
        nothing = await session.send(page.Enable())
        print(nothing.frame_id)
        """,
        "func-returns-value attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "an_open_value_sent_back_unchecked",
        """
        event = await anext(session.events(fetch.RequestPaused))
        await session.send(fetch.FailRequest(request_id=event.request_id, error_reason=event.resource_type))
        """,
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "two_ids_of_one_node_mixed_up",
        """
        root = (await session.send(dom.GetDocument())).root
        await session.send(dom.GetOuterHTML(node_id=root.backend_node_id))
        """,
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "request_ids_of_two_domains_mixed_up",
        """
        event = await anext(session.events(network.RequestWillBeSent))
        await session.send(fetch.ContinueRequest(request_id=event.request_id))
        """,
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_typo_in_a_field_of_an_event",
        """
        async with session.events(page.FrameDetached) as events:
            print((await anext(events)).frameId)
        """,
        "attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_field_that_only_one_of_two_events_has",
        """
        async with session.events(page.FrameDetached, page.FrameNavigated) as events:
            print((await anext(events)).reason)
        """,
        "union-attr",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_callback_for_another_event",
        """
        def heard(session_id: str | None, event: page.FrameAttached) -> None: ...

        session.listen(heard, page.FrameDetached)
        """,
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_predicate_about_another_event",
        """
        def is_top(event: page.FrameDetached) -> bool:
            return True

        async with session.expect(page.FrameNavigated, is_top):
            pass
        """,
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "a_misspelt_name_of_the_package",
        "import cdp_typed\n\nprint(cdp_typed.Conection)",
        "attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_misspelt_name_of_a_domain",
        "print(page.Navigat)",
        "attr-defined",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_change_to_an_event",
        """
        async with session.events(page.FrameDetached) as events:
            (await anext(events)).reason = "swap"
        """,
        "misc",
        "reportAttributeAccessIssue",
    ),
    Refused(
        "a_deadline_that_is_text",
        'await session.send(page.Enable(), timeout="5")',
        "arg-type",
        "reportArgumentType",
    ),
    Refused(
        "an_overflow_policy_that_does_not_exist",
        """
        async with session.events(page.FrameDetached, overflow="drop"):
            pass
        """,
        "call-overload",
        "reportCallIssue reportArgumentType",
    ),
    Refused(
        "an_option_of_connect_that_does_not_exist_without_async",
        'connect_sync("http://127.0.0.1:9222", comand_timeout=5)',
        "call-arg",
        "reportCallIssue",
    ),
    Refused(
        "a_deprecated_command",
        'await session.send(page.AddScriptToEvaluateOnLoad(script_source="1"))',
        "",  # mypy tells it only where the user enables that
        "reportDeprecated",
    ),
)
