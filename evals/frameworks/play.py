"""Plays an example in the environment of its framework: `python play.py EXAMPLE.py direct|over_mcp TASK WHERE...`."""

import asyncio
import inspect
import runpy
import sys

if __name__ == "__main__":
    example, way, *given = sys.argv[1:]
    answer = runpy.run_path(example, run_name="example")[way](*given)
    sys.stdout.write(f"{asyncio.run(answer) if inspect.iscoroutine(answer) else answer}\n")
