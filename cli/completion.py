"""What makes a shell complete the command line: click's scripts, with what they get wrong put right.

Where an option and its value stand in one word, such as `--color=al`, click answers for the value alone. bash makes
three words of it, and click finds no option before the value; zsh would put the answer in the place of the whole word,
and fish would not offer it.
"""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

PROGRAM: Final = "lockwarden"
_FISH: Final = r"""
function %(complete_func)s
    set -l token (commandline -t)
    set -l option (string match -r -- '^--[^=]+=' $token)
    set -l value (string replace -r -- '^--[^=]+=' "" "$token")
    for line in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) COMP_CWORD=$token %(prog_name)s)
        # Descriptions have commas, too.
        set -l answer (string split -m 1 -- , $line)
        switch $answer[1]
            case dir
                printf '%%s\n' "$option"(__fish_complete_directories $value)
            case file
                printf '%%s\n' "$option"(__fish_complete_path $value)
            case plain
                printf '%%s\n' "$option"$answer[2]
        end
    end
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class _Bash(BashComplete):
    """Without the `=` between an option and the beginning of its value, which bash makes a word of its own.

    No blank is put behind what only begins a value, such as `https://`.
    """

    source_template = (
        BashComplete.source_template.replace(
            "    local response\n",
            """    local response place words=()
    for ((place = 0; place <= COMP_CWORD; place++)); do
        [[ ${COMP_WORDS[place]} == '=' && $place -lt $COMP_CWORD ]] || words+=("${COMP_WORDS[place]}")
    done
""",
            1,
        )
        .replace('"${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD', '"${words[*]}" COMP_CWORD=$((${#words[@]} - 1))')
        .replace(
            "            COMPREPLY+=($value)\n",
            """            COMPREPLY+=($value)
            if [[ $value == *[:/] ]]; then compopt -o nospace; fi
""",
            1,
        )
    )


class _Zsh(ZshComplete):
    """With such an option taken for what stands before the word, in which names and paths are looked for.

    For that zsh has to match what is typed itself, which `-U` keeps it from. No blank is put behind what only begins a
    value.
    """

    source_template = (
        ZshComplete.source_template.replace("\n    for type", "\n    compset -P '--*='\n    for type", 1)
        .replace("    local -a completions\n", "    local -a completions beginnings\n", 1)
        .replace(
            """                completions+=("$key")
""",
            """                if [[ "$key" == *[:/] ]]; then beginnings+=("$key"); else completions+=("$key"); fi
""",
            1,
        )
        .replace("compadd -U ", "compadd ")
        .replace(
            "        compadd -V unsorted -a completions\n    fi\n",
            """        compadd -V unsorted -a completions
    fi

    if [ -n "$beginnings" ]; then
        compadd -S '' -V unsorted -a beginnings
    fi
""",
            1,
        )
        .replace("completions_with_descriptions -U", "completions_with_descriptions")
    )


class _Fish(FishComplete):
    """With such an option before each answer, as fish wants it, and with whole descriptions."""

    source_template = _FISH


_KINDS: Final[dict[str, type[ShellComplete]]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}
SHELLS: Final = tuple(_KINDS)


def script(shell: str, command: click.Command) -> str:
    """The script for one of the shells, which asks the installed command at every completion."""
    asking = _KINDS[shell](command, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE")
    # Not of the class for bash, which would run the bash that it finds first to ask for its version.
    return ShellComplete.source(asking)
