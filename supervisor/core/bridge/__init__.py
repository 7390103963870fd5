"""The dialog bridge in each session, and the requests that the browser holds for the supervisor."""
