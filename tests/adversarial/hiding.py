"""Ways in which a change takes a lock file out of sight while its configuration, or what stands for it, stays."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from adversarial.checkout import LOCK, Checkout, locked, requiring


def delete(checkout: Checkout, where: str = "infra") -> None:
    (checkout.folder / where / LOCK).unlink()


def empty_entirely(checkout: Checkout, where: str) -> None:
    checkout.write({f"{where}/{LOCK}": ""})


def hide_by_rule(checkout: Checkout, where: str) -> None:
    checkout.write({f"{where}/.gitignore": f"{LOCK}\n"})
    checkout.git("rm", "--quiet", "--cached", f"{where}/{LOCK}")


def move_into_a_cache(checkout: Checkout, where: str) -> None:
    (checkout.folder / where / ".terraform").mkdir()
    checkout.git("mv", f"{where}/{LOCK}", f"{where}/.terraform/{LOCK}")


def move_into_a_cache_untracked(checkout: Checkout, where: str) -> None:
    checkout.write({f"{where}/.gitignore": ".terraform/\n"})
    (checkout.folder / where / ".terraform").mkdir()
    (checkout.folder / where / LOCK).rename(checkout.folder / where / ".terraform" / LOCK)


def move_to_a_decoy(checkout: Checkout, where: str) -> None:
    (checkout.folder / f"decoy-{where}").mkdir()
    checkout.git("mv", f"{where}/{LOCK}", f"decoy-{where}/{LOCK}")


def link_outwards(checkout: Checkout, where: str) -> None:
    shutil.move(checkout.folder / where, checkout.folder.parent / where)
    (checkout.folder / where).symlink_to(f"../{where}")


def link_the_lock_file_outwards(checkout: Checkout, where: str) -> None:
    shutil.move(checkout.folder / where / LOCK, checkout.folder.parent / "elsewhere.hcl")
    (checkout.folder / where / LOCK).symlink_to("../../elsewhere.hcl")


def link_to_nowhere(checkout: Checkout, where: str) -> None:
    shutil.rmtree(checkout.folder / where)
    (checkout.folder / where).symlink_to("made-later")


def link_to_the_configuration_alone(checkout: Checkout, where: str) -> None:
    checkout.git("mv", where, f"stacks-{where}")
    (checkout.folder / f"stacks-{where}" / LOCK).unlink()
    (checkout.folder / where).symlink_to(f"stacks-{where}")


def link_to_another(checkout: Checkout, where: str) -> None:
    """To a folder with the same configuration whose lock file has one entry less."""
    shutil.rmtree(checkout.folder / where)
    names = (f"{where}-one", f"{where}-two")
    checkout.write({f"other/{where}/main.tf": requiring(*names), f"other/{where}/{LOCK}": locked(names[0])})
    (checkout.folder / where).symlink_to(f"other/{where}")


def submodule(checkout: Checkout, where: str) -> None:
    """One with the same configuration, checked out, whose lock file has one entry less."""
    shutil.rmtree(checkout.folder / where)
    checkout.git("rm", "--quiet", "-r", "--cached", where)
    names = (f"{where}-one", f"{where}-two")
    Checkout.of(checkout.folder / where, {"main.tf": requiring(*names), LOCK: locked(names[0])})
    checkout.git("add", where)


def empty_submodule(checkout: Checkout, where: str) -> None:
    submodule(checkout, where)
    shutil.rmtree(checkout.folder / where)
    (checkout.folder / where).mkdir()


HIDING: dict[Callable[[Checkout, str], None], str] = {
    delete: "entry-removed",
    empty_entirely: "entry-removed",
    hide_by_rule: "entry-removed",
    move_into_a_cache: "entry-removed",
    move_into_a_cache_untracked: "entry-removed",
    move_to_a_decoy: "entry-removed",
    link_outwards: "lock-file-displaced",
    link_the_lock_file_outwards: "lock-file-displaced",
    link_to_nowhere: "lock-file-displaced",
    link_to_the_configuration_alone: "entry-removed",
    link_to_another: "entry-removed",
    submodule: "entry-removed",
    empty_submodule: "lock-file-displaced",
}
"""What takes the lock file of a folder out of sight, and the code of what is said then."""


def ignore_everything(checkout: Checkout, where: str) -> None:
    checkout.write({f"{where}/.gitignore": "*\n", ".gitignore": f"{LOCK}\n"})


def link_beside(checkout: Checkout, where: str) -> None:
    (checkout.folder / f"beside-{where}").symlink_to(where)


def another_in_a_cache(checkout: Checkout, where: str) -> None:
    checkout.write({f"{where}/.terraform/modules/x/{LOCK}": locked(f"{where}-one")})
    checkout.git("add", "--force", f"{where}/.terraform/modules/x/{LOCK}")


def move_all(checkout: Checkout, where: str) -> None:
    checkout.git("mv", where, f".terragrunt-cache-{where}")
    (checkout.folder / ".terragrunt-cache").mkdir(exist_ok=True)
    checkout.git("mv", f".terragrunt-cache-{where}", f".terragrunt-cache/{where}")


HARMLESS = (ignore_everything, link_beside, another_in_a_cache, move_all)
"""What hides nothing, as git still tracks it."""
