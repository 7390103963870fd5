"""Elements with a life of their own: dialogs, popovers, custom elements, shadow trees."""

from __future__ import annotations

from evals.web_platform.feature import Feature

FEATURES = (
    Feature(
        "dialog_element",
        """
        const dialog = document.querySelector('dialog');
        dialog.showModal();
        same([dialog.open, dialog.matches(':modal'), document.activeElement.id], [true, true, 'inside']);
        const closed = once(dialog, 'close');
        dialog.querySelector('form').requestSubmit(dialog.querySelector('button'));
        await closed;
        same([dialog.open, dialog.returnValue], [false, 'yes']);
        """,
        html='<dialog><form method="dialog"><button id="inside" value="yes">Yes</button></form></dialog>',
    ),
    Feature(
        "dialog_element_cancelled",
        """
        const dialog = document.querySelector('dialog');
        need(dialog.requestClose, 'requestClose');
        dialog.showModal();
        const cancelled = once(dialog, 'cancel'), closed = once(dialog, 'close');
        dialog.requestClose('no');
        await cancelled;
        await closed;
        same(dialog.returnValue, 'no');
        """,
        html="<dialog>Dialog</dialog>",
    ),
    Feature(
        "popover",
        """
        const popover = document.getElementById('popover');
        const opened = once(popover, 'toggle');
        document.querySelector('button').click();
        same([(await opened).newState, popover.matches(':popover-open')], ['open', true]);
        same((await once(popover, 'toggle', () => popover.hidePopover())).newState, 'closed');
        """,
        html='<button popovertarget="popover">Open</button><div id="popover" popover>Popover</div>',
    ),
    Feature(
        "details_and_their_toggle",
        """
        const [first, second] = document.querySelectorAll('details');
        await once(first, 'toggle', () => first.open = true);
        await once(second, 'toggle', () => second.open = true);
        same([first.open, second.open], [false, true]);
        """,
        html='<details name="group">One</details><details name="group">Two</details>',
    ),
    Feature(
        "commands_of_buttons",
        """
        need('commandForElement' in HTMLButtonElement.prototype, 'commandfor');
        document.querySelector('button').click();
        same(document.querySelector('dialog').open, true);
        """,
        html='<button commandfor="dialog" command="show-modal">Open</button><dialog id="dialog">Dialog</dialog>',
    ),
    Feature(
        "custom_element",
        """
        const heard = [];
        customElements.define('own-element', class extends HTMLElement {
          static observedAttributes = ['name'];
          constructor() { super(); heard.push('constructed'); }
          connectedCallback() { heard.push('connected'); }
          disconnectedCallback() { heard.push('disconnected'); }
          attributeChangedCallback(name, old, value) { heard.push(name + '=' + value); }
        });
        const own = document.querySelector('own-element');
        own.setAttribute('name', 'b');
        own.remove();
        same(heard, ['constructed', 'name=a', 'connected', 'name=b', 'disconnected']);
        """,
        html='<own-element name="a"></own-element>',
    ),
    Feature(
        "custom_element_extended_and_awaited",
        """
        const defined = customElements.whenDefined('own-button');
        class OwnButton extends HTMLButtonElement { get isOwn() { return true } }
        customElements.define('own-button', OwnButton, {extends: 'button'});
        same([(await defined).name, document.querySelector('button').isOwn], ['OwnButton', true]);
        """,
        html='<button is="own-button">Button</button>',
    ),
    Feature(
        "shadow_tree_and_slots",
        """
        const host = document.getElementById('host'), root = host.attachShadow({mode: 'closed'});
        root.innerHTML = '<style>p { color: red }</style><p>inside</p><slot></slot>';
        const slot = root.querySelector('slot');
        await once(slot, 'slotchange', () => host.append('slotted'));
        same([slot.assignedNodes()[0].data, host.shadowRoot, getComputedStyle(root.querySelector('p')).color],
             ['slotted', null, 'rgb(255, 0, 0)']);
        """,
        html='<div id="host"></div>',
    ),
    Feature(
        "shadow_tree_declared",
        "same(document.getElementById('host').shadowRoot.querySelector('p').textContent, 'inside')",
        html='<div id="host"><template shadowrootmode="open"><p>inside</p></template></div>',
    ),
    Feature(
        "shadow_tree_and_events",
        """
        const host = document.getElementById('host'), root = host.attachShadow({mode: 'open'});
        root.innerHTML = '<button>Button</button>';
        const event = once(document, 'click');
        root.querySelector('button').click();
        const heard = await event;
        same([heard.target.id, heard.composed], ['host', true]);
        """,
        html='<div id="host"></div>',
    ),
    Feature(
        "template_and_ranges",
        """
        const copy = document.querySelector('template').content.cloneNode(true), range = document.createRange();
        document.body.append(copy);
        range.selectNodeContents(document.getElementById('copied'));
        const texts = document.createTreeWalker(range.startContainer, NodeFilter.SHOW_TEXT);
        same([range.toString(), texts.nextNode().data], ['copied', 'copied']);
        """,
        html='<template><p id="copied">copied</p></template>',
    ),
    Feature(
        "inert_parts",
        """
        const button = document.querySelector('button');
        button.focus();
        same(document.activeElement === button, false);
        document.querySelector('div').inert = false;
        button.focus();
        same(document.activeElement === button, true);
        """,
        html="<div inert><button>Button</button></div>",
    ),
    Feature(
        "style_sheets_of_scripts",
        """
        const sheet = new CSSStyleSheet();
        await sheet.replace('body { color: rgb(1, 2, 3) }');
        document.adoptedStyleSheets = [sheet];
        CSS.registerProperty?.({name: '--own', syntax: '<length>', inherits: false, initialValue: '3px'});
        const style = getComputedStyle(document.body);
        same([style.color, style.getPropertyValue('--own')], ['rgb(1, 2, 3)', '3px']);
        """,
    ),
    Feature(
        "highlights",
        """
        need(CSS.highlights, 'CSS.highlights');
        const range = new Range();
        range.selectNodeContents(document.querySelector('p'));
        CSS.highlights.set('own', new Highlight(range));
        await nextFrame();
        same(CSS.highlights.size, 1);
        """,
        html="<style>::highlight(own) { color: red }</style><p>Text</p>",
    ),
    Feature(
        "anchor_positions",
        """
        need(CSS.supports('anchor-name: --a'), 'anchor positions');
        const {top} = document.getElementById('anchored').getBoundingClientRect();
        same(top, document.getElementById('anchor').getBoundingClientRect().bottom);
        """,
        html="""<style>
        #anchor { anchor-name: --a }
        #anchored { position: absolute; position-anchor: --a; top: anchor(bottom); margin: 0 }
        </style><p id="anchor">Anchor</p><p id="anchored">Anchored</p>""",
    ),
)
