"""dvc.lock files that parallel runs and kills leave whole, and with the same bytes."""

import os
from pathlib import Path

from repline.files import new_file


def write_lock_files_well() -> None:
    """dvc.lock appears by rename, its stages in order of name, and is parsed without keeping comments.

    DVC writes over it in place, so that a kill in between leaves half a file; it appends each new stage, so that two
    parallel runs leave two different files; and its comment-keeping parser takes a fifth of a second for sixty stages,
    in which every other stage waits for the lock. What it writes stays byte for byte DVC's own.
    """
    from dvc.utils.serialize import _common, _yaml

    with_comments = _yaml.parse_yaml_for_update

    def parse(text, path):
        return _yaml.parse_yaml(text, path) if str(path).endswith(".lock") else with_comments(text, path)

    def dump(path, data, dumper, fs=None, **options):
        if str(path).endswith(".lock") and data.get("stages"):
            data["stages"] = dict(sorted(data["stages"].items()))
        with new_file(Path(os.path.realpath(path))) as partial, open(partial, "w", encoding="utf-8") as file:
            dumper(data, file, **options)

    _yaml.parse_yaml_for_update = parse
    _common._dump_data = dump
