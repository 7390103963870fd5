"""The options of a virtual authenticator that is like the one in a computer or a phone."""

from __future__ import annotations

from cdp_typed.protocol import web_authn

PLATFORM = web_authn.VirtualAuthenticatorOptions(
    protocol="ctap2",
    transport="internal",
    has_resident_key=True,
    has_user_verification=True,
    is_user_verified=True,
)
"""It keeps passkeys, and confirms at once that a person is present and verified."""
