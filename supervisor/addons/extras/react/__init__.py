"""React in a page, read from its fibers: components, state, boundaries, renders."""
