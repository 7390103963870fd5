"""Timers, tasks and their order."""

from __future__ import annotations

from evals.web_platform.feature import Feature

FEATURES = (
    Feature(
        "timers_order",
        """
        const order = [], note = name => () => order.push(name);
        setTimeout(note('20 ms'), 20);
        setTimeout(note('0 ms'));
        queueMicrotask(note('microtask'));
        Promise.resolve().then(note('promise'));
        order.push('now');
        await until(() => order.length === 5);
        same(order, ['now', 'microtask', 'promise', '0 ms', '20 ms']);
        """,
    ),
    Feature(
        "timers_interval",
        """
        const times = [];
        const timer = setInterval(() => times.push(performance.now()), 10);
        await until(() => times.length >= 10);
        clearInterval(timer);
        tell(tempo(median(times.slice(1).map((time, index) => time - times[index]))));
        """,
    ),
    Feature(
        "timers_nested",
        """
        const times = [];
        for (let count = 0; count < 15; count++) {
          const before = performance.now();
          await new Promise(resolve => setTimeout(resolve, 0));
          times.push(performance.now() - before);
        }
        tell([median(times.slice(6)) >= 3 ? 'at least 4 ms' : 'less', tempo(median(times.slice(6)))]);
        """,
    ),
    Feature(
        "timers_cleared",
        """
        let count = 0;
        clearTimeout(setTimeout(() => count++, 5));
        const timer = setInterval(() => count++, 5);
        clearInterval(timer);
        await sleep(20);
        same(count, 0);
        """,
    ),
    Feature(
        "timers_of_text",
        "setTimeout('window.ran = true', 0); await until(() => window.ran)",
    ),
    Feature(
        "timers_in_a_frame_without_a_box",
        """
        const inner = await frame({srcdoc: '', style: 'display: none'});
        same(await wait('a timer', new Promise(resolve => inner.contentWindow.setTimeout(resolve, 5, 'ran'))), 'ran');
        """,
    ),
    Feature(
        "scheduler_priorities",
        """
        need(window.scheduler?.postTask, 'scheduler');
        const order = [];
        await Promise.all(['background', 'user-visible', 'user-blocking'].map(priority =>
          scheduler.postTask(() => order.push(priority), {priority})));
        same(order, ['user-blocking', 'user-visible', 'background']);
        """,
    ),
    Feature(
        "scheduler_yield",
        """
        need(window.scheduler?.yield, 'scheduler.yield');
        await scheduler.yield();
        const controller = new TaskController();
        const task = scheduler.postTask(() => {}, {signal: controller.signal, delay: 1000});
        controller.abort();
        same(await refusal(task), 'AbortError');
        """,
    ),
    Feature(
        "tasks_through_a_channel",
        """
        const {port1, port2} = new MessageChannel();
        let count = 0;
        await wait('50 tasks', new Promise(resolve => {
          port1.onmessage = () => ++count === 50 ? resolve() : port2.postMessage('');
          port2.postMessage('');
        }));
        """,
    ),
    Feature(
        "clocks",
        """
        const before = performance.now();
        await sleep(20);
        const passed = performance.now() - before;
        same([passed >= 19, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000], [true, true]);
        """,
    ),
    Feature(
        "abort_signals",
        """
        const signal = AbortSignal.any([AbortSignal.timeout(10), new AbortController().signal]);
        await once(signal, 'abort');
        same(signal.reason.name, 'TimeoutError');
        """,
    ),
    Feature(
        "busy_script",
        """
        const began = performance.now();
        while (performance.now() - began < 50);
        await nextFrame();
        """,
    ),
)
