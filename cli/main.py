"""The command line: which commands there are and what they take. What they do is in the modules beside this one.

Each command imports what it needs when it runs, so that `--help`, `--version` and shell completion answer at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import click
from click.shell_completion import CompletionItem

from lockwarden.cli.completion import SHELLS, script
from lockwarden.cli.exit_handling import ending
from lockwarden.cli.option_declarations import (
    NAMES_FOLLOW,
    audit_options,
    change_options,
    cluster_options,
    color_option,
    compared_format_option,
    evidence_options,
    format_option,
    host_options,
    lock_file_arguments,
    names_follow_option,
    organisation_policy_option,
    organisation_report_options,
    policy_option,
    recursive_option,
    registry_options,
    report_options,
    source_options,
    theme_option,
)
from lockwarden.cli.process_tuning import collect_rarely, do_without_absent_modules
from lockwarden.cli.registry_options import backfill_options, metadata_audit_options
from lockwarden.core import __version__

EXAMPLES = (
    ("lockwarden", "review the lock file of this folder"),
    ("lockwarden -r infra", "all lock files below a folder, from a list"),
    ("lockwarden --base origin/main", "what this branch changes"),
    ("lockwarden --source direct --source https://mirror.example.com/", "a mirror beside the origin registries"),
    ("lockwarden check --base origin/main", "the same audit without a screen, for CI"),
    ("lockwarden demo", "try it on a built-in provider world"),
)
_EPILOG = (
    "Exit codes: 0 nothing to object to, 1 findings, 2 wrong usage or unreadable input, 3 something could not be "
    "verified and nothing worse was found."
)


class _Review(click.Command):
    """The command without a name: it stands for itself as `lockwarden [PATH]...`."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        program = ctx.parent.command_path if ctx.parent is not None else ctx.command_path
        formatter.write_usage(program, " ".join(self.collect_usage_pieces(ctx)))


class _PathOrCommand(click.Group):
    """A group whose first word is a command's name or, when no command has it, the beginning of a review's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            args = ["."]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        first = args[0]
        if first in self.commands:
            return super().resolve_command(ctx, args)
        late = next((word for word in args[1:] if word in self.commands), "") if first.startswith("-") else ""
        if late:
            raise click.UsageError(f"options stand after the command: lockwarden {late} {first}", ctx)
        if not ctx.resilient_parsing and (meant := _meant(first, self.commands)):
            raise click.UsageError(f"there is neither a command nor a path “{first}”; did you mean {meant}?", ctx)
        return "", review_, args

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, the commands, and the options of the review, which stands for itself."""
        with formatter.section("Examples"):
            formatter.write_dl(EXAMPLES)
        self.format_commands(ctx, formatter)
        own = [each for each in self.get_params(ctx) if "--version" in each.opts]
        options = [
            each for each in (*review_.params, *own, self.get_help_option(ctx)) if isinstance(each, click.Option)
        ]
        told = [each.get_help_record(ctx) for each in options]
        with formatter.section("Options of the review"):
            formatter.write_dl([each for each in told if each is not None])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


