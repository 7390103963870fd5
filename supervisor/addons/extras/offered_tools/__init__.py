"""The tools that a page offers to an agent (WebMCP): listed, called, and their results."""
