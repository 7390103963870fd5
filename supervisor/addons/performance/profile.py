"""The tool `browser_profile`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed import Session
from cdp_typed.helpers import code_coverage, cpu_profile
from cdp_typed.helpers.shared.performance.code_coverage import CodeCoverage
from cdp_typed.helpers.shared.performance.cpu_profile import CpuProfile
from cdp_typed.protocol import css, profiler
from cdp_typed.redaction import Redaction
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.page.page_frames import run, top_frame
from supervisor.tools.raw_commands.checks import check_command

from .measurement import UntilStopped, named, new_file, start, stop

_KIND = "profile"


class ProfileArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_profile`."""

    action: Literal["start", "stop"]
    """Use the page in between."""
    what: Literal["cpu", "coverage"] = "cpu"
    """coverage: unused JavaScript and CSS; load the page after start."""
    name: str | None = None
    """Of the file."""


class Profiled(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A profile."""

    recording: bool = False
    """It runs, for at most 120 seconds."""
    cpu: CpuProfile | None = None
    coverage: CodeCoverage | None = None
    file: str = ""
    """The CPU profile, for the Performance panel of the developer tools."""


@tool(toolset="browser-performance")
async def browser_profile(context: ToolContext, arguments: ProfileArguments) -> Profiled:
    """Profile the page: slowest functions, or unused parts of scripts and style sheets."""
    supervisor = context.supervisor
    await run(supervisor, top_frame(supervisor).frame_id, "0")  # a page with a dialog, or that crashed, has no answer
    if arguments.action == "stop":
        profiled: Profiled = await stop(supervisor, _KIND)
        file = str(named(Path(profiled.file), arguments.name)) if profiled.file else ""
        return replace(profiled, file=file)
    frame_id, redaction = top_frame(supervisor).frame_id, supervisor.redaction
    if arguments.what == "cpu":
        await check_command(supervisor, context.policy, profiler.Start(), frame_id)
        await start(supervisor, _KIND, lambda tab, until_stopped: _profile(tab, until_stopped, redaction))
    else:
        for command in (profiler.StartPreciseCoverage(), css.StartRuleUsageTracking()):
            await check_command(supervisor, context.policy, command, frame_id)
        await start(supervisor, _KIND, _cover)
    return Profiled(recording=True)


async def _profile(tab: Session, until_stopped: UntilStopped, redaction: Redaction) -> Profiled:
    async with cpu_profile(tab) as profile:
        await until_stopped()
    clean = json.dumps(redaction.value(json.loads(profile.data))).encode("ascii")
    path = new_file(_KIND, ".cpuprofile", clean)
    return Profiled(cpu=profile.summary, file=str(path))


async def _cover(tab: Session, until_stopped: UntilStopped) -> Profiled:
    async with code_coverage(tab) as coverage:
        await until_stopped()
    return Profiled(coverage=coverage.summary)
