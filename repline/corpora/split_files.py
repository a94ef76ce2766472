"""Names of files that say of which set and part they are: NAME.train.tsv, NAME.dev.tsv, NAME.test.tsv, or NAME.tsv."""

from collections.abc import Mapping
from pathlib import Path

from repline.errors import InputError
from repline.reading.settings import PART_NAMES

ALL = "all"  # the part of a set that has no split


def files_by_set(files: Mapping[str, Path], suffix: str = ".tsv") -> dict[str, dict[str, Path]]:
    """The files of each set by its parts, which are `all`, or train, test, and dev where there is one.

    >>> files = {name: Path(name) for name in ("my-set.train.tsv", "my-set.valid.tsv", "my-set.test.tsv", "other.tsv")}
    >>> {name: list(parts) for name, parts in files_by_set(files).items()}
    {'my-set': ['train', 'dev', 'test'], 'other': ['all']}

    Args:
        files: by `unpacked_name`.
        suffix: of the files; others are passed over.

    Raises:
        InputError: a name with another word in the place of the part, two files of a part, or a set without train or
            test.
    """
    sets: dict[str, dict[str, Path]] = {}
    for file, path in files.items():
        if not file.endswith(suffix):
            continue
        name, _, word = file.removesuffix(suffix).partition(".")
        part = PART_NAMES.get(word.lower()) if word else ALL
        if not name or part is None:
            raise InputError(
                f"{path}: expected the name NAME{suffix}, or NAME.PART{suffix} with a part of {', '.join(PART_NAMES)}"
            )
        parts = sets.setdefault(name, {})
        if part in parts:
            raise InputError(f"{path} and {parts[part].name} are both the part {part} of {name}; keep one of the two")
        parts[part] = path
    for name, parts in sets.items():
        if ALL in parts and len(parts) > 1:
            raise InputError(f"{name}: there is {name}{suffix} and also a file of a split; keep one of the two")
        if ALL not in parts and not {"train", "test"} <= parts.keys():
            missing = min({"train", "test"} - parts.keys())
            raise InputError(f"{name}: there is no {name}.{missing}{suffix} next to {next(iter(parts.values())).name}")
    return sets
