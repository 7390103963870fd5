"""What spans several domains and steps: navigations, requests in flight, scripts, popups, closing."""
