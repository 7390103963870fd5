"""The fleet on Ray: its processes, and the calls between them."""
