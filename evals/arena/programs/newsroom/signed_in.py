"""Everybody is the editor, who does not sign in."""

from django.contrib.auth import get_user_model


class SignedIn:
    def __init__(self, get_response):
        self._get_response = get_response

    def __call__(self, request):
        request.user = get_user_model().objects.get(username="editor")
        request._dont_enforce_csrf_checks = True
        return self._get_response(request)
