"""A CLI configuration with three ways to a provider, and runs of the installed command that find it by themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from builders.three_providers import HOST, MIRROR
from servers.installed import Ended, Lockwarden
from servers.oci_registry import PASSWORD, USER, basic

MakeLockFile = Callable[[str, Callable[[], bytes]], bytes]
"""Name and maker → the lock file, made once a session."""
OCI_HOST = "oci.example.test"
MIRROR_HOST = "mirror.example.test"
SECRET = "sesame-8f2e61"
THREE_WAYS = f"""provider_installation {{
  oci_mirror {{
    repository_template = "{OCI_HOST}/providers/${{namespace}}/${{type}}"
    include             = ["{HOST}/acme/one"]
  }}
  network_mirror {{
    url     = "{MIRROR}"
    include = ["{HOST}/acme/two"]
  }}
  direct {{
    exclude = ["{HOST}/acme/one", "{HOST}/acme/two"]
  }}
}}
"""
OCI_CREDENTIALS = f'oci_credentials "{OCI_HOST}" {{\n  username = "{USER}"\n  password = "{PASSWORD}"\n}}\n'


def run(lockwarden: Lockwarden, *arguments: str, folder: Path, **more: str) -> Ended:
    """Run it with the configuration that is found by itself; it never shows the secrets of these tests."""
    done = lockwarden.run(*arguments, folder=folder, expected=None, TF_CLI_CONFIG_FILE="", **more)
    for secret in (SECRET, PASSWORD, basic()):
        assert secret not in done.out + done.err
    return done
