"""The language itself, texts, numbers, secrets."""

from __future__ import annotations

from evals.web_platform.feature import Feature

FEATURES = (
    Feature(
        "international_formats",
        """
        const date = new Date(Date.UTC(2024, 1, 29, 12));
        tell([date.toLocaleDateString('de', {dateStyle: 'full', timeZone: 'UTC'}), (1234.5).toLocaleString('de'),
              new Intl.PluralRules('ar').select(2), new Intl.ListFormat('en').format(['a', 'b']),
              ['ä', 'a', 'z'].sort(new Intl.Collator('sv').compare),
              [...new Intl.Segmenter('en').segment('ab')].length]);
        """,
    ),
    Feature(
        "international_defaults",
        """
        const {locale, timeZone, calendar} = Intl.DateTimeFormat().resolvedOptions();
        tell([locale, timeZone, calendar, new Date(0).getTimezoneOffset(), navigator.language]);
        """,
    ),
    Feature(
        "digests_and_signatures",
        """
        const data = new TextEncoder().encode('text');
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
        same([digest[0], digest[31]], [0x98, 0xd1]);
        const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
        const {privateKey, publicKey} = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
        const signature = await crypto.subtle.sign(algorithm, privateKey, data);
        same(await crypto.subtle.verify(algorithm, publicKey, signature, data), true);
        """,
    ),
    Feature(
        "encryption",
        """
        const key = await crypto.subtle.generateKey({name: 'AES-GCM', length: 256}, true, ['encrypt', 'decrypt']);
        const algorithm = {name: 'AES-GCM', iv: crypto.getRandomValues(new Uint8Array(12))};
        const secret = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode('text'));
        same(new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, secret)), 'text');
        same(crypto.randomUUID().length, 36);
        """,
    ),
    Feature(
        "texts_and_encodings",
        """
        same([new TextDecoder('windows-1251').decode(new Uint8Array([0xC6])), new TextEncoder().encode('€').length],
             ['Ж', 3]);
        same([btoa('text'), 'a\\ud800'.isWellFormed()], ['dGV4dA==', false]);
        """,
    ),
    Feature(
        "url_pattern",
        """
        need(window.URLPattern, 'URLPattern');
        same(new URLPattern({pathname: '/items/:id'}).exec('https://example.com/items/7').pathname.groups.id, '7');
        """,
    ),
    Feature(
        "language_of_today",
        """
        class Own { #secret = 1; static has(value) { return #secret in value; } }
        const grouped = Object.groupBy([1, 2, 3], value => value % 2 ? 'odd' : 'even');
        same([Own.has(new Own()), grouped.odd, [3, 1].toSorted()], [true, [1, 3], [1, 3]]);
        same([/[\\p{L}--[a-z]]/v.test('A'), await Array.fromAsync([1])], [true, [1]]);
        """,
    ),
    Feature(
        "generators_and_iterators",
        """
        async function* count() { for (let number = 0; number < 3; number++) yield number; }
        const seen = [];
        for await (const number of count()) seen.push(number);
        same([seen, [1, 2, 3].values().map?.(value => value * 2).toArray()], [[0, 1, 2], [2, 4, 6]]);
        """,
    ),
    Feature(
        "temporal",
        """
        need(window.Temporal, 'Temporal');
        same(Temporal.PlainDate.from('2024-02-29').add({years: 1}).toString(), '2025-02-28');
        """,
    ),
    Feature(
        "proxies_and_weak_references",
        """
        const target = {}, proxy = new Proxy(target, {get: (_, name) => 'got ' + name});
        same([proxy.anything, new WeakRef(target).deref() === target], ['got anything', true]);
        """,
    ),
    Feature(
        "shared_memory_without_isolation", "same([typeof SharedArrayBuffer, crossOriginIsolated], ['undefined', false])"
    ),
)
