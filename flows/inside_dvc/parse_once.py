"""DVC parses params.yaml again for every dvc.yaml, and every dvc.yaml for every workspace: most of what it does.

Reading the graph of 281 stages in 52 files takes 2.7 core-seconds with this and 6.9 without. A stage whose parameters
are in a file of 2,500 lines costs 0.11 core-seconds besides its command, and 0.17 where it parses that file itself.
"""

import pickle
from contextlib import suppress
from functools import cache
from os.path import normpath
from pathlib import Path
from typing import Any

from flows.inside_dvc.lock_files import HEAD, blocks


def parse_once() -> None:
    """Patch DVC: it parses the same YAML text, or the same stage of a dvc.lock, once; every caller gets a copy."""
    from dvc.utils import strictyaml
    from dvc.utils.serialize import _yaml

    parse = _yaml.parse_yaml
    if parse.__module__ == __name__:
        return

    @cache
    def parsed(text: str) -> bytes:
        return pickle.dumps(parse(text, path=""))

    def parse_yaml(text: str, path: str, typ: str = "safe") -> Any:
        if typ != "safe":
            return parse(text, path, typ)
        try:
            if parts := blocks(text):
                stages = {name: entry for part in parts for name, entry in pickle.loads(parsed(part)).items()}
                if len(stages) == len(parts):
                    return pickle.loads(parsed(HEAD)) | {"stages": stages}
            return pickle.loads(parsed(text))
        except _yaml.YAMLFileCorruptedError:
            return parse(text, path)  # whole, with the path in the message

    _yaml.parse_yaml = strictyaml.parse_yaml = parse_yaml


def parse_ahead(root: Path, file: Path) -> None:
    """Parse and check what a stage reads, for this process and its forks; broken files are for their readers.

    Args:
        root: the DVC repository.
        file: the stage's dvc.yaml. Its parameter files are parsed with it, those of JSON and TOML by their readers.
    """
    from dvc import schema
    from dvc.exceptions import DvcException
    from dvc.utils import strictyaml

    schemas = {"dvc.yaml": schema.COMPILED_MULTI_STAGE_SCHEMA, "dvc.lock": schema.COMPILED_LOCKFILE_SCHEMA}
    unreadable = (OSError, ValueError, AttributeError, TypeError, KeyError, DvcException)
    paths = [root / "params.yaml", file, file.with_suffix(".lock")]
    with suppress(*unreadable):
        paths += _parameter_files(file.read_text(encoding="utf-8"), file.parent)
    for path in paths:
        with suppress(*unreadable):
            strictyaml.load(str(path), schemas.get(path.name))


@cache
def _parameter_files(text: str, folder: Path) -> list[Path]:
    """The YAML files whose parameters the stages of a dvc.yaml name, but not those whose own names are parameters."""
    from dvc.utils.serialize import _yaml

    bodies = [body.get("do", body) for body in _yaml.parse_yaml(text, "dvc.yaml")["stages"].values()]
    named = [
        normpath(folder / body.get("wdir", ".") / name)
        for body in bodies
        for entry in body.get("params", ())
        for name in (entry if isinstance(entry, dict) else ())
    ]
    return [Path(name) for name in dict.fromkeys(named) if name.endswith((".yaml", ".yml")) and "${" not in name]
