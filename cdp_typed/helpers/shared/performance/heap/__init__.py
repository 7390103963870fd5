"""A heap snapshot read: its classes, its objects, and what keeps them alive."""
