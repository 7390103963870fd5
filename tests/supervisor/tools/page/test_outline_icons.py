"""Icons in the page as text: the names of nameless buttons and their places in a text, on real Chromium."""

from __future__ import annotations

import pytest

from tests.support.stages.playground import Playground, numbered

ICONS = """<style>i::before { content: '\\f1f8'; font-size: 30px }</style>
<button><i class="fa-solid fa-2x fa-trash"></i></button><a href=#x title=Edit><i class="bi bi-pencil"></i></a>
<button aria-label=Named class="fa fa-user"></button><button><img src=/icons/zoom.svg?v=2 alt=""></button>
<button><svg><use href="/all.svg#close"></use></svg></button><span onclick=0 class="pi pi-cog">\ue922</span>
<button class="btn big">\ue922</button><button><img src="data:,x" alt=""></button>"""

ICONS_GOLDEN = """
button [ref=e1] icon="trash"
link [ref=e2] description="Edit" /page#x icon="pencil"
button "Named" [ref=e3]
button [ref=e4] icon="zoom"
button [ref=e5] icon="close"
generic [ref=e6] icon="cog"
button [ref=e7]
button [ref=e8]
"""

SETS = """<button><svg class="lucide lucide-save" aria-hidden=true><path d="M0 0h9v9z"/></svg></button>
<button><svg class="feather feather-trash-2"><path d="M0 0h9v9z"/></svg></button>
<button><svg class="tabler-icon tabler-icon-x"><path d="M0 0h9v9z"/></svg></button>
<button><span class="dashicons dashicons-edit"></span></button><button><i class="codicon codicon-add"></i></button>
<button><svg data-testid="DeleteIcon" class="MuiSvgIcon-root css-1k33q06"><path d="M0 0h9v9z"/></svg></button>"""

SETS_GOLDEN = """
button [ref=e1] icon="save"
button [ref=e2] icon="trash-2"
button [ref=e3] icon="x"
button [ref=e4] icon="edit"
button [ref=e5] icon="add"
button [ref=e6] icon="Delete"
"""


CONTROLS = """<style>i::before { content: '\\f1f8' }</style>
<div role=button tabindex=0><i class="fa fa-trash"></i></div><span role=tab tabindex=0 class="bi bi-house"></span>
<div role=menuitem tabindex=0><ion-icon name=copy></ion-icon></div><button><sl-icon name=gear></sl-icon></button>
<button><mat-icon fonticon=menu></mat-icon></button><button><iconify-icon icon="mdi:home"></iconify-icon></button>
<button><i class="el-icon el-icon-edit"></i></button><button data-tooltip="Copy it"><i class=x></i></button>
<button data-bs-original-title="Cut it"><i class="fa fa-cut"></i></button><button data-action=remove><i></i></button>
<button data-tip=""><i class=x></i></button><div role=listbox><div><i class="fa fa-user"></i></div></div>
<p>Paid <i class="icon icon-check">\ue900</i></p><p>Open <i class="icon icon-times"> </i></p>"""

CONTROLS_GOLDEN = """
button [ref=e1] icon="trash"
tab [ref=e2] icon="house"
menuitem [ref=e3] icon="copy"
button [ref=e4] icon="gear"
button [ref=e5] icon="menu"
button [ref=e6] icon="mdi:home"
button [ref=e7] icon="edit"
button [ref=e8] icon="Copy it"
button [ref=e9] icon="cut"
button [ref=e10] icon="remove"
button [ref=e11]
listbox [ref=e12]
"Paid"
image icon="check"
"Open"
image icon="times"
"""


TEXT_ICONS = """<style>i::before { content: '\\f1f8' } span { display: inline-block; width: 9px; height: 9px }</style>
<p>Press the <span class="ui-icon ui-icon-disk"></span><span class="ui-icon ui-icon-stop"></span> key.</p>
<h2><i class="fa fa-user"></i> Users</h2>
<ul><li><i class="fa fa-check"></i> Mail<li><i class="fa fa-times"></i> Phone</ul>
<table><tr><th>Plan<th>Calls<tr><td>Free<td><i class="bi bi-x"></i></table>
<button><i class="fa fa-plus"></i> Add</button>
<p><i class="fa fa-star" aria-hidden=true></i> Hidden</p><p class=icon-box>Boxed <a class=icon-link>text</a></p>"""

TEXT_ICONS_GOLDEN = """
"Press the"
image icon="disk"
image icon="stop"
"key."
heading "Users" [level=2]
list
 image icon="check" "Mail"
 image icon="times" "Phone"
table
 columnheader "Plan" columnheader "Calls"
 "Free" image icon="x"
button "Add" [ref=e1]
"Hidden"
"Boxed text"
"""


GOLDEN = {
    "the sets of common frameworks": (SETS, SETS_GOLDEN),
    "a class or a file": (ICONS, ICONS_GOLDEN),
    "the word of a control or of an element": (CONTROLS, CONTROLS_GOLDEN),
    "in its place in a text": (TEXT_ICONS, TEXT_ICONS_GOLDEN),
}


@pytest.mark.parametrize(("html", "lines"), GOLDEN.values(), ids=GOLDEN)
async def test_an_icon_is_called_by_what_names_it(ground: Playground, html: str, lines: str) -> None:
    await ground.open(html)

    assert numbered(await ground.text()) == lines


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<button class='fa fa-save'>\ue001</button>", ' icon="save"'),
        ("<button>\u200b</button>", ""),
        ("<button>\ufeff\ue001 </button>", ""),
        ("<button>\ue001 Save\u200b</button>", "Save"),
        ("<a href=#x>\U000f0001</a>", " /page#x"),
        ("<button>\U0001f469\u200d\U0001f680</button>", "\U0001f469\\u200d\U0001f680"),
    ],
)
async def test_characters_that_nobody_can_read_are_no_name(ground: Playground, html: str, line: str) -> None:
    await ground.open(html)

    seen = (await ground.text()).strip()

    role = "link" if "href" in html else "button"
    named = f'{role} "{line}" [ref=' if line and line[0] != " " else f"{role} [ref="
    assert seen.startswith(named), seen
    assert line[0:1] != " " or line in seen
