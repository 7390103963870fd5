"""Names and shapes of other projects over ours, for those who move."""
