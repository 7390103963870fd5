"""The names that the global object of a page has in Chromium 156, in a secure context."""

from __future__ import annotations

from typing import Final

PLATFORM: Final = """
        AbortController AbortSignal AbsoluteOrientationSensor AbstractRange Accelerometer AggregateError AnalyserNode
    Animation     AnimationEffect AnimationEvent AnimationPlaybackEvent AnimationTimeline AnimationTrigger Array
    ArrayBuffer     AsyncDisposableStack Atomics Attr Audio AudioBuffer AudioBufferSourceNode AudioContext AudioData
    AudioDecoder     AudioDestinationNode AudioEncoder AudioListener AudioNode AudioParam AudioParamMap
    AudioPlaybackStats AudioProcessingEvent     AudioScheduledSourceNode AudioSinkInfo AudioWorklet AudioWorkletNode
    AuthenticatorAssertionResponse     AuthenticatorAttestationResponse AuthenticatorResponse BackgroundFetchManager
    BackgroundFetchRecord     BackgroundFetchRegistration BarProp BaseAudioContext BatteryManager
    BeforeInstallPromptEvent BeforeUnloadEvent BigInt     BigInt64Array BigUint64Array BiquadFilterNode Blob BlobEvent
    Boolean BroadcastChannel BrowserCaptureMediaStreamTrack     ByteLengthQueuingStrategy CDATASection
    CSPViolationReportBody CSS CSSAnimation CSSConditionRule CSSContainerRule     CSSCounterStyleRule CSSFontFaceRule
    CSSFontFeatureValuesRule CSSFontPaletteValuesRule CSSFunctionDeclarations     CSSFunctionDescriptors
    CSSFunctionRule CSSGroupingRule CSSImageValue CSSImportRule CSSKeyframeRule CSSKeyframesRule     CSSKeywordValue
    CSSLayerBlockRule CSSLayerStatementRule CSSMarginRule CSSMathClamp CSSMathInvert CSSMathMax CSSMathMin
    CSSMathNegate CSSMathProduct CSSMathSum CSSMathValue CSSMatrixComponent CSSMediaRule CSSNamespaceRule
    CSSNestedDeclarations CSSNumericArray CSSNumericValue CSSPageRule CSSPerspective CSSPositionTryDescriptors
    CSSPositionTryRule CSSPositionValue CSSPropertyRule CSSPseudoElement CSSRotate CSSRule CSSRuleList CSSScale
    CSSScopeRule     CSSSkew CSSSkewX CSSSkewY CSSStartingStyleRule CSSStyleDeclaration CSSStyleRule CSSStyleSheet
    CSSStyleValue     CSSSupportsRule CSSTransformComponent CSSTransformValue CSSTransition CSSTranslate CSSUnitValue
    CSSUnparsedValue     CSSVariableReferenceValue CSSViewTransitionRule Cache CacheStorage
    CanvasCaptureMediaStreamTrack CanvasGradient     CanvasPattern CanvasRenderingContext2D CaptureController
    CaretPosition ChannelMergerNode ChannelSplitterNode     ChapterInformation CharacterBoundsUpdateEvent
    CharacterData Clipboard ClipboardChangeEvent ClipboardEvent ClipboardItem     CloseEvent CloseWatcher CommandEvent
    Comment CompositionEvent CompressionStream ConstantSourceNode     ContentVisibilityAutoStateChangeEvent
    ConvolverNode CookieChangeEvent CookieStore CookieStoreManager CountQueuingStrategy     CrashReportContext
    CreateMonitor Credential CredentialsContainer CropTarget Crypto CryptoKey CustomElementRegistry     CustomEvent
    CustomStateSet DOMError DOMException DOMImplementation DOMMatrix DOMMatrixReadOnly DOMParser DOMPoint
    DOMPointReadOnly DOMQuad DOMRect DOMRectList DOMRectReadOnly DOMStringList DOMStringMap DOMTokenList DataTransfer
    DataTransferItem DataTransferItemList DataView Date DecompressionStream DelayNode DelegatedInkTrailPresenter
    DeviceMotionEvent DeviceMotionEventAcceleration DeviceMotionEventRotationRate DeviceOrientationEvent DevicePosture
    DigitalCredential DisposableStack Document DocumentFragment DocumentPictureInPicture DocumentPictureInPictureEvent
    DocumentTimeline DocumentType DragEvent DynamicsCompressorNode EditContext Element ElementInternals
    EncodedAudioChunk     EncodedVideoChunk Error ErrorEvent EvalError Event EventCounts EventSource EventTarget
    External EyeDropper FeaturePolicy     FederatedCredential Fence FencedFrameConfig FetchLaterResult File FileList
    FileReader FileSystemDirectoryHandle     FileSystemFileHandle FileSystemHandle FileSystemObserver
    FileSystemWritableFileStream FinalizationRegistry Float16Array     Float32Array Float64Array FocusEvent FontData
    FontFace FontFaceSet FontFaceSetLoadEvent FormData FormDataEvent     FragmentDirective Function GPU GPUAdapter
    GPUAdapterInfo GPUBindGroup GPUBindGroupLayout GPUBuffer GPUBufferUsage     GPUCanvasContext GPUColorWrite
    GPUCommandBuffer GPUCommandEncoder GPUCompilationInfo GPUCompilationMessage     GPUComputePassEncoder
    GPUComputePipeline GPUDevice GPUDeviceLostInfo GPUError GPUExternalTexture GPUInternalError     GPUMapMode
    GPUOutOfMemoryError GPUPipelineError GPUPipelineLayout GPUQuerySet GPUQueue GPURenderBundle
    GPURenderBundleEncoder GPURenderPassEncoder GPURenderPipeline GPUSampler GPUShaderModule GPUShaderStage
    GPUSupportedFeatures GPUSupportedLimits GPUTexture GPUTextureUsage GPUTextureView GPUUncapturedErrorEvent
    GPUValidationError GainNode Gamepad GamepadButton GamepadEvent GamepadHapticActuator Geolocation
    GeolocationCoordinates     GeolocationPosition GeolocationPositionError GravitySensor Gyroscope HID
    HIDConnectionEvent HIDDevice HIDInputReportEvent     HTMLAllCollection HTMLAnchorElement HTMLAreaElement
    HTMLAudioElement HTMLBRElement HTMLBaseElement HTMLBodyElement     HTMLButtonElement HTMLCameraElement
    HTMLCanvasElement HTMLCollection HTMLDListElement HTMLDataElement HTMLDataListElement     HTMLDetailsElement
    HTMLDialogElement HTMLDirectoryElement HTMLDivElement HTMLDocument HTMLElement HTMLEmbedElement
    HTMLFencedFrameElement HTMLFieldSetElement HTMLFontElement HTMLFormControlsCollection HTMLFormElement
    HTMLFrameElement     HTMLFrameSetElement HTMLGeolocationElement HTMLHRElement HTMLHeadElement HTMLHeadingElement
    HTMLHtmlElement     HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLLIElement HTMLLabelElement
    HTMLLegendElement HTMLLinkElement     HTMLMapElement HTMLMarqueeElement HTMLMediaElement HTMLMenuElement
    HTMLMetaElement HTMLMeterElement HTMLMicrophoneElement     HTMLModElement HTMLOListElement HTMLObjectElement
    HTMLOptGroupElement HTMLOptionElement HTMLOptionsCollection     HTMLOutputElement HTMLParagraphElement
    HTMLParamElement HTMLPictureElement HTMLPreElement HTMLProgressElement     HTMLQuoteElement HTMLScriptElement
    HTMLSelectElement HTMLSelectedContentElement HTMLSlotElement HTMLSourceElement     HTMLSpanElement
    HTMLStyleElement HTMLTableCaptionElement HTMLTableCellElement HTMLTableColElement HTMLTableElement
    HTMLTableRowElement HTMLTableSectionElement HTMLTemplateElement HTMLTextAreaElement HTMLTimeElement
    HTMLTitleElement     HTMLTrackElement HTMLUListElement HTMLUnknownElement HTMLUserMediaElement HTMLVideoElement
    HashChangeEvent Headers     Highlight HighlightRegistry History IDBCursor IDBCursorWithValue IDBDatabase
    IDBFactory IDBIndex IDBKeyRange     IDBObjectStore IDBOpenDBRequest IDBRecord IDBRequest IDBTransaction
    IDBVersionChangeEvent IIRFilterNode IdentityCredential     IdentityCredentialError IdentityProvider IdleDeadline
    IdleDetector Image ImageBitmap ImageBitmapRenderingContext     ImageCapture ImageData ImageDecoder ImageTrack
    ImageTrackList Ink InputDeviceCapabilities InputDeviceInfo InputEvent     Int16Array Int32Array Int8Array
    IntegrityViolationReportBody InteractionContentfulPaint InterestEvent IntersectionObserver
    IntersectionObserverEntry Intl Iterator JSON Keyboard KeyboardEvent KeyboardLayoutMap KeyframeEffect
    LanguageDetector     LanguageModel LargestContentfulPaint LaunchParams LaunchQueue LayoutShift
    LayoutShiftAttribution LinearAccelerationSensor     Location Lock LockManager MIDIAccess MIDIConnectionEvent
    MIDIInput MIDIInputMap MIDIMessageEvent MIDIOutput MIDIOutputMap     MIDIPort Map Math MathMLElement
    MediaCapabilities MediaDeviceInfo MediaDevices MediaElementAudioSourceNode     MediaEncryptedEvent MediaError
    MediaKeyMessageEvent MediaKeySession MediaKeyStatusMap MediaKeySystemAccess MediaKeys     MediaList MediaMetadata
    MediaQueryList MediaQueryListEvent MediaRecorder MediaSession MediaSource MediaSourceHandle     MediaStream
    MediaStreamAudioDestinationNode MediaStreamAudioSourceNode MediaStreamEvent MediaStreamTrack
    MediaStreamTrackAudioStats MediaStreamTrackEvent MediaStreamTrackGenerator MediaStreamTrackProcessor
    MediaStreamTrackVideoStats MessageChannel MessageEvent MessagePort MimeType MimeTypeArray MouseEvent
    MutationObserver     MutationRecord NamedNodeMap NavigateEvent Navigation NavigationActivation
    NavigationCurrentEntryChangeEvent     NavigationDestination NavigationHistoryEntry NavigationPrecommitController
    NavigationPreloadManager NavigationTransition     Navigator NavigatorLogin NavigatorManagedData NavigatorUAData
    NetworkInformation Node NodeFilter NodeIterator NodeList     NodeRange NotRestoredReasonDetails NotRestoredReasons
    Notification Number OTPCredential Object Observable     OfflineAudioCompletionEvent OfflineAudioContext
    OffscreenCanvas OffscreenCanvasRenderingContext2D OpaqueRange Option     OrientationSensor Origin OscillatorNode
    OverconstrainedError PERSISTENT PageRevealEvent PageSwapEvent PageTransitionEvent     PannerNode
    PasswordCredential Path2D PaymentAddress PaymentManager PaymentMethodChangeEvent PaymentRequest
    PaymentRequestUpdateEvent PaymentResponse Performance PerformanceElementTiming PerformanceEntry
    PerformanceEventTiming     PerformanceLongAnimationFrameTiming PerformanceLongTaskTiming PerformanceMark
    PerformanceMeasure PerformanceNavigation     PerformanceNavigationTiming PerformanceObserver
    PerformanceObserverEntryList PerformancePaintTiming     PerformanceResourceTiming PerformanceScriptTiming
    PerformanceServerTiming PerformanceSoftNavigation PerformanceTiming     PerformanceTimingConfidence
    PeriodicSyncManager PeriodicWave PermissionStatus Permissions PermissionsPolicy     PictureInPictureEvent
    PictureInPictureWindow Plugin PluginArray PointerEvent PopStateEvent Presentation     PresentationAvailability
    PresentationConnection PresentationConnectionAvailableEvent PresentationConnectionCloseEvent
    PresentationConnectionList PresentationReceiver PresentationRequest PressureObserver PressureRecord
    ProcessingInstruction     Profiler ProgressEvent Promise PromiseRejectionEvent ProtectedAudience Proxy
    PublicKeyCredential PushManager     PushSubscription PushSubscriptionOptions QuotaExceededError RTCCertificate
    RTCDTMFSender RTCDTMFToneChangeEvent     RTCDataChannel RTCDataChannelEvent RTCDtlsTransport RTCEncodedAudioFrame
    RTCEncodedVideoFrame RTCError RTCErrorEvent     RTCIceCandidate RTCIceTransport RTCPeerConnection
    RTCPeerConnectionIceErrorEvent RTCPeerConnectionIceEvent RTCRtpReceiver     RTCRtpScriptTransform RTCRtpSender
    RTCRtpTransceiver RTCSctpTransport RTCSessionDescription RTCStatsReport RTCTrackEvent     RadioNodeList Range
    RangeError ReadableByteStreamController ReadableStream ReadableStreamBYOBReader     ReadableStreamBYOBRequest
    ReadableStreamDefaultController ReadableStreamDefaultReader ReferenceError Reflect RegExp
    RelativeOrientationSensor RemotePlayback ReportBody ReportingObserver Request ResizeObserver ResizeObserverEntry
    ResizeObserverSize Response RestrictionTarget SVGAElement SVGAngle SVGAnimateElement SVGAnimateMotionElement
    SVGAnimateTransformElement SVGAnimatedAngle SVGAnimatedBoolean SVGAnimatedEnumeration SVGAnimatedInteger
    SVGAnimatedLength     SVGAnimatedLengthList SVGAnimatedNumber SVGAnimatedNumberList SVGAnimatedPreserveAspectRatio
    SVGAnimatedRect     SVGAnimatedString SVGAnimatedTransformList SVGAnimationElement SVGCircleElement
    SVGClipPathElement     SVGComponentTransferFunctionElement SVGDefsElement SVGDescElement SVGElement
    SVGEllipseElement SVGFEBlendElement     SVGFEColorMatrixElement SVGFEComponentTransferElement
    SVGFECompositeElement SVGFEConvolveMatrixElement     SVGFEDiffuseLightingElement SVGFEDisplacementMapElement
    SVGFEDistantLightElement SVGFEDropShadowElement SVGFEFloodElement     SVGFEFuncAElement SVGFEFuncBElement
    SVGFEFuncGElement SVGFEFuncRElement SVGFEGaussianBlurElement SVGFEImageElement     SVGFEMergeElement
    SVGFEMergeNodeElement SVGFEMorphologyElement SVGFEOffsetElement SVGFEPointLightElement
    SVGFESpecularLightingElement SVGFESpotLightElement SVGFETileElement SVGFETurbulenceElement SVGFilterElement
    SVGForeignObjectElement SVGGElement SVGGeometryElement SVGGradientElement SVGGraphicsElement SVGImageElement
    SVGLength     SVGLengthList SVGLineElement SVGLinearGradientElement SVGMPathElement SVGMarkerElement
    SVGMaskElement SVGMatrix     SVGMetadataElement SVGNumber SVGNumberList SVGPathElement SVGPatternElement SVGPoint
    SVGPointList SVGPolygonElement     SVGPolylineElement SVGPreserveAspectRatio SVGRadialGradientElement SVGRect
    SVGRectElement SVGSVGElement SVGScriptElement     SVGSetElement SVGStopElement SVGStringList SVGStyleElement
    SVGSwitchElement SVGSymbolElement SVGTSpanElement     SVGTextContentElement SVGTextElement SVGTextPathElement
    SVGTextPositioningElement SVGTitleElement SVGTransform     SVGTransformList SVGUnitTypes SVGUseElement
    SVGViewElement Sanitizer Scheduler Scheduling Screen ScreenDetailed     ScreenDetails ScreenOrientation
    ScriptProcessorNode ScrollTimeline SecurityPolicyViolationEvent Selection Sensor     SensorErrorEvent Serial
    SerialPort ServiceWorker ServiceWorkerContainer ServiceWorkerRegistration Set ShadowRoot     SharedWorker
    SnapEvent SourceBuffer SourceBufferList SpeechGrammar SpeechGrammarList SpeechRecognition
    SpeechRecognitionErrorEvent SpeechRecognitionEvent SpeechRecognitionPhrase SpeechSynthesis
    SpeechSynthesisErrorEvent     SpeechSynthesisEvent SpeechSynthesisUtterance SpeechSynthesisVoice StaticRange
    StereoPannerNode Storage StorageBucket     StorageBucketManager StorageEvent StorageManager String
    StylePropertyMap StylePropertyMapReadOnly StyleSheet     StyleSheetList SubmitEvent Subscriber SubtleCrypto
    Summarizer SuppressedError Symbol SyncManager SyntaxError TEMPORARY     TaskAttributionTiming TaskController
    TaskPriorityChangeEvent TaskSignal Temporal Text TextDecoder TextDecoderStream     TextEncoder TextEncoderStream
    TextEvent TextFormat TextFormatUpdateEvent TextMetrics TextTrack TextTrackCue     TextTrackCueList TextTrackList
    TextUpdateEvent TimeRanges TimelineTrigger TimelineTriggerRange TimelineTriggerRangeList     ToggleEvent Touch
    TouchEvent TouchList TrackEvent TransformStream TransformStreamDefaultController TransitionEvent     Translator
    TreeWalker TrustedHTML TrustedScript TrustedScriptURL TrustedTypePolicy TrustedTypePolicyFactory TypeError
    UIEvent URIError URL URLPattern URLSearchParams USB USBAlternateInterface USBConfiguration USBConnectionEvent
    USBDevice     USBEndpoint USBInTransferResult USBInterface USBIsochronousInTransferPacket
    USBIsochronousInTransferResult     USBIsochronousOutTransferPacket USBIsochronousOutTransferResult
    USBOutTransferResult Uint16Array Uint32Array Uint8Array     Uint8ClampedArray UserActivation VTTCue ValidityState
    VideoColorSpace VideoDecoder VideoEncoder VideoFrame     VideoPlaybackQuality ViewTimeline ViewTransition
    ViewTransitionTypeSet Viewport VirtualKeyboard     VirtualKeyboardGeometryChangeEvent VisibilityStateEntry
    VisualViewport WGSLLanguageFeatures WakeLock WakeLockSentinel     WaveShaperNode WeakMap WeakRef WeakSet
    WebAssembly WebGL2RenderingContext WebGLActiveInfo WebGLBuffer WebGLContextEvent     WebGLFramebuffer WebGLObject
    WebGLProgram WebGLQuery WebGLRenderbuffer WebGLRenderingContext WebGLSampler WebGLShader
    WebGLShaderPrecisionFormat WebGLSync WebGLTexture WebGLTransformFeedback WebGLUniformLocation
    WebGLVertexArrayObject     WebKitCSSMatrix WebKitMutationObserver WebSocket WebSocketError WebSocketStream
    WebTransport     WebTransportBidirectionalStream WebTransportDatagramDuplexStream WebTransportError WheelEvent
    Window WindowControlsOverlay     WindowControlsOverlayGeometryChangeEvent Worker Worklet WritableStream
    WritableStreamDefaultController     WritableStreamDefaultWriter XMLDocument XMLHttpRequest
    XMLHttpRequestEventTarget XMLHttpRequestUpload XMLSerializer     XPathEvaluator XPathExpression XPathResult
    XRAnchor XRAnchorSet XRBoundedReferenceSpace XRCPUDepthInformation XRCamera     XRCompositionLayer XRCubeLayer
    XRCylinderLayer XRDOMOverlayState XRDepthInformation XREquirectLayer XRFrame XRHand     XRHitTestResult
    XRHitTestSource XRInputSource XRInputSourceArray XRInputSourceEvent XRInputSourcesChangeEvent XRJointPose
    XRJointSpace XRLayer XRLayerEvent XRLightEstimate XRLightProbe XRPlane XRPlaneSet XRPose XRProjectionLayer
    XRQuadLayer     XRRay XRReferenceSpace XRReferenceSpaceEvent XRRenderState XRRigidTransform XRSession
    XRSessionEvent XRSpace XRSubImage     XRSystem XRTransientInputHitTestResult XRTransientInputHitTestSource XRView
    XRViewerPose XRViewport     XRVisibilityMaskChangeEvent XRWebGLBinding XRWebGLDepthInformation XRWebGLLayer
    XRWebGLSubImage XSLTProcessor     __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__
    addEventListener atob blur btoa caches     cancelAnimationFrame cancelIdleCallback captureEvents chrome
    clearInterval clearTimeout clientInformation close closed     constructor cookieStore crashReport
    createImageBitmap credentialless crossOriginIsolated crypto customElements decodeURI     decodeURIComponent
    devicePixelRatio dispatchEvent document documentPictureInPicture encodeURI encodeURIComponent escape     eval
    event external fence fetch fetchLater find focus frameElement frames getComputedStyle getScreenDetails
    getSelection     hasOwnProperty history indexedDB innerHeight innerWidth isFinite isNaN isPrototypeOf
    isSecureContext launchQueue length     localStorage location locationbar matchMedia menubar moveBy moveTo name
    navigation navigator offscreenBuffering onabort     onafterprint onanimationcancel onanimationend
    onanimationiteration onanimationstart onappinstalled onauxclick     onbeforeinput onbeforeinstallprompt
    onbeforematch onbeforeprint onbeforetoggle onbeforeunload onbeforexrselect onblur     oncancel oncanplay
    oncanplaythrough onchange onclick onclose oncommand oncontentvisibilityautostatechange oncontextlost
    oncontextmenu oncontextrestored oncuechange ondblclick ondevicemotion ondeviceorientation
    ondeviceorientationabsolute     ondrag ondragend ondragenter ondragleave ondragover ondragstart ondrop
    ondurationchange onemptied onended onerror onfocus     onformdata ongamepadconnected ongamepaddisconnected
    ongotpointercapture onhashchange oninput oninvalid onkeydown     onkeypress onkeyup onlanguagechange onload
    onloadeddata onloadedmetadata onloadstart onlostpointercapture onmessage     onmessageerror onmousedown
    onmouseenter onmouseleave onmousemove onmouseout onmouseover onmouseup onmousewheel onoffline     ononline
    onpagehide onpagereveal onpageshow onpageswap onpause onplay onplaying onpointercancel onpointerdown
    onpointerenter onpointerleave onpointermove onpointerout onpointerover onpointerrawupdate onpointerup onpopstate
    onprogress onratechange onrejectionhandled onreset onresize onscroll onscrollend onscrollsnapchange
    onscrollsnapchanging     onsearch onsecuritypolicyviolation onseeked onseeking onselect onselectionchange
    onselectstart onslotchange onstalled     onstorage onsubmit onsuspend ontimeupdate ontoggle ontransitioncancel
    ontransitionend ontransitionrun ontransitionstart     onunhandledrejection onunload onvolumechange onwaiting
    onwebkitanimationend onwebkitanimationiteration     onwebkitanimationstart onwebkittransitionend onwheel open
    opener origin originAgentCluster outerHeight outerWidth     pageXOffset pageYOffset parent parseFloat parseInt
    performance personalbar postMessage print propertyIsEnumerable     queryLocalFonts queueMicrotask releaseEvents
    removeEventListener reportError requestAnimationFrame requestIdleCallback     requestResize resizeBy resizeTo
    scheduler screen screenLeft screenTop screenX screenY scroll scrollBy scrollTo scrollX     scrollY scrollbars
    sessionStorage setInterval showDirectoryPicker showOpenFilePicker showSaveFilePicker speechSynthesis     status
    statusbar stop structuredClone styleMedia toLocaleString toString toolbar top trustedTypes unescape valueOf
    viewport visualViewport webkitCancelAnimationFrame webkitMediaStream webkitRTCPeerConnection
    webkitRequestAnimationFrame     webkitRequestFileSystem webkitResolveLocalFileSystemURL webkitSpeechGrammar
    webkitSpeechGrammarList     webkitSpeechRecognition webkitSpeechRecognitionError webkitSpeechRecognitionEvent
    webkitURL when
"""
