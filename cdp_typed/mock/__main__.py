"""`python -m cdp_typed.mock`."""

from cdp_typed.mock.command_line import main

raise SystemExit(main())
