"""Traffic recording: taps, and messages as lines of JSON."""
