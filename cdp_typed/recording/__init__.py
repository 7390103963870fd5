"""Traffic recording: taps, the JSON Lines file, the relay that records other clients."""
