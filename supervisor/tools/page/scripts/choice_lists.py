"""Scripts that read the list of a field, and what the field shows as chosen."""

from __future__ import annotations

_BOXES = """
    const isOther = field => each => each !== field && each.type !== 'hidden' && each.tabIndex >= 0 && !each.ariaHidden
        && each.getClientRects().length > 0;
    const boxes = field => {
        if (!field.matches('input, textarea')) return [field];
        const found = [], others = node => [...node.querySelectorAll('input, select, textarea, [role=combobox]')];
        const isPart = node => node.matches('main, form, section, article, fieldset');  // of a page, not of a control
        for (let node = field.parentElement; node && found.length < 5; node = node.parentElement) {
            if (node === document.body || (found.length && isPart(node)) || others(node).some(isOther(field))) break;
            found.push(node);
        }
        return found;
    };
"""
"""A script: the elements around a field that are around no other one, nearest first."""

_LOOK = f"""(it, wanted, byValue) => {{ {_BOXES}
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), root = it.getRootNode();
    const isShown = node => node.getClientRects().length > 0;
    const isDrawn = node => [...node.getClientRects()].some(({{width, height, right, bottom}}) =>
        width && height && right + scrollX > 0 && bottom + scrollY > 0);  // many a list opens from a point
    const isEmpty = node => {{ const box = node.getBoundingClientRect(); return box.width < 2 && box.height < 2 }};
    const texts = node => [node.textContent, node.getAttribute('aria-label')].map(plain);
    const says = node => wanted.trim() !== '' && texts(node).includes(plain(wanted));
    const isValued = node => (node.dataset.value ?? node.getAttribute('value')) === wanted;
    const ids = `${{it.getAttribute('aria-controls') || ''}} ${{it.getAttribute('aria-owns') || ''}}`.trim();
    const named = ids.split(/\\s+/).map(id => id && root.getElementById(id)).filter(Boolean);
    const lists = named.length ? named : [...document.querySelectorAll('[role=listbox], [role=tree], [role=menu]')]
        .filter(list => isShown(list) && !globalThis.listsBefore?.has(list));
    const around = list => {{
        while (list && isShown(list) && isEmpty(list)) list = list.parentElement;
        return list?.contains(it) ? null : list;
    }};
    const drawn = new Set(lists.map(around).filter(Boolean)), isApart = lists.some(list => !drawn.has(list));
    const withRoles = isApart ? [] : [...drawn].flatMap(list => [...list.querySelectorAll('[role=option]')]);
    const marked = withRoles.filter(isShown);
    const options = marked.length ? marked : [...drawn].flatMap(list => [...list.querySelectorAll('*')])
        .filter(node => !node.children.length && node.textContent && isDrawn(node));
    const active = root.getElementById(it.getAttribute('aria-activedescendant') || '');
    const valued = byValue && wanted ? options.filter(isValued) : [];
    const option = options.find(says) || (valued.length === 1 ? valued[0] : undefined);
    globalThis.option = option;
    globalThis.options = options;
    globalThis.listField = it;
    if (isShown(it)) globalThis.fieldBox = it.getBoundingClientRect();
    const text = option && (options.some(says) ? wanted : option.textContent.trim().replace(/\\s+/g, ' '));
    const isFlag = ([name, value]) => name.match(/^(is)?multi(ple|line|select)?$/i) && value !== 'false';
    const isClass = name => name.match(/\\bmulti(ple$|-?select)|\\bis-?multi\\b/i);
    const isForSeveral = node => [...node.classList].some(isClass) || Object.entries(node.dataset).some(isFlag);
    const isMarked = list => list.getAttribute('aria-multiselectable') === 'true';
    const several = lists.some(isMarked) || boxes(it).some(isForSeveral);
    const isActive = active !== null && (says(active) || active === option);
    return {{text: text ?? null, options: options.length, moves: active !== null, several, is_active: isActive,
        is_drawn_apart: isApart}};
}}"""

LIST = f"""async function(wanted, within, byValue) {{
    const end = Date.now() + within * 1000;
    for (;;) {{
        const seen = ({_LOOK})(this, wanted, byValue);
        if (seen.text !== null || (!wanted && seen.options) || Date.now() >= end) return seen;
        await new Promise(done => setTimeout(done, 50));
    }}
}}"""
"""A function: looks for an option by its text, or with `byValue` by a value that no other option has, in the list of a
combobox. It repeats this for at most `within` seconds.

The list may be drawn without roles. One with roles may have no size, and only tell of the one that is drawn around it.
"""

