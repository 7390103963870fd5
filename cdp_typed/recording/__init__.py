"""Traffic as it is on the wire: taps, the JSON Lines file, the relay that records other clients."""
