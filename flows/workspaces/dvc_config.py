"""The DVC configuration of a workspace: the project's own, without Git, and on the checkout's cache."""

import os
import shutil
from pathlib import Path
from typing import Any

from flows.files import new_file

CONFIG, LOCAL = "config", "config.local"


def write(checkout: Path, folder: Path) -> bool:
    """Write the configuration into `folder`, the .dvc of a workspace, where it differs; returns whether it is new.

    It is what the files `config` and `config.local` of the checkout say together; DVC reads the user's by itself.
    Relative paths in it (of remotes, keys, the template of plots) lead to where they lead in the checkout.

    Raises:
        DvcException: DVC refuses the configuration of the checkout.
    """
    from configobj import ConfigObj
    from dvc.config import merge
    from dvc.repo import Repo

    with Repo(str(checkout)) as repo:
        config: dict[str, Any] = repo.config.load_one("repo")
        merge(config, repo.config.load_one("local"))
        cache = repo.cache.legacy.path
    config["core"] |= {"analytics": "false", "check_update": "false", "no_scm": "true", "autostage": "false"}
    config["cache"]["dir"] = os.path.relpath(cache, folder)
    if template := config["plots"].get("html_template"):
        config["plots"]["html_template"] = os.path.join(checkout, ".dvc", template)
    content = b"\n".join(ConfigObj(_sections(config), encoding="utf-8").write()) + b"\n"

    path = folder / CONFIG
    sources = [checkout / ".dvc" / name for name in (LOCAL, CONFIG)]
    is_new = not path.exists()
    if is_new or path.read_bytes() != content:
        with new_file(path) as partial:
            partial.touch(mode=0o600)  # it may have passwords: who cannot read config.local cannot read this
            partial.write_bytes(content)
            if source := next((file for file in sources if file.exists()), None):
                shutil.copymode(source, partial)
    return is_new


def _sections(config: dict[str, Any]) -> dict[str, Any]:
    """The sections as a file has them: one for each remote, machine and database."""
    sections = {name: values for name, values in config.items() if values and name not in ("remote", "machine", "db")}
    for kind in ("remote", "machine", "db"):
        sections |= {f'{kind} "{name}"': values for name, values in config.get(kind, {}).items()}
    return sections
