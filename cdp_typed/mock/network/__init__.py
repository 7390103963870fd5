"""Network events, interception, redirects, security policies, and cookies of requests."""
