"""Scripts that ask a page, for servers that have no tool for it."""

from __future__ import annotations

RECORDS = """() => new Promise((done, fail) => {
    const asked = indexedDB.open(%s), store = %s;
    asked.onerror = () => fail(asked.error);
    asked.onsuccess = () => {
        const all = asked.result.transaction(store).objectStore(store).getAll();
        all.onsuccess = () => { asked.result.close(); done(all.result) };
    };
})"""
"""The records of a store of IndexedDB, given as two JSON texts: the database and the store."""

CACHED = """async () => (await (await caches.open(%s)).match(%s)).text()"""
"""A response of CacheStorage, given as two JSON texts: the cache and the address."""

VITALS = """() => new Promise(done => {
    const all = {};
    for (const type of ['largest-contentful-paint', 'layout-shift', 'navigation', 'resource'])
        new PerformanceObserver(list => { all[type] = list.getEntries().map(entry => ({
            name: entry.name, url: entry.url, element: entry.element?.id, value: entry.value, start: entry.startTime,
            responseStart: entry.responseStart, blocks: entry.renderBlockingStatus,
            moved: entry.sources?.map(source => source.node?.id)})) }).observe({type, buffered: true});
    setTimeout(() => done({ttfb: all.navigation?.[0].responseStart, ...all}), 100);
})"""
"""The entries that Core Web Vitals are made of."""

PAGE_TOOLS = "async () => (await document.modelContext.getTools()).map(tool => [tool.name, tool.description])"
CALL_PAGE_TOOL = """async () => {
    const tools = await document.modelContext.getTools();
    return document.modelContext.executeTool(tools.find(tool => tool.name === %s), %s);
}"""
"""Given as two JSON texts: the name, and its arguments."""

UNUSED_CODE = """async page => (await page.coverage.stopJSCoverage()).map(script => {
    let unused = 0;
    for (const each of script.functions) for (const range of each.ranges)
        if (!range.count) unused += range.endOffset - range.startOffset;
    return {unused, url: script.url};
}).sort((one, other) => other.unused - one.unused)"""
"""Code for Playwright, for a function of its page."""

HIGHLIGHT = "element => { element.style.outline = '3px solid orange' }"
NO_HIGHLIGHT = "element => { element.style.outline = '' }"

RULES = """element => [...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
    .filter(rule => element.matches(rule.selectorText)).map(rule => rule.cssText)"""
"""The rules that style an element."""

CHOOSE_ACCOUNT = """async page => {
    const cdp = await page.context().newCDPSession(page), email = %s;
    await cdp.send('FedCm.enable', {disableRejectionDelay: true});
    const shown = new Promise(done => cdp.once('FedCm.dialogShown', done));
    await page.locator(%s).click();
    const {dialogId, accounts} = await shown;
    const accountIndex = accounts.findIndex(account => account.email === email);
    if (email) await cdp.send('FedCm.selectAccount', {dialogId, accountIndex});
    else await cdp.send('FedCm.dismissDialog', {dialogId});
}"""
"""Code for Playwright, given as two JSON texts: the e-mail address, and the locator of the button that opens the
chooser."""
