"""The cost of a fleet, compared with the same work in one process."""

import os

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # a busy machine
os.environ.setdefault("RAY_worker_niceness", "0")  # or strangers' work counts, which Ray lets go first
