"""The styles of an element, and the rules that they come from."""
