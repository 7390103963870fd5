"""The tools that a page offers to an agent (WebMCP) or to its developer tools: listed, called, and their results."""
