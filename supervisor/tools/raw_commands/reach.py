"""How far each command of the protocol reaches. A command that is not in this table is not known to stay anywhere.

`tests/supervisor/tools/raw_commands/test_reach.py` walks the schema: each command has one reach, which fits its
parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Reach(Enum):
    """How far a command reaches. The value completes the sentence "it ..." of a refusal."""

    PAGE = "acts on its page alone"
    """Allowed."""
    ADDRESS = "names an address for its page"
    """Allowed for addresses that the URL rules allow."""
    TARGET = "acts on the page that `targetId` names"
    """Allowed for pages of the caller."""
    IN_CONTEXT = "acts on the browser context that `browserContextId` names, or on the browser's default one"
    """Allowed for browser contexts of the caller."""
    PERMISSION = "changes what the sites of a browser context may do"
    """As `IN_CONTEXT`; where there are URL rules, only for an origin that they allow."""
    SITE = "reaches cookies or storage of every site in the browser context"
    """As `ADDRESS`, and only in a browser context of the caller's own."""
    CONTEXT = "reaches the whole browser context"
    """Allowed in a browser context of the caller's own, unless URL rules forbid some of the sites in it."""
    BESIDE = "reaches other pages of the same process, window or browser context"
    """Allowed in a browser context of the caller's own: contexts share neither processes nor windows."""
    HOLDING = "would let pages go where the URL rules forbid it"
    """Refused where there are URL rules."""
    CHANNEL = "opens another way to send commands or to hear of pages"
    """Refused."""
    STREAM = "loads or reads data that no URL rule has seen"
    """Refused."""
    BROWSER = "reaches the whole browser or its machine"
    """Refused. Measured on Chromium 156: `Storage.getCookies` on a page's session reads the default browser context,
    whichever the page is in."""


