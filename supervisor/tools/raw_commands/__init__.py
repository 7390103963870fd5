"""Raw commands, held to the pages of their caller where a browser has others, or a policy URL rules."""
