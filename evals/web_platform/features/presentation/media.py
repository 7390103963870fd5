"""Sound, video, and connections between peers."""

from __future__ import annotations

import struct

from evals.web_platform.feature import Feature
from tests.support.servers.sites import Response

RATE = 8000
SAMPLES = bytes(RATE // 10)
WAVE = (
    b"RIFF"
    + struct.pack("<I", 36 + len(SAMPLES))
    + b"WAVEfmt "
    + struct.pack("<IHHIIHH", 16, 1, 1, RATE, RATE, 1, 8)
    + b"data"
    + struct.pack("<I", len(SAMPLES))
    + SAMPLES
)
"""A tenth of a second."""
SOUND = {"sound.wav": Response(WAVE, headers={"Content-Type": "audio/wav"})}

RECORD = """
need(window.MediaRecorder, 'MediaRecorder');
const canvas = element('canvas'), context = canvas.getContext('2d'), pieces = [];
context.fillRect(0, 0, 50, 50);
const recorder = new MediaRecorder(canvas.captureStream(), {mimeType: 'video/webm;codecs=vp8'});
recorder.ondataavailable = event => event.data.size && pieces.push(event.data);
recorder.start(20);
for (let count = 0; pieces.length < 4; count++) {
  context.fillRect(count % 100, 0, 50, 50);
  await nextFrame();
}
await once(recorder, 'stop', () => recorder.stop());
const film = URL.createObjectURL(new Blob(pieces, {type: 'video/webm'}));
"""

FEATURES = (
    Feature(
        "audio_file",
        """
        const audio = element('audio');
        await once(audio, 'canplaythrough', () => audio.src = 'sound.wav');
        same([audio.duration, audio.readyState, audio.error], [0.1, 4, null]);
        """,
        files=SOUND,
    ),
    Feature(
        "audio_playing_muted",
        """
        const audio = element('video', {muted: true, src: 'sound.wav'});
        const ended = once(audio, 'ended');
        await audio.play();
        await ended;
        same(audio.currentTime, 0.1);
        """,
        files=SOUND,
    ),
    Feature(
        "audio_needs_a_gesture",
        "tell(await refusal(element('audio', {src: 'sound.wav'}).play()))",
        files=SOUND,
    ),
    Feature(
        "audio_that_is_broken",
        """
        const audio = element('audio');
        await once(audio, 'error', () => audio.src = 'text.wav');
        same(audio.error.code, MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED);
        """,
        files={"text.wav": "no sound"},
    ),
    Feature(
        "video_recorded_and_shown",
        RECORD
        + """
        const video = element('video', {muted: true});
        await once(video, 'canplay', () => video.src = film);
        same([video.videoWidth, video.videoHeight], [300, 150]);
        await video.play();
        """,
    ),
    Feature(
        "video_of_a_stream",
        """
        const canvas = element('canvas'), context = canvas.getContext('2d'), video = element('video', {muted: true});
        context.fillRect(0, 0, 50, 50);
        video.srcObject = canvas.captureStream();
        await video.play();
        const drawing = setInterval(() => context.fillRect(Math.random() * 100, 0, 50, 50), 10);
        await wait('a frame of the video', new Promise(resolve => video.requestVideoFrameCallback(resolve)));
        clearInterval(drawing);
        same(video.videoWidth, 300);
        """,
    ),
    Feature(
        "media_source",
        """
        const source = new MediaSource(), video = element('video');
        await once(source, 'sourceopen', () => video.src = URL.createObjectURL(source));
        same([source.readyState, MediaSource.isTypeSupported('video/webm; codecs="vp8"')], ['open', true]);
        """,
    ),
    Feature(
        "audio_context",
        "const context = new AudioContext(); tell([context.state, context.sampleRate]); context.close()",
    ),
    Feature(
        "audio_context_offline",
        """
        const context = new OfflineAudioContext(1, 100, 44100);
        const source = new ConstantSourceNode(context, {offset: 0.25});
        source.connect(context.destination);
        source.start();
        same((await context.startRendering()).getChannelData(0)[50], 0.25);
        """,
    ),
    Feature(
        "audio_decoded",
        """
        const context = new OfflineAudioContext(1, 1, 8000);
        same((await context.decodeAudioData(await (await fetch('sound.wav')).arrayBuffer())).length, 800);
        """,
        files=SOUND,
    ),
    Feature(
        "video_codecs",
        """
        need(window.VideoEncoder, 'WebCodecs');
        const chunks = [];
        const encoder = new VideoEncoder({
          output: chunk => chunks.push(chunk.type),
          error: error => chunks.push(error.name),
        });
        encoder.configure({codec: 'vp8', width: 64, height: 64});
        encoder.encode(new VideoFrame(new OffscreenCanvas(64, 64).getContext('2d').canvas, {timestamp: 0}));
        await wait('the encoder', encoder.flush());
        same(chunks, ['key']);
        """,
    ),
    Feature(
        "peer_connection",
        """
        need(window.RTCPeerConnection, 'RTCPeerConnection');
        const one = new RTCPeerConnection(), two = new RTCPeerConnection();
        const channel = one.createDataChannel('channel');
        one.onicecandidate = ({candidate}) => candidate && two.addIceCandidate(candidate);
        two.onicecandidate = ({candidate}) => candidate && one.addIceCandidate(candidate);
        await one.setLocalDescription();
        await two.setRemoteDescription(one.localDescription);
        await two.setLocalDescription();
        await one.setRemoteDescription(two.localDescription);
        two.ondatachannel = event => event.channel.onmessage = ({data}) => event.channel.send('echo ' + data);
        const opened = await Promise.race([once(channel, 'open').then(() => true), sleep(2000).then(() => false)]);
        need(opened, 'a network between peers');
        channel.send('hello');
        same(await message(channel), 'echo hello');
        """,
    ),
    Feature(
        "media_devices",
        """
        const devices = await navigator.mediaDevices.enumerateDevices();
        tell(devices.map(({kind, label}) => [kind, label]));
        """,
    ),
    Feature(
        "speech",
        "tell([speechSynthesis.getVoices().length, speechSynthesis.speaking, typeof window.webkitSpeechRecognition])",
    ),
    Feature(
        "media_session",
        """
        navigator.mediaSession.metadata = new MediaMetadata({title: 'title'});
        navigator.mediaSession.setActionHandler('play', () => {});
        same(navigator.mediaSession.playbackState, 'none');
        """,
    ),
    Feature(
        "element_capture",
        "tell(['CropTarget', 'RestrictionTarget', 'CaptureController'].map(name => typeof window[name]))",
    ),
)
