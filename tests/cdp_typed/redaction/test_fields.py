"""Which members of the protocol recordings leave out: every candidate in the schema is decided."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cdp_typed.protocol import network
from cdp_typed.protocol.registry import COMMANDS, EVENTS, command_class, event_class
from cdp_typed.redaction.fields import SECRET, members_of, path_of
from cdp_typed.schema import Property, load_schema

CANDIDATE = re.compile(
    r"post_?data|body|cookie|header|authoriz|passw|token|secret|credential|private|text$|value$|payload|data$|bytes"
    r"|content|chunk|message$|user(name|handle|input)|^key$|card|cvc|prompt|nonce|otp|buffer|entries|email|signature"
    r"|blob|assertion|^strings$|^attributes$|html|expression|script$|source$",
    re.IGNORECASE,
)
"""The names of members that may hold a credential, a body or typed text."""

READ_AS_TEXT = """
Accessibility.AXRelatedNode.text Accessibility.AXValue.value Audits.CookieIssueDetails.siteForCookies
Audits.CookieIssueDetails.cookieUrl Audits.SRIMessageSignatureIssueDetails.signatureBase
Audits.SRIMessageSignatureIssueDetails.integrityAssertions Audits.FailedRequestInfo.failureMessage
Audits.PropertyRuleIssueDetails.propertyValue Autofill.FilledField.htmlType BackgroundService.EventMetadata.key
CSS.Value.text CSS.SpecificityComponent.text CSS.SelectorList.text CSS.ShorthandEntry.value
CSS.CSSComputedStyleProperty.value CSS.CSSStyle.cssText CSS.CSSProperty.value CSS.CSSProperty.text CSS.CSSMedia.text
CSS.CSSContainerQuery.text CSS.CSSContainerQuery.conditionText CSS.CSSSupports.text CSS.CSSNavigation.text
CSS.CSSScope.text CSS.CSSLayer.text CSS.CSSFunctionConditionNode.conditionText CSS.StyleDeclarationEdit.text
CacheStorage.DataEntry.responseStatusText CrashReportContext.CrashReportContextEntry.key
DOM.Node.value DOM.BoxModel.content DOM.CSSComputedStyleProperty.value DOMSnapshot.DOMNode.nodeValue
DOMSnapshot.DOMNode.contentLanguage DOMSnapshot.LayoutTreeNode.layoutText Emulation.MediaFeature.value
FedCm.Account.email Log.LogEntry.text Media.PlayerMessage.message Media.PlayerProperty.value Media.PlayerEvent.value
Media.PlayerError.data Network.SignedCertificateTimestamp.signatureAlgorithm
Network.SignedCertificateTimestamp.signatureData Network.Response.statusText Network.WebSocketResponse.statusText
Network.SignedExchangeSignature.signature Network.SignedExchangeHeader.headerIntegrity
Network.SignedExchangeError.message Page.OriginTrialTokenWithStatus.rawTokenText Page.AppManifestError.message
Page.ScriptFontFamilies.script Page.InstallabilityErrorArgument.value Page.ShareTarget.text
Page.BackForwardCacheNotRestoredExplanation.context Preload.RuleSet.sourceText Preload.RuleSet.errorMessage
Preload.PrerenderMismatchedHeaders.headerName Preload.PrerenderMismatchedHeaders.initialValue
Preload.PrerenderMismatchedHeaders.activationValue ServiceWorker.ServiceWorkerErrorMessage.errorMessage
Target.TargetInfo.embedderData WebAuthn.Credential.credentialId WebAuthn.Credential.userName
Console.ConsoleMessage.text Runtime.DeepSerializedValue.value Runtime.RemoteObject.value
Runtime.RemoteObject.unserializableValue Runtime.CustomPreview.header Runtime.CustomPreview.bodyGetterId
Runtime.PropertyPreview.value Runtime.CallArgument.unserializableValue Runtime.ExecutionContextDescription.auxData
Runtime.ExceptionDetails.text Runtime.ExceptionDetails.exceptionMetaData CSS.addRule.ruleText
CSS.getLonghandProperties.value CSS.getStyleSheetText().text CSS.getLocationForSelector.selectorText
CSS.setEffectivePropertyValueForNode.value CSS.setKeyframeKey.keyText CSS.setMediaText.text
CSS.setContainerQueryText.text CSS.setContainerQueryConditionText.text CSS.setSupportsText.text
CSS.setNavigationText.text CSS.setScopeText.text CSS.setStyleSheetText.text DOM.getOuterHTML().outerHTML
DOM.setOuterHTML.outerHTML DOMStorage.removeDOMStorageItem.key DOMStorage.setDOMStorageItem.key
HeadlessExperimental.beginFrame().screenshotData Overlay.setPausedInDebuggerMessage.message
Page.addScriptToEvaluateOnLoad.scriptSource Page.addScriptToEvaluateOnNewDocument.source Page.captureScreenshot().data
Page.createIsolatedWorld.contentSecurityPolicy Page.deleteCookie.cookieName Page.getAppManifest().data
Page.navigate().errorText Page.printToPDF.headerTemplate Page.printToPDF().data Page.setDocumentContent.html
Page.addCompilationCache.data Page.generateTestReport.message Storage.deletePrivateVerificationToken.tokenId
WebAuthn.getCredential.credentialId WebAuthn.removeCredential.credentialId
WebAuthn.setCredentialProperties.credentialId Debugger.evaluateOnCallFrame.expression
Debugger.getScriptSource().scriptSource Debugger.setScriptSource.scriptSource Runtime.compileScript.expression
Runtime.evaluate.expression Cast.issueUpdated!.issueMessage
DOMStorage.domStorageItemAdded!.key DOMStorage.domStorageItemRemoved!.key DOMStorage.domStorageItemUpdated!.key
Fetch.requestPaused!.responseStatusText Network.loadingFailed!.errorText Network.webSocketFrameError!.errorMessage
Page.javascriptDialogOpening!.message Page.javascriptDialogOpening!.defaultPrompt Page.screencastFrame!.data
Page.compilationCacheProduced!.data Tracing.dataCollected!.value WebAuthn.credentialDeleted!.credentialId
WebMCP.toolResponded!.errorText Debugger.paused!.data Debugger.scriptFailedToParse!.executionContextAuxData
Debugger.scriptParsed!.executionContextAuxData Runtime.consoleAPICalled!.context
"""
"""Members of such names that hold something else, or text of pages and scripts: credentials are left out by shape."""


def candidates() -> Iterator[str]:
    schema = load_schema()
    places: dict[str, tuple[Property, ...]] = {name: kind.properties or () for name, kind in schema.types.items()}
    for name, command in schema.commands.items():
        places |= {name: command.parameters, f"{name}()": command.returns}
    places |= {f"{name}!": event.parameters for name, event in schema.events.items()}
    for place, members in places.items():
        yield from (f"{place}.{item.name}" for item in members if CANDIDATE.search(item.name) and may_be_text(item))


def may_be_text(item: Property) -> bool:
    """Not a number, nothing of a list, and no object whose members are looked at themselves."""
    if item.enum or item.type in ("boolean", "integer", "number"):
        return False
    inner = item.items.type if item.items else None
    ref = item.ref or (item.items.ref if item.items else None)
    if ref is None:
        return inner not in ("boolean", "integer", "number")
    kind = load_schema().types[ref]
    is_looked_at = bool(kind.properties) or (kind.items is not None and kind.items.ref is not None)
    return not (is_looked_at or kind.enum or kind.type in ("boolean", "integer", "number"))


def test_every_member_that_may_hold_a_secret_is_decided() -> None:
    assert set(candidates()) - SECRET.keys() == set(READ_AS_TEXT.split())


@pytest.mark.parametrize("path", SECRET)
def test_a_member_with_a_rule_is_one_of_the_schema(path: str) -> None:
    place, _, name = path.rpartition(".")

    assert members_of(place)[name].rule == SECRET[path]


def test_a_member_of_objects_leads_to_their_members_also_where_their_list_has_a_name() -> None:
    assert members_of("Network.requestWillBeSent!")["request"].of == "Network.Request"
    assert members_of("Network.getCookies()")["cookies"].of == "Network.Cookie"
    assert members_of("Target.getTargets")["filter"].of == "Target.FilterEntry"


def test_a_class_of_the_bindings_has_the_members_of_its_path() -> None:
    for method in COMMANDS:
        command = command_class(method)
        assert path_of(command) == method
        if command.RESULT is not None:
            assert path_of(command.RESULT) == f"{method}()"
    assert all(path_of(event_class(method)) == f"{method}!" for method in EVENTS)
    assert path_of(network.Request) == "Network.Request"
