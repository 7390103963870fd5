"""URLs to which the mock does not navigate: scripts, the browser's own pages, and those of other programs."""

from __future__ import annotations

from cdp_typed.mock.state.error_texts import Text
from cdp_typed.mock.state.http import document_at
from cdp_typed.mock.state.step import Step
from cdp_typed.mock.urls import is_browser_page, is_external, is_script_url, scheme_of


def url_error(step: Step, url: str) -> Text | None:
    """Return the mock's error for a URL to which a client cannot navigate in it."""
    if step.state.site.page(url) is not None:
        return None
    if is_script_url(url):
        return Text.MOCK_NO_SCRIPT_URL
    no_document = scheme_of(url) == "data" and document_at(step.state.site, url) is None
    return Text.MOCK_NO_BROWSER_PAGES if is_browser_page(url) or no_document else None


def leaves_browser(step: Step, url: str) -> bool:
    """Return whether the browser opens the URL in another program and keeps the document."""
    return is_external(url) and step.state.site.page(url) is None
