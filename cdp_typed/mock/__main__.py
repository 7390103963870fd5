"""`python -m cdp_typed.mock`."""

from cdp_typed.mock.program import main

raise SystemExit(main())
