"""What no command tells of itself, for the man page and the page of reference: exit codes, files, variables."""

from __future__ import annotations

from typing import Final

Told = tuple[tuple[str, str], ...]

_NOT_JUDGED: Final = (
    "Nothing was judged: an option or argument that does not exist; a lock file, policy, record of approvals, module"
    " lock, CLI configuration, settings file, evidence bundle or base that cannot be read or used; no lock file; no"
    " gpg, git or ssh-keygen where it is needed; a report, lock file or journal that cannot be written; a review that"
    " ended before it was left, because its terminal went away or by an internal error."
)
EXIT_CODES: Final[Told] = (
    ("0", "Nothing to object to. Warnings and notes may be there."),
    ("1", "Findings. Of get, package-diff, compare-registries and registry backfill, see there."),
    ("2", _NOT_JUDGED),
    ("3", "Something could not be verified because it was not asked or did not answer, and nothing worse was found."),
    ("129, 130, 143", "Ended by a signal: the terminal was closed, Ctrl+C, a request to end (SIGTERM)."),
)
FILES: Final[Told] = (
    (".terraform.lock.hcl", "The lock file."),
    (".lockwarden.hcl", "The policy, from the lock file's folder up to the repository's root."),
    (".lockwarden/approvals.hcl", "The recorded approvals, beside the policy."),
    (".lockwarden/approvals.hcl.sig, .lockwarden/approvals.hcl.minisig", "A signature over the recorded approvals."),
    (".lockwarden/modules.hcl", "The module lock."),
    ("lockwarden-backfill.jsonl", "The journal of a backfill, in the current folder unless --journal names another."),
    (".tofurc, .terraformrc, *.tfrc, *.tfrc.json, credentials.tfrc.json", "The CLI configuration of the clients."),
    ("~/.cache/lockwarden", "Packages and what is known of them, on Linux; “lockwarden cache” names the folder."),
    ("~/.local/state/lockwarden", "The key that signs what is known of packages, and the theme, on Linux."),
    ("~/.config/lockwarden/settings.toml", "Your settings, on Linux; “lockwarden settings --path” names the file."),
)
VARIABLES: Final[Told] = (
    ("LOCKWARDEN_POLICY", "The policy that counts."),
    ("LOCKWARDEN_EVIDENCE_SIGNERS", "Who may vouch for evidence bundles, as ssh-keygen has its allowed signers."),
    ("LOCKWARDEN_CLIENT_CERT, LOCKWARDEN_CLIENT_KEY", "A client certificate and its key, for servers that ask."),
    ("VISUAL, EDITOR", "The editor that the review opens a lock file in."),
    ("BROWSER", "The program that the review opens addresses in. Default: the desktop's."),
    ("HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "The proxy, and who is asked without it."),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "Certificates to trust instead of the system's."),
    ("LOCKWARDEN_THEME", "The theme of the screen."),
    ("HOME", "The home folder: configuration of the clients and of git, credentials, and the defaults of XDG_…"),
    ("PATH", "Where gpg, git, ssh-keygen and credentials helpers are looked for, in absolute folders only."),
    ("TMPDIR", "Where temporary files are made."),
    ("NO_COLOR", "No colours, where it is not empty."),
    (
        "FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR",
        "Colours also where there is no terminal, where one of the first two is not empty; none with CLICOLOR=0.",
    ),
    ("COLORFGBG", "Whether the terminal's background is light, where the terminal does not answer."),
    ("LC_ALL, LC_CTYPE, LANG, PYTHONIOENCODING, TERM", "Which signs and colours can be shown."),
    (
        "GITHUB_ACTIONS, GITEA_ACTIONS, GITLAB_CI, BUILDKITE, CIRCLECI, TF_BUILD",
        "That the log of a job shows colours.",
    ),
    (
        "TF_CLI_CONFIG_FILE, TERRAFORM_CONFIG",
        "The CLI configuration of the clients, in place of the one in the home folder.",
    ),
    ("TF_TOKEN_*", "A token for a host, as the clients take it."),
    ("TF_DATA_DIR", "The folder that stands for .terraform."),
    ("TF_PLUGIN_CACHE_DIR", "The clients' plugin cache; “lockwarden config” shows it."),
    (
        "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE",
        "Whether the clients trust that cache without a hash; “lockwarden config” shows it.",
    ),
    ("TF_REGISTRY_DISCOVERY_RETRY, TF_PROVIDER_DOWNLOAD_RETRY", "How often a question, or a package, is tried again."),
    ("TF_REGISTRY_CLIENT_TIMEOUT", "How many seconds a registry has to answer."),
    ("TF_APPEND_USER_AGENT", "Words that the clients add to the name by which they ask; so does Lockwarden."),
    (
        "OPENTOFU_ENFORCE_GPG_VALIDATION, OPENTOFU_ENFORCE_GPG_EXPIRATION",
        "Whether OpenTofu insists on signatures, and on keys that have not expired. Judged is as OpenTofu would.",
    ),
    ("GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL", "Who records an approval, in place of what git's configuration says."),
    (
        "GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM",
        "Where git's own settings are; with --base they may not lie in the working tree.",
    ),
    ("GIT_SSL_CAINFO, GIT_SSL_CAPATH, GIT_SSH_COMMAND", "How git reaches the sources of modules, as for git itself."),
    ("SUDO_UID", "Whose repositories git trusts under sudo."),
    (
        "SSH_AUTH_SOCK",
        "The agent that git asks when a module's source is fetched over SSH, and that signs approvals.",
    ),
    (
        "SSH_ASKPASS, SSH_ASKPASS_REQUIRE, SSH_SK_PROVIDER, DISPLAY, WAYLAND_DISPLAY, XAUTHORITY",
        "With what ssh-keygen asks for a passphrase or a security key when approvals are signed.",
    ),
    (
        "PYTHONPATH, PYTHONHOME, PYTHONUSERBASE",
        "Python's own; with --base they may not lie in the working tree. “python -I -m lockwarden” ignores them.",
    ),
    (
        "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME, XDG_DATA_HOME, XDG_DATA_DIRS, XDG_RUNTIME_DIR",
        "Where the user's folders are, the clients' mirror folders and Podman's credentials among them.",
    ),
)
