"""`python -m supervisor`."""

from .cli import main

raise SystemExit(main())
