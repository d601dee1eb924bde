"""How the options look on the command line. Nothing is imported for it but click, so that `--help` answers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import click

from lockwarden.cli.offered_words import files, platforms, report_forms, sources, themes
from lockwarden.cli.output import COLOUR_SAID

THEME_SAID: Final = "lockwarden.theme"
"""Under this name the command line keeps which theme was named, in click's context."""
_Command = TypeVar("_Command", bound=Callable[..., Any])
FORMATS: Final = ("text", "json")
REPORTS: Final = (*FORMATS, "markdown", "sarif", "junit")
ORGANISATION_REPORTS: Final = (*FORMATS, "markdown", "html")
NAMES_FOLLOW: Final = "--names-follow"

_INSECURE: Final = click.option(
    "--insecure-http",
    multiple=True,
    metavar="HOST",
    help="Allow plain HTTP to this host, where anyone on the way can change what it says. May be given several times.",
)
_TOKEN_HOST: Final = click.option(
    "--token-host",
    multiple=True,
    metavar="HOST",
    help="Let this token server see your credentials for OCI registries on other hosts that send us there. May be "
    "given several times.",
)
_SOURCES: Final = (
    click.option(
        "--source",
        multiple=True,
        metavar="SOURCE",
        shell_complete=sources,
        help="Where to ask: direct (each provider's origin registry), the https:// URL of a network mirror, an "
        "oci://REGISTRY/{namespace}/{type} template, or a "
        "folder. May be given several times. Default: what your CLI configuration says.",
    ),
    click.option("--offline", is_flag=True, help="Ask nothing over the network; what would need it stays unchecked."),
    click.option("--no-cache", is_flag=True, help="Neither use nor keep packages in the user's cache."),
    click.option("--fresh", is_flag=True, help="Fetch and compute anew what the cache knows already."),
    _INSECURE,
    _TOKEN_HOST,
)
_PACKAGES: Final = (
    click.option(
        "--platform",
        multiple=True,
        metavar="OS_ARCH",
        shell_complete=platforms,
        help="Platform whose packages are looked at, such as linux_amd64; all is every platform of the release. May be "
        "given several times. Default: auto, this machine's and those that explain what is locked.",
    ),
    click.option(
        "--attestations",
        multiple=True,
        metavar="FILE",
        shell_complete=files,
        help="Sigstore bundles about packages or their lists of checksums, such as those that a forge gives out. They "
        "count under a rule of the policy alone. May be given several times.",
    ),
    click.option("--jobs", type=int, metavar="N", help="Packages that are fetched at the same time. Default: 8."),
    click.option(
        "--timeout",
        type=int,
        metavar="SECONDS",
        help="How long the audit of one release may take; what was not asked by then stays unchecked. Default: 600.",
    ),
)


_CLIENT: Final = click.option(
    "--client",
    type=click.Choice(("opentofu", "terraform")),
    help="Whose rules count: the client that installs by the lock file. Default: the one that its first lines name.",
)
_POLICY: Final = click.option(
    "--policy",
    metavar="FILE",
    type=click.Path(),
    help="The policy that counts, out of the reach of the change under review. Default: LOCKWARDEN_POLICY, or the "
    "nearest .lockwarden.hcl from the lock file's folder up to the repository's root; with --base, of the base.",
)
_BASE: Final = click.option(
    "--base",
    metavar="REV",
    help="Review what changed against this git revision, such as origin/main. During a merge, HEAD stands for both "
    "sides.",
)


def organisation_policy_option(command: _Command) -> _Command:
    """Give a command the organisation's `--policy`."""
    option = click.option(
        "--policy",
        metavar="FILE",
        type=click.Path(),
        help="The organisation's policy, which counts beside each repository's own. Default: LOCKWARDEN_POLICY.",
    )
    return option(command)


CLUSTER: Final = (
    click.option(
        "--workers",
        type=click.IntRange(1, 64),
        metavar="N",
        help="Have packages fetched and hashed by N Dask workers on this machine.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Have packages fetched and hashed by this Dask cluster, such as tcp://10.0.0.5:8786.",
    ),
)


def cluster_options(command: _Command) -> _Command:
    """Give a command `--workers` and `--scheduler`."""
    return _with(command, CLUSTER)


_EVIDENCE: Final = (
    click.option(
        "--evidence",
        metavar="FILE",
        type=click.Path(),
        help="Ask nobody: take the answers from this evidence bundle, which “lockwarden bundle” made. Unless somebody "
        "of --evidence-signers has signed it, only good signatures of keys that the policy pins count.",
    ),
    click.option(
        "--evidence-signers",
        metavar="FILE",
        type=click.Path(),
        help="Who may vouch for evidence: SSH public keys, as ssh-keygen's allowed signers have them. Default: "
        "LOCKWARDEN_EVIDENCE_SIGNERS.",
    ),
    click.option(
        "--evidence-max-age",
        type=int,
        metavar="DAYS",
        help="Let nobody vouch for evidence that is older. Default: any age; every report says how old it is.",
    ),
)


