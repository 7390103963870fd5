"""Worklets: audio and paint."""

from __future__ import annotations

from evals.web_platform.feature import Feature

PROCESSOR = """
registerProcessor('constant', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.port.postMessage('constructed');
  }
  process(inputs, [[channel]]) {
    channel.fill(0.5);
    return true;
  }
});
"""

RENDER = """
const context = new OfflineAudioContext(1, 256, 44100);
await wait('the module', context.audioWorklet.addModule(SOURCE));
new AudioWorkletNode(context, 'constant').connect(context.destination);
same((await wait('the sound', context.startRendering())).getChannelData(0)[200], 0.5);
"""

FEATURES = (
    Feature("audio_worklet", RENDER.replace("SOURCE", "'processor.js'"), files={"processor.js": PROCESSOR}),
    Feature(
        "audio_worklet_blob",
        "const source = URL.createObjectURL(new Blob([await text('processor.js')], {type: 'text/javascript'}));"
        + RENDER.replace("SOURCE", "source"),
        files={"processor.js": PROCESSOR},
    ),
    Feature(
        "audio_worklet_port",
        """
        const context = new OfflineAudioContext(1, 256, 44100);
        await wait('the module', context.audioWorklet.addModule('processor.js'));
        same(await message(new AudioWorkletNode(context, 'constant').port), 'constructed');
        """,
        files={"processor.js": PROCESSOR},
    ),
    Feature(
        "audio_worklet_error",
        """
        const context = new OfflineAudioContext(1, 256, 44100);
        same(await refusal(wait('the module', context.audioWorklet.addModule('missing.js'))), 'AbortError');
        """,
    ),
    Feature(
        "paint_worklet",
        """
        need(CSS.paintWorklet, 'CSS.paintWorklet');
        await wait('the module', CSS.paintWorklet.addModule('painter.js'));
        document.getElementById('painted').style.backgroundImage = 'paint(filled)';
        await nextFrame();
        await nextFrame();
        """,
        html='<div id="painted" style="width: 50px; height: 50px"></div>',
        files={
            "painter.js": """
            registerPaint('filled', class {
              paint(context, {width, height}) { context.fillRect(0, 0, width, height); }
            });
            """,
        },
    ),
    Feature(
        "paint_worklet_blob",
        """
        need(CSS.paintWorklet, 'CSS.paintWorklet');
        const source = new Blob(['registerPaint("empty", class { paint() {} })'], {type: 'text/javascript'});
        await wait('the module', CSS.paintWorklet.addModule(URL.createObjectURL(source)));
        """,
    ),
)