_TABLE: Mapping[Reach, Mapping[str, str]] = {
    Reach.PAGE: {
        "Accessibility": """disable enable getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors
            getChildAXNodes queryAXTree""",
        "Ads": "getAdMetrics getAdScripts",
        "Animation": """disable enable getCurrentTime getPlaybackRate releaseAnimations resolveAnimation seekAnimations
            setPaused setPlaybackRate setTiming""",
        "Audits": "getEncodedResponse disable enable checkFormsIssues",
        "Autofill": "trigger setAddresses disable enable",
        "Browser": "getVersion",
        "CSS": """addRule collectClassNames createStyleSheet disable enable forcePseudoState forceStartingStyle
            forcePositionTryOption getBackgroundColors getComputedStyleForNode resolveValues getLonghandProperties
            getInlineStylesForNode getAnimatedStylesForNode getMatchedStylesForNode getEnvironmentVariables
            getMediaQueries getPlatformFontsForNode getStyleSheetText getLayersForNode getLocationForSelector
            trackComputedStyleUpdatesForNode trackComputedStyleUpdates takeComputedStyleUpdates
            setEffectivePropertyValueForNode setPropertyRulePropertyName setKeyframeKey setMediaText
            setContainerQueryText setContainerQueryConditionText setSupportsText setNavigationText setScopeText
            setRuleSelector setStyleSheetText setStyleTexts startRuleUsageTracking stopRuleUsageTracking
            takeCoverageDelta setLocalFontsEnabled""",
        "Console": "clearMessages disable enable",
        "CrashReportContext": "getEntries",
        "DOM": """collectClassNamesFromSubtree copyTo describeNode scrollIntoViewIfNeeded disable discardSearchResults
            enable focus getAttributes getBoxModel getContentQuads getDocument getFlattenedDocument
            getNodesForSubtreeByStyle getNodeForLocation getOuterHTML getRelayoutBoundary getSearchResults
            hideHighlight highlightNode highlightRect markUndoableState moveTo performSearch pushNodeByPathToFrontend
            pushNodesByBackendIdsToFrontend querySelector querySelectorAll getTopLayerElements getElementByRelation
            redo removeAttribute removeNode requestChildNodes requestNode resolveNode setAttributeValue
            setAttributesAsText setFileInputFiles setNodeStackTracesEnabled getNodeStackTraces getFileInfo
            setInspectedNode setNodeName setNodeValue setOuterHTML undo getFrameOwner getContainerForNode
            getQueryingDescendantsForContainer getAnchorElement forceShowPopover getImplicitAnchorCandidates
            forceShowInterest setTextMarker clearTextMarkers""",
        "DOMDebugger": """getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint
            removeInstrumentationBreakpoint setBreakOnCSPViolation setDOMBreakpoint setEventListenerBreakpoint
            setInstrumentationBreakpoint setXHRBreakpoint removeXHRBreakpoint""",
        "DOMSnapshot": "disable enable getSnapshot captureSnapshot",
        "DOMStorage": "disable enable",
        "Debugger": """continueToLocation disable enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource
            disassembleWasmModule nextWasmDisassemblyChunk getWasmBytecode getStackTrace pause pauseOnAsyncCall
            removeBreakpoint restartFrame resume searchInContent setBreakpointByUrl setAsyncCallStackDepth
            setBlackboxExecutionContexts setBlackboxPatterns setBlackboxedRanges setBreakpoint
            setInstrumentationBreakpoint setBreakpointOnFunctionCall setBreakpointsActive setPauseOnExceptions
            setReturnValue setScriptSource setSkipAllPauses setVariableValue stepInto stepOut stepOver""",
        "DeviceAccess": "enable disable selectPrompt cancelPrompt",
        "DeviceOrientation": "clearDeviceOrientationOverride setDeviceOrientationOverride",
        "DigitalCredentials": "setVirtualWalletBehavior",
        "Emulation": """canEmulate clearDeviceMetricsOverride clearGeolocationOverride resetPageScaleFactor
            setFocusEmulationEnabled setAutoDarkModeOverride setDefaultBackgroundColorOverride
            setSafeAreaInsetsOverride setVirtualKeyboardGeometryOverride setDeviceMetricsOverride
            setDevicePostureOverride clearDevicePostureOverride setDisplayFeaturesOverride clearDisplayFeaturesOverride
            setScrollbarsHidden setDocumentCookieDisabled setEmitTouchEventsForMouse setEmulatedMedia
            setEmulatedVisionDeficiency setEmulatedOSTextScale setGeolocationOverride getOverriddenSensorInformation
            setSensorOverrideEnabled setSensorOverrideReadings setPressureSourceOverrideEnabled
            setPressureStateOverride setIdleOverride clearIdleOverride setNavigatorOverrides setPageScaleFactor
            setScriptExecutionDisabled setTouchEmulationEnabled setVirtualTimePolicy setVisibleSize
            setDisabledImageTypes setDataSaverOverride setHardwareConcurrencyOverride setCPUPerformanceOverride
            setUserAgentOverride setAutomationOverride setSmallViewportHeightDifferenceOverride""",
        "EventBreakpoints": "setInstrumentationBreakpoint removeInstrumentationBreakpoint disable",
        "FedCm": "enable disable selectAccount clickDialogButton openUrl dismissDialog resetCooldown",
        "FindInPage": "findFirst findNext findPrev stop",
        "HeadlessExperimental": "beginFrame disable enable",
        "IndexedDB": "disable enable",
        "Input": """dispatchDragEvent dispatchKeyEvent insertText imeSetComposition dispatchMouseEvent
            dispatchTouchEvent cancelDragging emulateTouchFromMouseEvent setIgnoreInputEvents setInterceptDrags
            synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture""",
        "Inspector": "disable enable",
        "LayerTree": """compositingReasons disable enable loadSnapshot makeSnapshot profileSnapshot releaseSnapshot
            replaySnapshot snapshotCommandLog""",
        "Log": "clear disable enable startViolationsReport stopViolationsReport",
        "Media": "enable disable",
        "Memory": "getDOMCounters",
        "Network": """canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions disable
            emulateNetworkConditions emulateNetworkConditionsByRule overrideNetworkState enable
            configureDurableMessages getResponseBody getRequestPostData replayXHR searchInResponseBody setBlockedURLs
            setBypassServiceWorker setCacheDisabled setExtraHTTPHeaders setAttachDebugStack setUserAgentOverride
            streamResourceContent getSecurityIsolationStatus setCookieControls""",
        "Overlay": """disable enable getHighlightObjectForTest getGridHighlightObjectsForTest
            getSourceOrderHighlightObjectForTest hideHighlight highlightFrame highlightNode highlightQuad highlightRect
            highlightSourceOrder setInspectMode setShowAdHighlights setPausedInDebuggerMessage setShowDebugBorders
            setShowFPSCounter setShowGridOverlays setShowFlexOverlays setShowScrollSnapOverlays
            setShowContainerQueryOverlays setShowInspectedElementAnchor setShowPaintRects setShowLayoutShiftRegions
            setShowScrollBottleneckRects setShowHitTestBorders setShowWebVitals setShowViewportSizeOnResize
            setShowHinge setShowDisplayCutout setShowIsolatedElements setShowWindowControlsOverlay""",
        "Page": """addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument captureScreenshot
            captureSnapshot clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride
            createIsolatedWorld enable getAppManifest getInstallabilityErrors getManifestIcons getAppId getSubApps
            getSiblingSubApps getAdScriptAncestry getSpellCheckCustomDictionary getFrameTree getLayoutMetrics
            getNavigationHistory resetNavigationHistory getResourceTree handleJavaScriptDialog navigateToHistoryEntry
            printToPDF reload removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument screencastFrameAck
            setAdBlockingEnabled setBypassCSP getPermissionsPolicyState getOriginTrials setDeviceMetricsOverride
            setDeviceOrientationOverride setFontFamilies setFontSizes setDocumentContent setGeolocationOverride
            setLifecycleEventsEnabled setTouchEmulationEnabled startScreencast stopLoading close setWebLifecycleState
            stopScreencast clearCompilationCache setSPCTransactionMode setRPHRegistrationMode generateTestReport
            waitForDebugger setInterceptFileChooserDialog setPrerenderingAllowed getAnnotatedPageContent
            setInputVisualization""",
        "Performance": "disable enable setTimeDomain getMetrics",
        "PerformanceTimeline": "enable",
        "Preload": "enable disable",
        "Runtime": """awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate
            getIsolateId getHeapUsage getProperties globalLexicalScopeNames queryObjects releaseObject
            releaseObjectGroup runIfWaitingForDebugger runScript setAsyncCallStackDepth setCustomObjectFormatterEnabled
            setMaxCallStackSizeToCapture terminateExecution addBinding removeBinding getExceptionDetails""",
        "Schema": "getDomains",
        "Security": "disable enable setIgnoreCertificateErrors handleCertificateError setOverrideCertificateErrors",
        "Storage": "getStorageKeyForFrame getStorageKey",
        "WebAudio": "enable disable getRealtimeData",
        "WebAuthn": """enable disable addVirtualAuthenticator setResponseOverrideBits removeVirtualAuthenticator
            addCredential getCredential getCredentials removeCredential clearCredentials setUserVerified
            setAutomaticPresenceSimulation setCredentialProperties""",
        "WebMCP": "enable disable invokeTool cancelInvocation",
    },
    Reach.ADDRESS: {
        "CacheStorage": "requestCacheNames",
        "DOMStorage": "clear getDOMStorageItems removeDOMStorageItem setDOMStorageItem",
        "IndexedDB": """clearObjectStore deleteDatabase deleteObjectStoreEntries requestData getMetadata
            requestDatabase requestDatabaseNames""",
        "Network": "getCertificate fetchSchemefulSite",
        "Page": "getResourceContent navigate searchInResource produceCompilationCache addCompilationCache",
    },
    Reach.SITE: {
        "FileSystem": "getDirectory",
        "Network": "deleteCookies getCookies setCookie setCookies",
        "Page": "deleteCookie",
        "ServiceWorker": """deliverPushMessage dispatchSyncEvent dispatchPeriodicSyncEvent skipWaiting startWorker
            unregister updateRegistration""",
        "Storage": """clearDataForOrigin clearDataForStorageKey getUsageAndQuota overrideQuotaForOrigin
            trackCacheStorageForOrigin trackCacheStorageForStorageKey trackIndexedDBForOrigin
            trackIndexedDBForStorageKey untrackCacheStorageForOrigin untrackCacheStorageForStorageKey
            untrackIndexedDBForOrigin untrackIndexedDBForStorageKey clearTrustTokens clearPrivateVerificationTokens
            setStorageBucketTracking deleteStorageBucket""",
    },
    Reach.CONTEXT: {
        "BackgroundService": "startObserving stopObserving setRecording clearEvents",
        "CacheStorage": "deleteCache deleteEntry requestCachedResponse requestEntries",
        "Network": """clearBrowserCache clearBrowserCookies getAllCookies enableReportingApi enableDeviceBoundSessions
            deleteDeviceBoundSession""",
        "ServiceWorker": "disable enable setForceUpdateOnPageLoad stopAllWorkers stopWorker",
        "Storage": """getTrustTokens getPrivateVerificationTokens
            getPrivateVerificationTokensIssuerConfigs deletePrivateVerificationToken
            setPrivateVerificationTokensTracking runBounceTrackingMitigations""",
    },
    Reach.BESIDE: {
        "DOM": "getDetachedDomNodes",
        "Emulation": "setCPUThrottlingRate setLocaleOverride setTimezoneOverride",
        "HeapProfiler": """addInspectedHeapObject collectGarbage disable enable getHeapObjectId getObjectByHeapObjectId
            getSamplingProfile startSampling startTrackingHeapObjects stopSampling stopTrackingHeapObjects
            takeHeapSnapshot""",
        "Memory": """getDOMCountersForLeakDetection prepareForLeakDetection forciblyPurgeJavaScriptMemory startSampling
            stopSampling getAllTimeSamplingProfile getSamplingProfile""",
        "Page": "bringToFront crash setDownloadBehavior",
        "Profiler": """disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop
            stopPreciseCoverage takePreciseCoverage""",
        "Target": "activateTarget",
    },
    Reach.TARGET: {
        "Browser": "getWindowForTarget",
        "Target": "closeTarget getTargetInfo",
    },
    Reach.IN_CONTEXT: {
        "Browser": "setDownloadBehavior cancelDownload",
        "Target": "createTarget",
    },
    Reach.PERMISSION: {
        "Browser": "setPermission grantPermissions resetPermissions",
    },
    Reach.HOLDING: {
        "Fetch": """disable enable failRequest fulfillRequest continueRequest continueWithAuth continueResponse
            getResponseBody takeResponseBodyAsStream""",
        "Page": "disable",
    },
    Reach.CHANNEL: {
        "Target": """attachToTarget attachToBrowserTarget exposeDevToolsProtocol detachFromTarget sendMessageToTarget
            setAutoAttach autoAttachRelated setDiscoverTargets setRemoteLocations getDevToolsTarget openDevTools""",
    },
    Reach.STREAM: {
        "IO": "close read resolveBlob",
        "Network": "loadNetworkResource",
        "Page": "startScreenRecording stopScreenRecording",
    },
    Reach.BROWSER: {
        "BluetoothEmulation": """enable setSimulatedCentralState disable simulatePreconnectedPeripheral
            simulateAdvertisement simulateGATTOperationResponse simulateCharacteristicOperationResponse
            simulateDescriptorOperationResponse addService removeService addCharacteristic removeCharacteristic
            addDescriptor removeDescriptor simulateGATTDisconnection""",
        "Browser": """close crash crashGpuProcess getBrowserCommandLine addMockCamera getHistograms getHistogram
            getWindowBounds setWindowBounds setContentsSize setDockTile executeBrowserCommand
            addPrivacySandboxEnrollmentOverride getGlobalPrivacyControl setGlobalPrivacyControl""",
        "Cast": "enable disable setSinkToUse startDesktopMirroring startTabMirroring stopCasting",
        "Emulation": "getScreenInfos addScreen updateScreen removeScreen setPrimaryScreen",
        "Extensions": """triggerAction loadUnpacked getExtensions uninstall getStorageItems removeStorageItems
            clearStorageItems setStorageItems""",
        "Memory": "setPressureNotificationsSuppressed simulatePressureNotification getBrowserSamplingProfile",
        "PWA": "getOsAppState install uninstall launch launchFilesInApp openCurrentPageInApp changeAppUserSettings",
        "SmartCardEmulation": """enable disable reportEstablishContextResult reportReleaseContextResult
            reportListReadersResult reportGetStatusChangeResult reportBeginTransactionResult reportPlainResult
            reportConnectResult reportDataResult reportStatusResult reportError""",
        "Storage": "getCookies setCookies clearCookies",
        "SystemInfo": "getInfo getFeatureState getProcessInfo",
        "Target": "getTargets getBrowserContexts createBrowserContext disposeBrowserContext",
        "Tethering": "bind unbind",
        "Tracing": "end getCategories getTrackEventDescriptor recordClockSyncMarker requestMemoryDump start",
    },
}
"""By domain, the names of its commands."""

REACH: Mapping[str, Reach] = {
    f"{domain}.{name}": reach
    for reach, domains in _TABLE.items()
    for domain, names in domains.items()
    for name in names.split()
}
"""The reach of each command, by its method."""