def evidence_options(command: _Command) -> _Command:
    """Give a command the options about evidence bundles."""
    return _with(command, _EVIDENCE)


def policy_option(command: _Command) -> _Command:
    """Give a command `--policy`."""
    return _POLICY(command)


def change_options(command: _Command) -> _Command:
    """Give a command the options about what a lock file is held against."""
    return _with(command, (_BASE, _POLICY))


def source_options(command: _Command) -> _Command:
    """Give a command the options about sources and the cache."""
    return _with(command, _SOURCES)


def host_options(command: _Command) -> _Command:
    """Give a command the options about hosts alone."""
    return _with(command, (_INSECURE, _TOKEN_HOST))


def audit_options(command: _Command) -> _Command:
    """Give a command the options about sources, the cache, the packages that are looked at, and the client."""
    return _with(_with(_with(command, (_CLIENT,)), _PACKAGES), _SOURCES)


def registry_options(command: _Command) -> _Command:
    """Give a command the options about packages and the cache, where nothing but origin registries is asked."""
    return _with(_with(command, _PACKAGES), _SOURCES[1:])


def compared_format_option(command: _Command) -> _Command:
    """Give a command `--format` with Markdown among the forms."""
    option = click.option(
        "--format",
        "form",
        type=click.Choice((*FORMATS, "markdown")),
        default=FORMATS[0],
        show_default=True,
        help="Form of the report.",
    )
    return option(command)


def _with(command: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command


def format_option(command: _Command) -> _Command:
    """Give a command `--format`."""
    option = click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default=FORMATS[0],
        show_default=True,
        help="Form of the report.",
    )
    return option(command)


def report_options(command: _Command) -> _Command:
    """Give a command `--format` with every form, and `--report`."""
    return _with(command, _reports(REPORTS, "sarif:lockwarden.sarif"))


def organisation_report_options(command: _Command) -> _Command:
    """The same with the forms of the report about many repositories."""
    return _with(command, _reports(ORGANISATION_REPORTS, "html:report.html"))


def _reports(forms: Sequence[str], example: str) -> tuple[Callable[[_Command], _Command], ...]:
    return (
        click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            default=forms[0],
            show_default=True,
            help="Form of the report on stdout.",
        ),
        click.option(
            "--report",
            "reports",
            multiple=True,
            metavar="FORM:FILE",
            shell_complete=report_forms(forms),
            help=f"Write the report to a file as well, such as {example}. May be given several times.",
        ),
    )


def recursive_option(command: _Command) -> _Command:
    """Give a command `--recursive`."""
    option = click.option(
        "-r",
        "--recursive",
        is_flag=True,
        help="Take the lock files in all folders below too, but for ignored ones.",
    )
    return option(command)


def color_option(commands: Iterable[click.Command]) -> None:
    """Give commands `--color`. It is about how anything is shown, so that what shows it asks for it."""

    def said(context: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            context.meta[COLOUR_SAID] = value

    option = click.Option(
        ["--color"],
        type=click.Choice(("auto", "always", "never")),
        callback=said,
        expose_value=False,
        is_eager=True,  # what is wrong with other options is told in colours or without, too
        help="Colour what is printed. Default: auto, on terminals and in the logs of CI jobs that show it.",
    )
    for command in commands:
        command.params.append(option)


def theme_option(commands: Iterable[click.Command]) -> None:
    """Give commands `--theme`."""

    def said(context: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            context.meta[THEME_SAID] = value

    option = click.Option(
        ["--theme"],
        metavar="NAME",
        shell_complete=themes,
        callback=said,
        expose_value=False,
        help="Theme of the screen: auto, dark, light, ansi-dark, ansi-light and others. Default: LOCKWARDEN_THEME, "
        "your settings, the one chosen last, or what fits the terminal.",
    )
    for command in commands:
        command.params.append(option)


def names_follow_option(command: _Command) -> _Command:
    """Give a command `--names-follow`, which the command itself heeds."""
    return click.option(NAMES_FOLLOW, is_flag=True, hidden=True, expose_value=False)(command)


def lock_file_arguments(command: _Command) -> _Command:
    """Give a command any number of lock files; none means the current folder's."""
    # click.Path is for completion only: what is wrong with a path is told where the lock file is read.
    return click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())(command)
