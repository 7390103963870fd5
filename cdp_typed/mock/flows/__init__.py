"""Flows across domains and steps: navigations, requests in flight, scripts, popups, closing."""
