"""Forms of every method, encoding and target; controls."""

from __future__ import annotations

from evals.web_platform.feature import Feature, page
from tests.support.servers.sites import Request, Response

FORM = """
<form action="arrived"><input name="text" value="ä &amp; b"><input name="number" type="number" value="5">
<input name="box" type="checkbox" checked><select name="choice"><option>one<option selected>two</select>
<button name="button" value="pressed">Send</button></form>
"""
SUBMIT = """
const form = document.forms[0];
const submit = async (changes = {}) => {
  await loaded();
  Object.assign(form, changes);
  form.requestSubmit(form.querySelector('button'));
  await wait('the next document', never);
};
const arrived = async () => (await requests('arrived')).at(-1);
"""


def arrive(request: Request) -> str:
    """The document that a form's submission loads, which leads back to the feature's page."""
    return page("location.replace('./?step=1')")


FEATURES = (
    Feature(
        "form_get",
        SUBMIT
        + """
        if (!step) await submit();
        same((await arrived()).query, 'text=%C3%A4+%26+b&number=5&box=on&choice=two&button=pressed');
        """,
        html=FORM,
        files={"arrived": arrive},
    ),
    Feature(
        "form_post",
        SUBMIT
        + """
        if (!step) await submit({method: 'post'});
        const {method, body, headers} = await arrived();
        same([method, body], ['POST', 'text=%C3%A4+%26+b&number=5&box=on&choice=two&button=pressed']);
        same([headers['content-type'], headers.origin], ['application/x-www-form-urlencoded', location.origin]);
        """,
        html=FORM,
        files={"arrived": arrive},
    ),
    Feature(
        "form_post_multipart_with_a_file",
        SUBMIT
        + """
        if (!step) {
          const files = new DataTransfer();
          files.items.add(new File(['content of the file'], 'file.txt', {type: 'text/plain'}));
          form.insertAdjacentHTML('beforeend', '<input type="file" name="file">');
          form.elements.file.files = files.files;
          await submit({method: 'post', enctype: 'multipart/form-data'});
        }
        const {body, headers} = await arrived();
        same(headers['content-type'].split(';')[0], 'multipart/form-data');
        same([body.includes('filename="file.txt"'), body.includes('content of the file')], [true, true]);
        """,
        html=FORM,
        files={"arrived": arrive},
    ),
    Feature(
        "form_post_plain",
        SUBMIT
        + """
        if (!step) await submit({method: 'post', enctype: 'text/plain'});
        same((await arrived()).body.split('\\r\\n')[0], 'text=ä & b');
        """,
        html=FORM,
        files={"arrived": arrive},
    ),
    Feature(
        "form_post_redirected",
        SUBMIT
        + """
        if (!step) await submit({method: 'post', action: 'moved'});
        same((await arrived()).method, 'GET');
        """,
        html=FORM,
        files={"moved": Response(status=303, headers={"Location": "arrived"}), "arrived": arrive},
    ),
    Feature(
        "form_post_to_another_site",
        SUBMIT
        + """
        if (!step) await submit({method: 'post', action: elsewhere('posted') });
        const {body, headers} = (await requests('posted')).at(-1);
        same([body.includes('number=5'), headers.origin], [true, location.origin]);
        """,
        html=FORM,
        files={
            "posted": page("""
            location.replace(urlAt(NAME.replaceAll('_', '-') + '.suite.localhost', '?step=1'));
            """)
        },
    ),
    Feature(
        "form_post_and_back",
        SUBMIT
        + """
        addEventListener('pageshow', async event => event.persisted && location.replace('?step=1'));
        if (!step && (await requests('arrived')).length === 0) await submit({method: 'post'});
        same((await requests('arrived')).length, 1);
        """,
        html=FORM,
        files={"arrived": page("await loaded(); history.back()")},
    ),
    Feature(
        "form_into_a_frame",
        """
        attach({name: 'target'});
        const form = document.forms[0];
        form.target = 'target';
        form.requestSubmit();
        same(await wait('the frame', message()), 'arrived');
        """,
        html=FORM,
        files={"arrived": page("parent.postMessage('arrived')")},
    ),
    Feature(
        "form_into_a_cross_site_frame",
        """
        attach({name: 'target', src: elsewhere('frame.html')});
        await message();
        const form = Object.assign(document.forms[0], {target: 'target', method: 'post'});
        form.action = elsewhere('arrived');
        form.requestSubmit();
        same(await wait('the frame', message()), 'arrived');
        same((await requests('arrived')).at(-1).method, 'POST');
        """,
        html=FORM,
        files={
            "frame.html": page("parent.postMessage('ready', '*')"),
            "arrived": page("parent.postMessage('arrived', '*')"),
        },
    ),
    Feature(
        "form_into_a_popup",
        """
        const channel = new BroadcastChannel('channel');
        Object.assign(document.forms[0], {target: '_blank', method: 'post'}).requestSubmit();
        same(await message(channel), 'arrived');
        """,
        html=FORM,
        files={"arrived": page("new BroadcastChannel('channel').postMessage('arrived'); close()")},
    ),
    Feature(
        "form_of_a_button_s_own",
        SUBMIT
        + """
        if (!step) {
          Object.assign(form.querySelector('button'), {formAction: 'arrived', formMethod: 'post'});
          await submit({action: 'missing'});
        }
        same((await arrived()).method, 'POST');
        """,
        html=FORM,
        files={"arrived": arrive},
    ),
    Feature(
        "form_that_goes_nowhere",
        """
        await loaded();
        document.forms[0].requestSubmit();
        await requested('arrived');
        await sleep(50);
        same(location.pathname.endsWith('/'), true);
        """,
        html=FORM,
        files={"arrived": Response(status=204)},
    ),
    Feature(
        "form_events",
        """
        const form = document.forms[0], heard = [];
        for (const type of ['submit', 'formdata', 'reset'])
          form.addEventListener(type, event => { heard.push(type); if (heard.length > 1) event.preventDefault(); });
        form.addEventListener('formdata', event => event.formData.append('more', '1'));
        form.method = 'dialog';
        same([...new FormData(form).keys()].at(-1), 'more');
        form.requestSubmit();
        form.reset();
        same(heard, ['formdata', 'submit', 'reset']);
        """,
        html=FORM,
    ),
    Feature(
        "form_validation",
        """
        const [field] = document.forms[0].elements;
        Object.assign(field, {required: true, value: ''});
        const invalid = once(field, 'invalid');
        document.forms[0].addEventListener('submit', event => { event.preventDefault(); throw new Error('submitted') });
        document.forms[0].requestSubmit();
        await invalid;
        same([field.validity.valueMissing, field.matches(':invalid')], [true, true]);
        """,
        html=FORM,
    ),
    Feature(
        "form_controls",
        """
        const make = (type, value) => element('input', {type, value});
        same([make('date', '2024-02-29').valueAsNumber, make('color', '#FF0000').value, make('range', '200').value,
              make('number', 'x').value, make('time', '12:30').valueAsNumber, make('email', ' a@b ').value],
             [1709164800000, '#ff0000', '100', '', 45000000, 'a@b']);
        """,
    ),
    Feature(
        "form_control_of_one_s_own",
        """
        customElements.define('own-control', class extends HTMLElement {
          static formAssociated = true;
          constructor() { super(); this.internals = this.attachInternals(); }
          set value(value) { this.internals.setFormValue(value); }
        });
        const control = Object.assign(document.createElement('own-control'), {value: 'own'});
        control.setAttribute('name', 'own');
        document.forms[0].append(control);
        same(new FormData(document.forms[0]).get('own'), 'own');
        """,
        html=FORM,
    ),
    Feature(
        "file_input",
        """
        const input = element('input', {type: 'file', multiple: true}), files = new DataTransfer();
        files.items.add(new File(['content'], 'a.txt'));
        input.files = files.files;
        const [file] = input.files;
        same([file.name, await file.text(), input.value], ['a.txt', 'content', 'C:\\\\fakepath\\\\a.txt']);
        """,
    ),
    Feature(
        "link_to_another_tab",
        """
        const channel = new BroadcastChannel('channel');
        element('a', {href: 'popup.html', target: '_blank'}).click();
        same(await message(channel), null);
        """,
        files={"popup.html": page("new BroadcastChannel('channel').postMessage(opener); close()")},
    ),
)