SHOWN = f"""{_BOXES}
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), isWord = /[\\p{{L}}\\p{{N}}]/u;
    const isListed = node => node.matches('[role=listbox], [role=option]') || globalThis.options?.includes(node);
    const isNote = node => node.matches('label, legend, [class*=placeholder], [id*=placeholder]');
    const isNoteOnly = (node, all) => isNote(node) && !all.includes(plain(node.innerText));
    const isBare = (node, all) => !node.getClientRects().length || isListed(node) || isNoteOnly(node, all);
    const inside = node => [...(node.shadowRoot || node).children].slice(0, 50);
    const hasText = node => [...node.childNodes].some(each => each.nodeType === 3 && isWord.test(each.data));
    const texts = (node, all) => isBare(node, all) ? []
        : hasText(node) ? [node.innerText.trim()] : inside(node).flatMap(each => texts(each, all));
    const listed = [...document.querySelectorAll('[role=listbox]'), ...globalThis.options || []];
    const hasList = node => listed.some(each => node.contains(each));
    const own = node => hasList(node) ? [] : [node.innerText, ...(node.innerText || '').split(/[\\n,;]/)];
    const forms = (node, all) => isBare(node, all) ? []
        : [...own(node).map(plain), ...inside(node).flatMap(each => forms(each, all))];
    const chosen = (field, wanted) => {{
        const isHere = globalThis.chosenIn?.contains(field), all = wanted.map(plain);
        const hasAll = had => all.every(each => had.includes(each));
        const shown = node => wanted.length ? hasAll(forms(node, all)) : texts(node, all).length;
        if (wanted.length || !isHere) globalThis.chosenIn = boxes(field).find(shown);
        return globalThis.chosenIn ? texts(globalThis.chosenIn, all) : null;
    }};
    const shows = (field, wanted) =>
        field.value ? plain(field.value) === plain(wanted) : chosen(field, [wanted]) !== null;
"""
"""A script: the texts that a list field shows as chosen, itself or, while it is empty, beside itself."""

SHOWS = f"function(wanted) {{ {SHOWN} return shows(this, wanted) }}"

CHOSEN = f"""async function(wanted, within) {{ {SHOWN}
    const end = Date.now() + within * 1000, all = wanted.map(plain);
    const held = () => {{
        const hasAll = parts => all.every(text => parts.map(plain).includes(text));
        const takesNoKeys = this.readOnly || this.inputMode === 'none';
        const parts = takesNoKeys && [[this.value], this.value.split(',')].find(hasAll);
        return parts ? parts.map(text => text.trim()) : null;
    }};
    const seen = () => this.value ? held() : chosen(this, wanted);
    for (;;) {{
        const shown = seen();
        if (shown !== null || Date.now() >= end) return shown;
        await new Promise(done => setTimeout(done, 50));
    }}
}}"""
"""A function: the texts beside an empty field, or in one that takes no keys, where all of these are among them within
the time; else null."""

LEAVE = f"""async function(wanted, within) {{ {SHOWN}
    const box = this.isConnected ? this.getBoundingClientRect() : globalThis.fieldBox;
    this.blur();
    await new Promise(done => setTimeout(done, within * 1000));
    if (!this.getClientRects().length) {{
        const under = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return plain(under?.innerText) === plain(wanted) ? wanted : null;
    }}
    const isOpen = this.getAttribute('aria-expanded') === 'true';
    if (isOpen && this.closest('[role=grid], [role=treegrid]')) return null;
    if (!wanted) return this.value ? null : '';
    return shows(this, wanted) ? this.value || [...new Set(chosen(this, [wanted]))].join(', ') || wanted : null;
}}"""
"""A function: takes the focus away; the value that is shown then, null when that is another one than wanted.

Some fields show what was chosen beside them, and are empty. The editor of a table's cell goes away, and
leaves it there; one whose list stays open has not given it to its cell.
"""

LISTS_BEFORE = """function() {
    const isOpen = this.getAttribute('aria-expanded') === 'true', drawn = globalThis.options || [];
    if (globalThis.listField === this && drawn.some(each => each.getClientRects().length)) return true;
    const lists = document.querySelectorAll('[role=listbox], [role=tree], [role=menu]');
    globalThis.listsBefore = new Set(isOpen ? [] : [...lists].filter(list => list.getClientRects().length));
    return isOpen;
}"""
"""A function: keeps which lists are there before that of a combobox; whether its own is."""


_IS_CHOSEN = "(node => node.closest('[aria-selected]')?.getAttribute('aria-selected') === 'true')"
TO_CHOOSE = f"[globalThis.option].filter(node => node && !{_IS_CHOSEN}(node))"
TO_LEAVE = f"""(texts => {{
    const plain = text => (text || '').trim().replace(/\\s+/g, ' ').toLowerCase(), all = new Set(texts.map(plain));
    const isMeant = node => all.has(plain(node.textContent)) || all.has(plain(node.ariaLabel));
    return globalThis.options.filter(node => !isMeant(node) && {_IS_CHOSEN}(node));
}})"""
"""A function: the options that are chosen and have none of these texts."""
