"""Focus, selection, clipboard, synthetic input, and what needs a person's gesture."""

from __future__ import annotations

from evals.web_platform.feature import Feature

FEATURES = (
    Feature(
        "focus_of_the_document",
        "await until(() => document.hasFocus()); same(document.activeElement === document.body, true)",
    ),
    Feature(
        "focus_events",
        """
        await until(() => document.hasFocus());
        const [first, second] = document.querySelectorAll('input'), heard = [];
        for (const type of ['focusin', 'focusout', 'focus', 'blur'])
          document.addEventListener(type, event => heard.push(`${type} ${event.target.id}`), true);
        first.focus();
        second.focus();
        second.blur();
        tell(heard);
        """,
        html='<input id="first"><input id="second">',
    ),
    Feature(
        "focus_by_autofocus",
        "await until(() => document.activeElement.id === 'field')",
        html='<input id="field" autofocus>',
    ),
    Feature(
        "focus_pseudo_classes",
        """
        await until(() => document.hasFocus());
        document.getElementById('field').focus();
        for (const query of ['#field:focus', '#field:focus-visible', 'form:focus-within'])
          same([query, !!document.querySelector(query)], [query, true]);
        """,
        html='<form><input id="field"></form>',
    ),
    Feature(
        "selection",
        """
        const changed = once(document, 'selectionchange');
        getSelection().selectAllChildren(document.getElementById('text'));
        await changed;
        same([getSelection().toString(), getSelection().type], ['some text', 'Range']);
        """,
        html='<p id="text">some <b>text</b></p>',
    ),
    Feature(
        "selection_in_a_field",
        """
        const field = document.querySelector('input');
        field.focus();
        const selected = once(field, 'select');
        field.setSelectionRange(1, 3);
        await selected;
        field.setRangeText('XX');
        same([field.value, field.selectionStart], ['aXXd', 1]);
        """,
        html='<input value="abcd">',
    ),
    Feature(
        "editing",
        """
        const field = document.getElementById('field'), heard = [];
        for (const type of ['beforeinput', 'input'])
          field.addEventListener(type, event => heard.push(`${type} ${event.inputType}`));
        field.focus();
        document.execCommand('insertText', false, 'typed');
        document.execCommand('bold');
        tell([field.textContent, heard]);
        """,
        html='<div id="field" contenteditable></div>',
    ),
    Feature(
        "edit_context",
        """
        need(window.EditContext, 'EditContext');
        const context = new EditContext({text: 'abc'});
        document.getElementById('field').editContext = context;
        context.updateText(0, 1, 'X');
        same(context.text, 'Xbc');
        """,
        html='<div id="field" tabindex="0"></div>',
    ),
    Feature(
        "clicks_of_a_script",
        """
        const button = document.querySelector('button'), heard = [];
        for (const [target, capture] of [[document, true], [button, false], [document, false]])
          target.addEventListener('click', event => heard.push([event.eventPhase, event.isTrusted]), capture);
        button.click();
        same(heard, [[1, false], [2, false], [3, false]]);
        """,
        html="<button>Button</button>",
    ),
    Feature(
        "events_that_are_dispatched",
        """
        const heard = [];
        const events = [new PointerEvent('pointerdown', {pointerId: 5}), new KeyboardEvent('keydown', {key: 'a'}),
                        new WheelEvent('wheel', {deltaY: 3}), new InputEvent('input', {data: 'x'}),
                        new CustomEvent('own'), new ClipboardEvent('paste', {clipboardData: new DataTransfer()})];
        for (const event of events) {
          document.addEventListener(event.type, ({type, isTrusted}) => heard.push([type, isTrusted]));
          document.dispatchEvent(event);
        }
        same(heard, events.map(({type}) => [type, false]));
        """,
    ),
    Feature(
        "drag_and_drop_events",
        """
        const [source, target] = document.querySelectorAll('div'), data = new DataTransfer(), heard = [];
        source.addEventListener('dragstart', event => event.dataTransfer.setData('text/plain', 'dragged'));
        target.addEventListener('dragover', event => event.preventDefault());
        target.addEventListener('drop', event => heard.push(event.dataTransfer.getData('text/plain')));
        const drag = (type, part) =>
          part.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
        drag('dragstart', source);
        drag('dragover', target);
        drag('drop', target);
        same(heard, ['dragged']);
        """,
        html='<div draggable="true">source</div><div>target</div>',
    ),
    Feature(
        "user_activation",
        "same([navigator.userActivation.isActive, navigator.userActivation.hasBeenActive], [false, false])",
    ),
    Feature(
        "fullscreen_needs_a_gesture",
        "tell([document.fullscreenEnabled, await refusal(document.body.requestFullscreen())])",
    ),
    Feature(
        "pointer_lock_needs_a_gesture",
        """
        let refused = '';
        await until(async () => { // a window that has just opened may not have the focus yet
          refused = await refusal(document.body.requestPointerLock());
          return refused !== 'WrongDocumentError';
        });
        tell([refused, document.pointerLockElement]);
        """,
    ),
    Feature(
        "clipboard_without_a_gesture",
        """
        tell([await refusal(navigator.clipboard.writeText('text')), await refusal(navigator.clipboard.readText()),
              document.execCommand('copy')]);
        """,
    ),
    Feature(
        "file_pickers_need_a_gesture",
        """
        need(window.showOpenFilePicker, 'file pickers');
        const input = element('input', {type: 'file'});
        tell([await refusal(showOpenFilePicker()), await refusal(() => input.showPicker())]);
        """,
    ),
    Feature("picture_in_picture_needs_a_gesture", "tell(await refusal(element('video').requestPictureInPicture()))"),
    Feature(
        "close_watcher",
        """
        need(window.CloseWatcher, 'CloseWatcher');
        const watcher = new CloseWatcher();
        same((await once(watcher, 'close', () => watcher.requestClose())).type, 'close');
        """,
    ),
    Feature(
        "keyboard_layout",
        """
        need(navigator.keyboard, 'navigator.keyboard');
        tell(await refusal(navigator.keyboard.getLayoutMap()));
        """,
    ),
)
