"""`completion`: a script that teaches a shell every command of the protocol and its parameters."""

from __future__ import annotations

from collections.abc import Mapping

from cdp_typed import PROTOCOL
from cdp_typed.cli.output import write
from cdp_typed.cli.parameters import options_of
from cdp_typed.cli.parsing import PROG, UsageError, close_to, new_parser
from cdp_typed.cli.way import FLAGS
from cdp_typed.protocol.registry import COMMANDS, DOMAINS, EVENTS

__all__ = ["SHELLS", "run"]

_SUBCOMMANDS: Mapping[str, tuple[str, ...]] = {
    "diff": ("--json", "--stable", "--timeout", *FLAGS, "--help"),
    "call": ("--target", "--session", "--timeout", "--json", "--raw", *FLAGS, "--help"),
    "events": ("--target", "--count", "--timeout", *FLAGS, "--help"),
    "targets": ("--json", "--timeout", *FLAGS, "--help"),
    "record": ("--port", "--timeout", *FLAGS, "--help"),
    "completion": ("bash", "zsh", "fish", "--help"),
}
"""What each of our own commands offers at any place."""

# The tables are baked in: pressing TAB then costs no start of Python. Whoever sources the output of the command in the
# start-up file of the shell has those of the installed bindings at each login.
_POSIX = """\
__cdp_typed_subcommands='{subcommands}'
__cdp_typed_methods='{methods}'
__cdp_typed_events='{events}'

__cdp_typed_own() {{
  case $1 in
{own}
  *) __cdp_typed_found='';;
  esac
}}

__cdp_typed_options() {{
  case $1 in
{options}
  *) __cdp_typed_found='';;
  esac
}}

__cdp_typed_values() {{
  case "$1 $2" in
{values}
  *) __cdp_typed_found='';;
  esac
}}

# What may stand after these words; the last one is the one before the cursor.
__cdp_typed_candidates() {{
  local word subcommand="$2" method='' given=0
  if [ $# -lt 2 ]; then
    __cdp_typed_found=$__cdp_typed_subcommands
    return
  fi
  shift 2
  for word in "$@"; do
    given=1
    case " $__cdp_typed_methods " in *" $word "*) method=$word;; esac
  done
  __cdp_typed_found=''
  if [ "$subcommand" = call ] && [ -n "$method" ]; then
    __cdp_typed_values "$method" "$word"
    if [ -n "$__cdp_typed_found" ]; then return; fi
    __cdp_typed_options "$method"
    return
  fi
  __cdp_typed_own "$subcommand"
  case $subcommand$given in
  call1) __cdp_typed_found="$__cdp_typed_found $__cdp_typed_methods";;
  events1) __cdp_typed_found="$__cdp_typed_found $__cdp_typed_events";;
  esac
}}
"""

_BASH = """\
# Completion of {prog} for bash, from {source}.
# In ~/.bashrc: source <({prog} completion bash)

{tables}
_cdp_typed() {{
  local __cdp_typed_found='' word
  __cdp_typed_candidates "${{COMP_WORDS[@]:0:COMP_CWORD}}"
  COMPREPLY=()
  # Line by line, so that no file in this directory takes the place of a pattern.
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -W "$__cdp_typed_found" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}

complete -o default -F _cdp_typed {prog}
"""

_ZSH = """\
#compdef {prog}
# Completion of {prog} for zsh, from {source}.
# In ~/.zshrc, after compinit: source <({prog} completion zsh)

{tables}
_cdp_typed() {{
  local __cdp_typed_found=''
  __cdp_typed_candidates "${{(@)words[1,CURRENT-1]}}"
  compadd -- ${{=__cdp_typed_found}}
}}

if [[ ${{funcstack[1]}} == _cdp_typed ]]; then
  _cdp_typed
else
  compdef _cdp_typed {prog}
fi
"""

_FISH = """\
# Completion of {prog} for fish, from {source}.
# {prog} completion fish > ~/.config/fish/completions/{prog}.fish

function __cdp_typed_own
  switch $argv[1]
{own}
  end
end

function __cdp_typed_options
  switch $argv[1]
{options}
  end
end

function __cdp_typed_values
  switch "$argv"
{values}
  end
end

function __cdp_typed_candidates
  set -l words $argv
  if test (count $words) -lt 2
    string split ' ' '{subcommands}'
    return
  end
  set -l method
  for word in $words[3..-1]
    if contains -- $word $__cdp_typed_methods
      set method $word
    end
  end
  if test "$words[2]" = call -a -n "$method"
    set -l found (__cdp_typed_values $method $words[-1])
    if test -n "$found"
      string split ' ' -- $found
    else
      string split ' ' -- (__cdp_typed_options $method)
    end
    return
  end
  string split ' ' -- (__cdp_typed_own $words[2])
  if test (count $words) -gt 2
    switch $words[2]
      case call
        string join \\n $__cdp_typed_methods
      case events
        string join \\n $__cdp_typed_events
    end
  end
end

set -g __cdp_typed_methods (string split ' ' '{methods}')
set -g __cdp_typed_events (string split ' ' '{events}')
complete -c {prog} -n '__fish_seen_subcommand_from diff' -F
complete -c {prog} -f -a '(__cdp_typed_candidates (commandline -opc))'
"""

SHELLS: Mapping[str, str] = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def run(arguments: list[str]) -> int:
    """Print the script."""
    parser = new_parser(
        "completion",
        f"Print a script that completes {PROG} in bash, zsh or fish: all methods and events of the protocol,\n"
        "the parameters of each method, and the values of enums.",
        f"source <({PROG} completion bash)",
    )
    parser.add_argument("shell", metavar="bash|zsh|fish")
    shell: str = parser.parse_args(arguments).shell
    if shell not in SHELLS:
        raise UsageError(f"no completion for {shell!r}{close_to(shell, SHELLS)}; there is one for {', '.join(SHELLS)}")
    write(script(shell).rstrip("\n"))
    return 0


def script(shell: str) -> str:
    """The whole script for a shell of `SHELLS`."""
    arm = _fish_arm if shell == "fish" else _posix_arm
    options = {method: options_of(method) for method in COMMANDS}
    own = " ".join(each for each in _SUBCOMMANDS["call"] if each not in ("--raw", *FLAGS))
    tables = {
        "subcommands": " ".join(_SUBCOMMANDS),
        "methods": " ".join(COMMANDS),
        "events": " ".join([*(f"{domain}.*" for domain in DOMAINS), *EVENTS]),
        "own": "\n".join(arm(name, " ".join(offered)) for name, offered in _SUBCOMMANDS.items()),
        "options": "\n".join(
            arm(method, " ".join(dict.fromkeys([*(each.flag for each in found), *own.split()])))
            for method, found in options.items()
        ),
        "values": "\n".join(
            arm(f"{method} {each.flag}", " ".join(each.values or ("true", "false")))
            for method, found in options.items()
            for each in found
            if each.values or each.kind == "boolean"
        ),
    }
    known = {"prog": PROG, "source": f"{PROTOCOL.package} {PROTOCOL.version}"}
    if shell != "fish":
        tables = {"tables": _POSIX.format(**tables)}
    return SHELLS[shell].format(**tables, **known)


def _posix_arm(pattern: str, words: str) -> str:
    return f"  '{pattern}') __cdp_typed_found='{words}';;"


def _fish_arm(pattern: str, words: str) -> str:
    return f"    case '{pattern}'\n      echo '{words}'"
