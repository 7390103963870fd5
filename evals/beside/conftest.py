"""The tests of files need Playwright, which `make beside` installs."""

from __future__ import annotations

import os

collect_ignore = [] if "CDP_TYPED_FOREIGN" in os.environ else ["test_har_files.py"]
