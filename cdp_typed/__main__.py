"""`python -m cdp_typed`."""

from cdp_typed.cli import main

raise SystemExit(main())
