"""Keys of services that are known by their shape, what is no key, and the work that it takes to tell."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from typing import Any

import pytest

from cdp_typed.redaction import REDACTED, Redaction
from tests.support.work import QUADRATIC, growth

PARSER: Any = importlib.import_module("re._parser")
"""The only reader of expressions that there is; it is Python's own, without types."""
HEX, SMALL = "9c41f0b2ae6d3587", "k7q2mz9xr4tb8wl1"
RULES: dict[str, Any] = json.loads(files("cdp_typed.redaction").joinpath("shapes.json").read_bytes())


def drawn(number: int, letters: str = "k7Q2mZ9xR4tB8wL1", seed: int = 0) -> str:
    """A text of this many characters that looks drawn by chance, another one for each seed."""
    return "".join(letters[((place + seed) * 7 + place // 5 + seed // 3) % len(letters)] for place in range(number))


def keys_of_services(seed: int = 0) -> dict[str, str]:
    """A key of each, by the name of the service; others for each seed."""

    some = partial(drawn, seed=seed)
    hexed, small = partial(some, letters=HEX), partial(some, letters=SMALL)
    web_token = f"eyJ{some(20)}.eyJ{some(40)}.{some(43)}"
    return {
        "1password": f"A3-{some(6, 'K7Q2')}-{some(11, 'K7Q2')}-{some(5, 'K7Q2')}-{some(5, 'K7Q2')}-{some(5, 'K7Q2')}",
        "1password service": f"ops_eyJ{some(260)}",
        "adobe": f"p8e-{small(32)}",
        "age": f"AGE-SECRET-KEY-1{some(58, 'QPZRY9X8GF2TVDW0')}",
        "airtable": f"pat{some(14)}.{hexed(64)}",
        "alibaba": f"LTAI{some(20)}",
        "anthropic": f"sk-ant-api03-{some(93)}AA",
        "anthropic admin": f"sk-ant-admin01-{some(93)}AA",
        "artifactory": f"AKCp{some(69)}",
        "atlassian": f"ATATT3{some(186)}",
        "aws": f"AKIA{some(16, 'K7Q2MZRTBWLX3N5J')}",
        "aws, temporary": f"ASIA{some(16, 'K7Q2MZRTBWLX3N5J')}",
        "aws bedrock": f"ABSK{some(120)}",
        "azure": f"aB38Q~{some(33)}",
        "clickhouse": f"4b1d{some(38)}",
        "clojars": f"CLOJARS_{small(60)}",
        "cloudflare": f"v1.0-{hexed(24)}-{hexed(146)}",
        "databricks": f"dapi{hexed(32)}",
        "digitalocean": f"dop_v1_{hexed(64)}",
        "docker": f"dckr_pat_{some(27)}",
        "doppler": f"dp.pt.{some(43)}",
        "duffel": f"duffel_live_{some(43)}",
        "dynatrace": f"dt0c01.{some(24, 'K7Q2')}.{some(64, 'K7Q2')}",
        "easypost": f"EZAK{some(54)}",
        "facebook": f"EAAC{some(120)}",
        "figma": f"figd_{some(40)}",
        "fly.io": f"fo1_{some(43)}",
        "frame.io": f"fio-u-{some(64)}",
        "google": f"AIza{some(35)}",
        "google oauth": f"ya29.{some(60)}",
        "google client": f"GOCSPX-{some(28)}",
        "github": f"ghp_{some(36)}",
        "github app": f"ghs_{some(36)}",
        "github, fine": f"github_pat_{some(82)}",
        "gitlab": f"glpat-{some(20)}",
        "gitlab deploy": f"gldt-{some(20)}",
        "gitlab runner": f"glrt-{some(20)}",
        "grafana": f"glsa_{some(32)}_{hexed(8)}",
        "groq": f"gsk_{some(52)}",
        "harness": f"pat.{some(22)}.{some(24)}.{some(20)}",
        "hashicorp terraform": f"{some(14)}.atlasv1.{some(64)}",
        "hashicorp vault": f"hvs.{some(95)}",
        "hashicorp vault, old": f"s.{some(24)}",
        "heroku": f"HRKU-AA{some(58)}",
        "hugging face": f"hf_{some(34, 'kqmzxrtbwlKQMZXR')}",
        "infracost": f"ico-{some(32)}",
        "json web token": web_token,
        "json web token, long": f"eyJ{some(5000)}.eyJ{some(5000)}.{some(342)}",
        "linear": f"lin_api_{some(40)}",
        "mailgun": f"key-{hexed(32)}",
        "maxmind": f"{some(6)}_{some(29)}_mmk",
        "netlify": f"nfp_{some(36)}",
        "notion": f"ntn_{some(11, '7294')}{some(35)}",
        "npm": f"npm_{some(36)}",
        "octopus deploy": f"API-{some(26, 'K7Q2')}",
        "openai": f"sk-{some(20)}T3BlbkFJ{some(20)}",
        "openai project": f"sk-proj-{some(74)}T3BlbkFJ{some(74)}",
        "openshift": f"sha256~{some(43)}",
        "perplexity": f"pplx-{some(48)}",
        "planetscale": f"pscale_tkn_{some(43)}",
        "postman": f"PMAK-{hexed(24)}-{hexed(34)}",
        "prefect": f"pnu_{some(36)}",
        "pulumi": f"pul-{hexed(40)}",
        "pypi": f"pypi-AgEIcHlwaS5vcmc{some(90)}",
        "readme": f"rdme_{small(70)}",
        "rubygems": f"rubygems_{hexed(48)}",
        "scalingo": f"tk-us-{some(48)}",
        "sendgrid": f"SG.{some(22)}.{some(43)}",
        "sendinblue": f"xkeysib-{hexed(64)}-{some(16)}",
        "sentry": f"sntryu_{hexed(64)}",
        "shippo": f"shippo_live_{hexed(40)}",
        "shopify": f"shpat_{hexed(32)}",
        "slack": f"xoxb-{some(11, '7294')}-{some(12, '7294')}-{some(24)}",
        "slack app": f"xapp-1-{some(11, 'K7Q2')}-{some(13, '7294')}-{small(64)}",
        "slack webhook": f"https://hooks.slack.com/services/T{some(10, 'K7Q2')}/B{some(10, 'K7Q2')}/{some(24)}",
        "sourcegraph": f"sgp_{hexed(40)}",
        "square": f"sq0atp-{some(22)}",
        "stripe": f"sk_live_{some(24)}",
        "stripe, restricted": f"rk_live_{some(24)}",
        "stripe webhook": f"whsec_{some(32)}",
        "supabase": f"sbp_{hexed(40)}",
        "tailscale": f"tskey-auth-{some(12)}-{some(24)}",
        "twilio": f"SK{hexed(32)}",
        "any, of more than 4,000 characters": f"ghp_{some(6000)}",
    }


KEYS = keys_of_services()
"""By the service: each in a sentence, a line of settings, an address and JSON within JSON."""
some, hexed, small = drawn, partial(drawn, letters=HEX), partial(drawn, letters=SMALL)


UUID = "3f2b8c14-9d07-4e5a-8b61-c0ffee254d19"
NAMED: dict[str, str] = {
    "adafruit_io_key: ": small(32),
    "ALGOLIA_ADMIN=": hexed(32),
    "asana secret = ": small(32),
    "bitbucketId := ": small(32),
    '"cloudflare.global": ': hexed(37),
    "coinbase => ": small(64),
    "datadogApp = '": hexed(40),
    "discord bot: ": hexed(64),
    "dropbox = ": small(15),
    "fastly: ": small(32),
    "heroku.id = ": UUID,
    "mailchimp: ": f"{hexed(32)}-us12",
    "mapbox: ": f"pk.{small(60)}.{small(22)}",
    "newrelic = ": f"NRAK-{some(27, 'K7Q2')}",
    "okta = ": f"00{some(40)}",
    "plaid: ": small(30),
    "sentry = ": hexed(64),
    "snyk_token: ": UUID,
    "telegram: ": f"123456789:A{some(34)}",
    "twitter: ": some(50),
    "zendesk = ": small(40),
    "in a word": f"dckr_pat_{some(27)}",
    f"{some(1200)}x": f"github_pat_{some(82)}",
    "api_token=": "short-7",
    '"api_token": "': some(12),
    '{"password": "': some(4500),
    "\nGITHUB_TOKEN=": some(20),
    "A=1\nDB_PASSWORD=": "hunter2-of-ada",
}
"""Keys that only what comes before shows to be one."""
LINES = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9c41f0b2\n\n"
BLOCKS: dict[str, str] = {
    "pem": f"-----BEGIN RSA PRIVATE KEY-----\n{some(64)}\n{some(20)}==\n-----END RSA PRIVATE KEY-----",
    "pem with headers": f"-----BEGIN RSA PRIVATE KEY-----\n{LINES}{some(64)}\n-----END RSA PRIVATE KEY-----",
    "pgp": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: a-b\n\n{some(64)}\n-----END PGP PRIVATE KEY BLOCK-----",
    "openssh": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{some(70)}\n{some(70)}\n-----END OPENSSH PRIVATE KEY-----",
    "in json": f"-----BEGIN EC PRIVATE KEY-----\\n{some(64)}\\n-----END EC PRIVATE KEY-----",
    "cut off": f"-----BEGIN PRIVATE KEY-----\n{LINES}{some(64)}\n{some(12)}",
    "putty": f"PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n{some(64)}\n{some(64)}\nPrivate-MAC: 12",
}
INNOCENT: dict[str, str] = {
    "a commit": f"fixed in {hexed(40)} and 931ba08c",
    "a commit's address": f"https://code.example/ada/shop/commit/{hexed(40)}",
    "a uuid": f"order {UUID} of today",
    "a uuid in json": f'{{"id": "{UUID}", "key": "{UUID}"}}',
    "hashes of files": f'<script src="/main.{hexed(20)}.js" integrity="sha384-{some(64)}">',
    "classes of css": "css-1q2w3e4r5t6y7u8i sc-bdVaJa hJLrXt _1a2B3c4D5e6F7g8H9i0J",
    "a picture": f"data:image/png;base64,iVBORw0KGgo{some(900)}/EAAAAB{some(70)}+AKIAQ7ZR4TB2WL5XKM3N/{some(900)}==",
    "names of code": "sk_buff_head_init and pk_field_name of SKView.layoutSubviews, skip-to-content",
    "members": "s.allowStaleOnFetchRejection && E||s.noDeleteOnFetchRejection",
    "parts of a page": "skip-navigation-link-for-keyboard-users hf-container-of-the-whole-page",
    "names of what pages count": '{"nextPageToken": "CAUQAA1234567890", "max_tokens": 4096}',
    "services": "Follow us on twitter, facebook: /company and linkedin; heroku hosts it. linear-gradient(red, blue)",
    "an address of a service": f"https://twitter.com/ada/status/1729384756102938475 linkedin.com/in/ada-{hexed(9)}",
    "a time": "2026-11-27T01:22:48.123456789Z 1764206568000",
    "a version": "v1.0-rc.1+build.20261127 sha256:" + hexed(64),
    "a build's number": "SKU-1234567890-ABCDEFGHIJ patchwork.example.org/path.of.some/pattern",
    "a public key": f"-----BEGIN PUBLIC KEY-----\n{some(64)}\n-----END PUBLIC KEY-----",
    "escapes": r"\u0041\u0042\u0043 %20%20%20and%20more%20words%20of%20a%20page",
    "a formula": "x = 1234567890123456 + y",
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_of_a_service_is_hidden_wherever_it_is_written(name: str) -> None:
    key = KEYS[name]
    frames = ("the key is {} of ada", "{}", "export A={}\nB=1", "https://a.test/x?q={}&b=1", '{{\\"a\\":\\"b\\n{}\\"}}')

    for frame in frames if "://" not in key else frames[:3]:
        shown = Redaction().text(frame.format(key))
        assert shown == frame.replace("{{", "{").replace("}}", "}").replace("{}", REDACTED), frame


@pytest.mark.parametrize("name", NAMED)
def test_a_key_is_known_by_the_name_before_it(name: str) -> None:
    end = name[-1].strip(" =")
    shown = Redaction().text(f"{name}{NAMED[name]}{end}\n")

    assert NAMED[name] not in shown
    assert REDACTED in shown


@pytest.mark.parametrize("name", BLOCKS)
def test_nothing_of_a_private_key_is_shown(name: str) -> None:
    shown = Redaction().text(f"before\n{BLOCKS[name]}\n")

    assert shown.startswith("before\n")
    assert [part for part in re.findall(r"[\w=]{12,}", BLOCKS[name].replace("-----", "")) if part in shown] == []


@pytest.mark.parametrize("name", INNOCENT)
def test_what_is_no_key_stays(name: str) -> None:
    assert Redaction().text(INNOCENT[name]) == INNOCENT[name]


def test_every_rule_of_the_list_is_tried_or_named_as_left_out() -> None:
    kinds = ("tokens", "marked", "named", "left_out")
    kept = [rule for kind in kinds for names in RULES[kind] for rule in names.split()]

    assert len(kept) == len(set(kept)) == 223  # 222 rules, of which one has two parts
    assert len(RULES["left_out"]) == 13
    assert "MIT" in RULES["source"]
    assert len(RULES["sha256"]) == 64


def _repeats(parsed: Any, within: int = 1) -> Iterator[int]:
    """How often each part may be repeated, with the repeats around it, unless it is as long every time."""
    for name, value in parsed:
        if str(name) in ("MAX_REPEAT", "MIN_REPEAT"):
            _, most, inner = value
            least, longest = inner.getwidth()
            times = within * int(most)
            yield times * longest
            yield from _repeats(inner, within if least == longest else times)
        elif str(name) == "SUBPATTERN":
            yield from _repeats(value[-1], within)
        elif str(name) == "BRANCH":
            for branch in value[1]:
                yield from _repeats(branch, within)


def test_an_expression_of_the_list_reads_a_bounded_number_of_characters() -> None:
    expressions = [rule[part] for kind in ("tokens", "marked", "named") for rule in RULES[kind].values()
                   for part in ("regex", "value", "name") if part in rule]  # fmt: skip
    widest = {expression: max(_repeats(PARSER.parse(expression)), default=0) for expression in expressions}

    assert len(expressions) > 240
    assert {expression: width for expression, width in widest.items() if width > 1_000} == {}


def _repeated(part: str, size: int) -> str:
    return (part * (size // len(part) + 1))[:size]


@pytest.mark.thorough
def test_the_work_grows_as_a_text_of_beginnings_does() -> None:
    heads = [head for rule in RULES["tokens"].values() for head in rule["heads"]]
    names = [f"{word} = " for rule in RULES["named"].values() for word in rule["keywords"]]
    marks = [mark for rule in RULES["marked"].values() for mark in rule["marks"]]
    parts = [*heads, *(f"{head}9-" for head in heads), *names, *marks, "-eyJaaaaaaaa", "a:`", "x=aaaaaaaaaaaaaaa "]
    text = Redaction().text

    grown = {part: growth(text, partial(_repeated, part)) for part in dict.fromkeys(parts)}

    assert {part: times for part, times in grown.items() if times > QUADRATIC} == {}
