"""Permissions, devices and sensors."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page

NAMES = """
'geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write', 'persistent-storage',
'midi', 'background-sync', 'accelerometer', 'screen-wake-lock', 'storage-access', 'window-management', 'local-fonts',
'idle-detection', 'payment-handler', 'local-network-access', 'captured-surface-control'
"""
STATES = f"""
const states = {{}};
for (const name of [{NAMES}])
  states[name] = await navigator.permissions.query({{name}}).then(({{state}}) => state, error => error.name);
"""

FEATURES = (
    Feature("permissions", STATES + "tell(states)"),
    Feature(
        "permissions_in_a_cross_site_frame",
        "tell(await wordOfFrame({src: elsewhere('frame.html'), allow: 'geolocation; camera'}))",
        files={"frame.html": page(STATES + "parent.postMessage(states, '*')")},
    ),
    Feature(
        "geolocation",
        """
        const {geolocation} = navigator, {promise, resolve} = Promise.withResolvers();
        geolocation.getCurrentPosition(() => resolve('a position'), ({code}) => resolve(code), {timeout: 1000});
        tell(await wait('a position', promise));
        """,
    ),
    Feature(
        "notifications", "tell([Notification.permission, await wait('an answer', Notification.requestPermission())])"
    ),
    Feature(
        "wake_lock",
        """
        need(navigator.wakeLock, 'navigator.wakeLock');
        tell(await wait('a lock', refusal(async () => (await navigator.wakeLock.request('screen')).release())));
        """,
    ),
    Feature(
        "camera_and_microphone",
        "tell(await wait('an answer', refusal(navigator.mediaDevices.getUserMedia({audio: true, video: true}))))",
    ),
    Feature("gamepads", "tell([...navigator.getGamepads()])"),
    Feature(
        "battery",
        "need(navigator.getBattery, 'getBattery'); tell(typeof (await navigator.getBattery()).charging)",
    ),
    Feature(
        "network_information",
        """
        need(navigator.connection, 'navigator.connection');
        tell([navigator.connection.type ?? null, navigator.connection.saveData]);
        """,
    ),
    Feature("vibration", "tell([navigator.vibrate?.(10), await refusal(async () => navigator.share({text: 'text'}))])"),
    Feature(
        "devices_that_need_a_gesture",
        """
        const asked = {};
        for (const name of ['bluetooth', 'usb', 'hid', 'serial'])
          asked[name] = await wait(name, refusal(async () => {
            need(navigator[name], 'absent');
            await (name === 'serial' ? navigator.serial.requestPort() : navigator[name].requestDevice({filters: []}));
          }));
        tell(asked);
        """,
    ),
    Feature(
        "credentials",
        """
        need(window.PublicKeyCredential, 'PublicKeyCredential');
        tell([await wait('an answer', PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()),
              await wait('a password', refusal(navigator.credentials.get({password: true, mediation: 'silent'})))]);
        """,
    ),
    Feature(
        "payment",
        """
        need(window.PaymentRequest, 'PaymentRequest');
        const total = {label: 'total', amount: {currency: 'EUR', value: '1'}};
        tell(await refusal(() => new PaymentRequest([{supportedMethods: 'secure-payment-confirmation'}], {total})));
        """,
    ),
    Feature(
        "screens",
        """
        need(window.getScreenDetails, 'getScreenDetails');
        tell([screen.isExtended, await wait('an answer', refusal(getScreenDetails()))]);
        """,
    ),
    Feature(
        "sensors",
        """
        need(window.Accelerometer, 'sensors');
        const sensor = new Accelerometer();
        const answer = Promise.race([once(sensor, 'error'), once(sensor, 'reading')]);
        sensor.start();
        tell((await answer).type);
        """,
    ),
    Feature(
        "pressure",
        """
        need(window.PressureObserver, 'PressureObserver');
        tell(PressureObserver.knownSources);
        """,
    ),
    Feature(
        "idle_detector",
        "need(window.IdleDetector, 'IdleDetector'); tell(await refusal(IdleDetector.requestPermission()))",
    ),
    Feature("eye_dropper", "need(window.EyeDropper, 'EyeDropper'); tell(await refusal(new EyeDropper().open()))"),
)
