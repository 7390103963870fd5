"""Read the tools of the installed servers, and write docs/agents.md."""

from __future__ import annotations

import tempfile
from pathlib import Path

from evals.agents.parity.other_servers import installed, write
from evals.agents.parity.page import write_page

with tempfile.TemporaryDirectory() as folder:
    write(installed(Path(folder)))
write_page()
