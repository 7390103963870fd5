"""Runs code that Playwright MCP has generated, in a new browser."""

from __future__ import annotations

import json
import os
import subprocess

from cdp_typed.launch import find_browser
from evals.agents.mcp_servers import peers

_PROGRAM = """
const {chromium} = require('playwright-core'), {expect} = require('playwright/test');
(async () => {
  const browser = await chromium.launch(%s);
  const page = await browser.newPage();
  try {
    %s
    await page.waitForLoadState('networkidle');
  } finally { await browser.close() }
})().catch(error => { console.error(error); process.exitCode = 1 });
"""


def played(code: str) -> bool:
    """Return whether the code runs without an error."""
    options = {"executablePath": str(find_browser()), "chromiumSandbox": os.getuid() != 0}
    program = _PROGRAM % (json.dumps(options), code)
    return subprocess.run(["node", "-e", program], cwd=peers().parent, capture_output=True, timeout=120).returncode == 0
