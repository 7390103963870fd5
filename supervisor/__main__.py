"""`python -m supervisor`: the same program as `cdp-agent`."""

from cdp_agent.program import main

raise SystemExit(main())