class _Check(click.Command):
    """The command with `--names-follow`: whoever says it puts names of files behind words that people wrote.

    pre-commit does: what a hook's user says and the names in a commit come as one list, and in a change a folder may be
    called `--source=mirror`. So the user's words have to end with `--`, which is never left out in silence.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if NAMES_FOLLOW in args and "--" not in args:
            raise click.UsageError(
                "names of files follow, and nothing says where they begin; let the arguments end with “--”, as in"
                " args: [--offline, --]",
                ctx,
            )
        return super().parse_args(ctx, args)


def _meant(word: str, commands: Collection[str]) -> str:
    """The command that a word was probably meant to be; empty when it may well be a path."""
    import difflib
    import os

    if os.path.lexists(word):
        return ""
    return next(iter(difflib.get_close_matches(word, commands, n=1, cutoff=0.75)), "")


@click.group(
    cls=_PathOrCommand,
    context_settings={"help_option_names": ["-h", "--help"], "ignore_unknown_options": True},
    epilog=_EPILOG,
    subcommand_metavar="[PATH... | COMMAND [ARGS]...]",
)
@click.version_option(__version__, "-V", "--version", prog_name="lockwarden")
def lockwarden() -> None:
    """Audit the dependency lock file of OpenTofu and Terraform: who vouches for every hash.

    Without a command, open the review of each PATH: a lock file, or a folder that has one; default: the current one.
    """


@click.command(cls=_Review, add_help_option=True)
@lock_file_arguments
@recursive_option
@change_options
@audit_options
@evidence_options
@click.option("--read-only", is_flag=True, help="Write nothing, whatever is decided.")
@click.option("--in-browser", is_flag=True, hidden=True)
def review_(paths: tuple[str, ...], recursive: bool, read_only: bool, in_browser: bool, **given: object) -> int:
    """Open the review of each PATH, from a list where there are several; without a terminal, print it."""
    from lockwarden.cli.review import review
    from lockwarden.core.engine.options import given_options

    return review(paths, given_options(given), recursive=recursive, read_only=read_only, in_browser=in_browser)


@lockwarden.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF THE REVIEW] [PATH]...")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Where to listen. Default: any free port.")
@click.option("--write", is_flag=True, help="Let the review write what is decided.")
@click.option("--demo", "of_demo", is_flag=True, help="Show the built-in provider world.")
def serve(words: tuple[str, ...], port: int, write: bool, of_demo: bool) -> int:
    """Show the review in a browser of this machine; needs the extra “serve”.

    It listens on 127.0.0.1 alone, at an address that is printed and counts once. Without --write nothing is written.
    """
    from lockwarden.cli.serve import DEMO, serve

    if of_demo and (words or write):
        raise click.UsageError("the demo is shown as it is: --demo stands alone, but for --port")
    if of_demo:
        return serve(DEMO, port=port, write=True)
    review_.make_context("lockwarden", list(words))  # what is wrong usage is told here, not in the browser
    return serve(words, port=port, write=write)


@lockwarden.command(cls=_Check)
@lock_file_arguments
@names_follow_option
@recursive_option
@change_options
@audit_options
@evidence_options
@report_options
@click.option("-v", "--verbose", is_flag=True, help="Show every hash as a table.")
@click.option("--explain", metavar="ADDRESS", help="Print the whole reasoning about this provider, or module.NAME.")
@click.option(
    "--modules",
    "with_modules",
    is_flag=True,
    help="Check the configurations' modules, too: what their sources mean today, beside the module lock.",
)
@click.option(
    "--journal",
    "journals",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="With -v or --explain, tell also what this journal of “lockwarden registry backfill” has seen of packages "
    "that nothing vouches for now. May be given several times.",
)
def check(
    paths: tuple[str, ...],
    form: str,
    reports: tuple[str, ...],
    verbose: bool,
    explain: str | None,
    recursive: bool,
    with_modules: bool,
    journals: tuple[str, ...],
    **given: object,
) -> int:
    """Audit lock files without a screen; the exit code tells the result."""
    from lockwarden.cli.check import check
    from lockwarden.core.engine.options import given_options

    return check(
        paths,
        given_options(given),
        form=form,
        reports=reports,
        verbose=verbose,
        explain=explain,
        recursive=recursive,
        with_modules=with_modules,
        journals=journals,
    )


@lockwarden.command()
@click.argument("places", metavar="LIST|FOLDER|PATTERN...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--clones", metavar="FOLDER", type=click.Path(), help="Where names in lists start. Default: their folder."
)
@click.option(
    "--standards-at",
    metavar="REV",
    help="The revision of each repository at which its own policy and approvals count. Default: HEAD.",
)
@organisation_policy_option
@audit_options
@cluster_options
@organisation_report_options
def organisation(
    places: tuple[str, ...],
    form: str,
    reports: tuple[str, ...],
    clones: str | None,
    standards_at: str | None,
    workers: int | None,
    scheduler: str | None,
    **given: object,
) -> int:
    """Audit what many repositories have committed, each provider version once, as one report.

    LIST has one repository a line, as NAME or NAME@REVISION; FOLDER holds clones, bare or with working trees, or is
    one; PATTERN is quoted, as in "clones/*/infra". Without a revision it is HEAD. Nothing is fetched.
    """
    from lockwarden.cli.organisation import organisation
    from lockwarden.core.engine.options import given_options

    return organisation(
        places,
        given_options(given),
        form=form,
        reports=reports,
        clones=clones,
        standards_at=standards_at,
        workers=workers,
        scheduler=scheduler,
    )


@lockwarden.command()
@lock_file_arguments
@recursive_option
@change_options
@audit_options
@click.option("-o", "--output", required=True, metavar="FILE", type=click.Path(), help="The file to write.")
@click.option("--sign-key", metavar="KEY", type=click.Path(), help="Sign it with this SSH key, into FILE.sig.")
def bundle(paths: tuple[str, ...], recursive: bool, output: str, sign_key: str | None, **given: object) -> int:
    """Audit lock files, and write all that the audit rested on into one file: an evidence bundle.

    With “check --evidence FILE” it gives the same verdicts on a machine without a network. It holds no secrets and no
    paths of this machine. Of what it says, check tells what was verified again and what is your word: sign it.
    """
    from lockwarden.cli.bundle import bundle
    from lockwarden.core.engine.options import given_options

    return bundle(paths, given_options(given), output=output, sign_key=sign_key, recursive=recursive)


@lockwarden.command()
@lock_file_arguments
@recursive_option
@policy_option
@audit_options
@click.option("--dry-run", is_flag=True, help="Write nothing; tell what would be written.")
@click.option("--diff", is_flag=True, help="Show the exact difference of each lock file as well.")
def lock(paths: tuple[str, ...], recursive: bool, dry_run: bool, diff: bool, **given: object) -> int:
    """Write the hashes that the selection rule allows.

    Nothing is asked and nothing is dropped; the exit code is that of check for the files as they are afterwards, or
    with --dry-run would be.
    """
    from lockwarden.cli.lock import lock
    from lockwarden.core.engine.options import given_options

    return lock(paths, given_options(given), recursive=recursive, dry_run=dry_run, diff=diff)


@lockwarden.command()
@lock_file_arguments
@recursive_option
@click.option(
    "--take",
    multiple=True,
    metavar="WHICH",
    help="The version that is taken: higher, lower, a side (ours, theirs), or ADDRESS=WHICH for one provider, there "
    "also a version. May be given several times. Default: higher.",
)
@click.option("--write", is_flag=True, help="Write the resolved file; without it, the difference is shown.")
@policy_option
@audit_options
@format_option
def resolve(
    paths: tuple[str, ...], take: tuple[str, ...], write: bool, form: str, recursive: bool, **given: object
) -> int:
    """Resolve lock files with merge conflict markers, or with several blocks of one provider.

    Each side is shown with its verdicts. What is written of a provider is of one version, and holds what is confirmed
    of the hashes that any side has, and nothing else. The exit code is that of check for the resolved files.
    """
    from lockwarden.cli.resolve import resolve
    from lockwarden.core.engine.options import given_options

    return resolve(paths, given_options(given), take=take, write=write, form=form, recursive=recursive)


@lockwarden.command()
@lock_file_arguments
@recursive_option
@policy_option
@source_options
@format_option
@click.option("--armor", metavar="FINGERPRINT", help="Write this key alone, as its registry offers it.")
def keys(paths: tuple[str, ...], form: str, armor: str | None, recursive: bool, **given: object) -> int:
    """Show the signing keys of the locked providers and what they cover."""
    from lockwarden.cli.keys import keys
    from lockwarden.core.engine.options import given_options

    return keys(paths, given_options(given), form=form, armor=armor, recursive=recursive)


@lockwarden.command("compare-registries")
@lock_file_arguments
@recursive_option
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="Origin registries to compare: two, or one to compare each provider's own with. Default: "
    "registry.opentofu.org and registry.terraform.io.",
)
@registry_options
@compared_format_option
def compare_registries(
    paths: tuple[str, ...], hosts: tuple[str, ...], form: str, recursive: bool, **given: object
) -> int:
    """Compare the locked versions at two origin registries: packages, signers, platforms, and what of them is locked.

    The exit code is 0 where both are the same, 1 where they are not, and 3 where one could not be asked.
    """
    from lockwarden.cli.compare_registries import compare_registries
    from lockwarden.core.engine.options import given_options

    return compare_registries(paths, given_options(given), hosts=hosts, form=form, recursive=recursive)


@lockwarden.command()
@lock_file_arguments
@audit_options
@click.option("--write", is_flag=True, help="Write it to the repository's root, or beside the lock file.")
def init(paths: tuple[str, ...], write: bool, **given: object) -> int:
    """Propose a policy from what the audit of the present lock files sees.

    It is printed, unless it is to be written. A policy that is there already is never replaced.
    """
    from lockwarden.cli.init import init
    from lockwarden.core.engine.options import given_options

    return init(paths, given_options(given), write=write)


@lockwarden.command("approve-sign")
@click.argument("path", metavar="[PATH]", default=".", type=click.Path())
@click.option("--key", metavar="FILE", default="", help="SSH key to sign with; default: git's user.signingkey.")
@click.option("--signer", metavar="NAME", default="", help="Who signs, as a list of allowed signers names people.")
@click.option("--serial", metavar="N", default=1, type=click.IntRange(1, 10**15 - 1), help="Serial number, at least.")
@click.option("-y", "--yes", is_flag=True, help="Sign without asking.")
def approve_sign(path: str, key: str, signer: str, serial: int, yes: bool) -> int:
    """Sign the recorded approvals that go with PATH, a lock file or a folder, through ssh-keygen.

    The signature covers the whole file, so that all of it is shown before. A change that brings signed approvals is
    judged by them where the base's policy names the key.
    """
    from lockwarden.cli.approve_sign import approve_sign

    return approve_sign(path, key=key, signer=signer, serial=serial, yes=yes)


@lockwarden.command("hash")
@click.argument("packages", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path())
def hash_(packages: tuple[str, ...]) -> int:
    """Compute the zh and h1 hashes of packages: zip archives or folders."""
    from lockwarden.cli.hash import hash_packages

    return hash_packages(packages)


@lockwarden.command("package-diff")
@click.argument("before", metavar="FILE|zh:HASH")
@click.argument("after", metavar="FILE|zh:HASH")
@format_option
def package_diff(before: str, after: str, form: str) -> int:
    """Compare two packages of a provider, member by member: zip archives, or packages that were kept by their zh.

    Nothing is asked and nothing is unpacked. The exit code is 0 for the same bytes, 1 for others.
    """
    from lockwarden.cli.package_diff import diff_packages

    return diff_packages(before, after, form=form)


@lockwarden.command()
@click.argument("paths", metavar="[DIR|module.NAME]...", nargs=-1, type=click.Path())
@click.option("--resolve", is_flag=True, help="Ask what sources in OCI registries, in git and at URLs mean today.")
@click.option("--lock", is_flag=True, help="Add the sources that it lacks to .lockwarden/modules.hcl; asks, too.")
@click.option("--compare", is_flag=True, help="Hold what is installed against the package of its source; asks, too.")
@click.option("--diff", is_flag=True, help="Show what is new in packages of sources that moved, by file; asks, too.")
@click.option("--pin", is_flag=True, help="Show the sources pinned to what they mean today; asks, too.")
@click.option("--write", is_flag=True, help="With --pin: write it into the files of the configuration.")
@click.option("--base", metavar="REV", help="Hold them against the module lock of this git revision.")
@host_options
@format_option
def modules(
    paths: tuple[str, ...],
    form: str,
    resolve: bool,
    lock: bool,
    compare: bool,
    diff: bool,
    pin: bool,
    write: bool,
    **given: object,
) -> int:
    """List the module calls of each root module DIR: what each source is, and how far it pins what is installed.

    Where there is a module lock, they are held against it. Only --resolve, --lock, --compare, --diff and --pin ask
    servers; nothing is ever run. With --pin, arguments such as module.network name calls: without any, all are pinned.
    """
    from lockwarden.cli.modules import modules
    from lockwarden.cli.pinning import pin_modules
    from lockwarden.core.engine.options import given_options

    if pin or write:
        others = lock or compare or diff
        return pin_modules(paths, given_options(given), form=form, others=others, pin=pin, write=write)
    return modules(paths, given_options(given), form=form, resolve=resolve, lock=lock, compare=compare, diff=diff)


@lockwarden.command()
@click.argument("source", metavar="SOURCE")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--no-cache", is_flag=True, help="Neither use nor keep packages in the user's cache.")
@host_options
def get(source: str, folder: str, **given: object) -> int:
    """Get the module package of SOURCE, an oci:// address, into DIR, which must not be there yet or be empty.

    What the client would install, checked by its digests; nothing outside of DIR is written, and nothing is left behind
    after an error.
    """
    from lockwarden.cli.get import get
    from lockwarden.core.engine.options import given_options

    return get(source, folder, given_options(given))


@lockwarden.command()
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@click.option("--ask", is_flag=True, help="Ask the registries of OCI mirrors which repositories they have.")
@host_options
@format_option
def config(
    addresses: tuple[str, ...], form: str, ask: bool, insecure_http: tuple[str, ...], token_host: tuple[str, ...]
) -> int:
    """Show what your CLI configuration says, from which file and line, and which method serves each provider.

    ADDRESS is a provider's address; without one, the providers of the current folder's lock file are shown. No server
    is asked, and secrets are replaced.
    """
    from lockwarden.cli.config import config

    return config(addresses, form=form, ask=ask, insecure_http=insecure_http, token_host=token_host)


@lockwarden.command()
@click.option("--clear", is_flag=True, help="Remove everything that is kept.")
@click.option("--clear-packages", is_flag=True, help="Remove the packages and keep what is known of them.")
def cache(clear: bool, clear_packages: bool) -> int:
    """Show what is kept of packages, and where; or clear it.

    Nothing is lost that could not be fetched and computed again.
    """
    from lockwarden.cli.cache import cache

    return cache(clear=clear, clear_packages=clear_packages)


@lockwarden.command()
@click.option("--path", is_flag=True, help="Print where your settings are instead, and check them.")
def settings(path: bool) -> int:
    """Print a settings file in which everything is explained, and commented out.

    It says how things look, which keys do what, and where audits ask by default. Nothing in a repository under review
    is read as settings.
    """
    from lockwarden.cli.settings import settings

    return settings(path=path)


@lockwarden.command()
@click.option("--in-browser", is_flag=True, hidden=True)
def demo(in_browser: bool) -> int:
    """Open the review on a built-in provider world."""
    from lockwarden.cli.demo import demo

    return demo(in_browser=in_browser)


@lockwarden.group()
def registry() -> None:
    """Work on the metadata files of a whole provider registry."""


@registry.command("backfill")
@click.argument("folder", metavar="METADATA_DIR", type=click.Path())
@backfill_options
def registry_backfill(folder: str, **given: object) -> int:
    """Fill the h1 hashes and sizes that a registry's metadata files lack: plan, run, apply.

    Each package is fetched, compared with the digest that the file has, and hashed. Results go to a journal, and from
    there into the files; nothing that is there is ever written over. The same command goes on after any end.
    """
    from msgspec import convert

    from lockwarden.cli.registry import BackfillOptions, backfill

    return backfill(folder, convert(given, BackfillOptions))


@registry.command("audit")
@click.argument("place", metavar="METADATA_DIR|URL", type=click.Path())
@metadata_audit_options
@report_options
def registry_audit(place: str, **given: object) -> int:
    """Audit a registry's metadata files: form, hashes, versions, keys, and what they say of each other.

    URL is that of one metadata file, or of an archive of the registry's repository.
    """
    from msgspec import convert

    from lockwarden.cli.registry_audit import MetadataAuditOptions, audit

    return audit(place, convert(given, MetadataAuditOptions))


@lockwarden.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print what makes a shell complete commands, options and paths.

    \b
    bash  eval "$(lockwarden completion bash)" in ~/.bashrc
    zsh   eval "$(lockwarden completion zsh)" in ~/.zshrc, after compinit
    fish  lockwarden completion fish > ~/.config/fish/completions/lockwarden.fish
    """
    from lockwarden.cli.output import out

    out(script(shell, lockwarden))
    return 0


@lockwarden.command("help", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def help_(ctx: click.Context, words: tuple[str, ...]) -> int:
    """Tell what a command does and takes, as COMMAND --help does."""
    from lockwarden.cli.output import out

    program = ctx.find_root()
    if not words:
        out(f"{lockwarden.get_help(program)}\n")
        return 0
    command: click.Command = lockwarden
    context = program
    for place, word in enumerate(words):
        known = command.commands if isinstance(command, click.Group) else {}
        if word not in known:
            meant = _meant(word, known)
            more = f"; there are {', '.join(sorted(known))}" if known else ""
            more = f"; did you mean {meant}?" if meant else more
            raise click.UsageError(f"there is no command “{' '.join(words[: place + 1])}”{more}", ctx)
        command = known[word]
        context = click.Context(command, info_name=word, parent=context)
    out(f"{command.get_help(context)}\n")
    return 0


theme_option((review_, demo))
color_option((review_, *lockwarden.commands.values()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with `arguments`, the process's own when there are none; returns the exit code."""
    if arguments is None:
        collect_rarely()
        do_without_absent_modules()
    return ending(lambda: lockwarden.main(arguments, prog_name="lockwarden", standalone_mode=False))
