"""Values that cross the core's border: inputs, requests, effects, tags, timers, errors, public values."""
