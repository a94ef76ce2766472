"""What a saved model says of itself: its system and kind in config.json, and in raw_input.json how raw input is read.

config.json       {..., "repline": {"system": "hcan", "kind": "text_classifier", "bytes": {"model.safetensors": 1234}}}
raw_input.json    what raw input needs next to the weights: vocabulary, names of labels, how text is split, scales
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repline.errors import InputError, in_one_line, shown
from repline.files import write_json
from repline.parameters import JsonObject

CONFIG, RAW_INPUT = "config.json", "raw_input.json"
KEY = "repline"
CHECKED = (".json", ".md")  # JSON is complete if it can be read, and nothing reads the card
WITHOUT_END = (".tsv", ".txt")  # what is left of such a file can be read; other formats tell that they were cut
ENDS_OF_VECTORS = (".vec", ".bin", ".npy", ".magnitude", ".kv", ".w2v")
LONGEST_LINE = 1 << 16  # characters of the first lines of a file that is looked into
RawInput = Mapping[str, Any]  # of raw_input.json: the `use.py` of a system knows what its models need


@dataclass(frozen=True)
class Description:
    """What a saved model says of itself.

    Attributes:
        folder: of the model.
        system: whose `use.py` reads it; "" for a folder of word vectors.
        kind: of model, where a system trains several.
        raw_input: what raw_input.json holds.
    """

    folder: Path
    system: str
    kind: str
    raw_input: RawInput


def describe(folder: str | Path, system: str, kind: str, raw_input: JsonObject) -> None:
    """Write into a saved model what `repline.load` needs; a config.json that is there keeps its other entries.

    Args:
        folder: of the model, complete except for this.
        system: the name of a package in `repline.systems` that has a `use.py`.
        kind: of model, where a system trains several.
        raw_input: what JSON can hold.
    """
    folder = Path(folder)
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8")) if (folder / CONFIG).exists() else {}
    files = {path.relative_to(folder).as_posix(): path.stat().st_size for path in sorted(folder.rglob("*"))}
    sizes = {name: size for name, size in files.items() if (folder / name).is_file() and not name.endswith(CHECKED)}
    write_json(folder / CONFIG, config | {KEY: {"system": system, "kind": kind, "bytes": sizes}})
    write_json(folder / RAW_INPUT, dict(raw_input))


def read_description(folder: str | Path) -> Description:
    """Read the description that `describe` wrote.

    Raises:
        InputError: there is no such folder, it holds runs or something else than a model, or a file is damaged.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: {_no_folder(folder)}")
    if not (folder / CONFIG).exists():
        if (folder / RAW_INPUT).exists():
            raise InputError(
                f"{folder / CONFIG}: there is no such file, so {folder} is not complete; copy the folder again"
            )
        raise InputError(f"{folder}: no model, as there is no {CONFIG}{_models_inside(folder)}")
    config = _read(folder / CONFIG)
    described = config.get(KEY)
    if described is None and not (folder / RAW_INPUT).exists():
        raise InputError(
            f"{folder}: this model takes no raw input: it is a part of an evaluation, or of another program"
            f"{_models_inside(folder)}"
        )
    if not isinstance(described, dict) or not all(isinstance(described.get(key), str) for key in ("system", "kind")):
        raise InputError(f"{folder / CONFIG}: expected an entry {shown(KEY)} of system and kind; train the model again")
    raw_input = _read(folder / RAW_INPUT)
    sizes = described.get("bytes", {})
    if not isinstance(sizes, dict) or not all(isinstance(size, int) for size in sizes.values()):
        raise InputError(f"{folder / CONFIG}: expected sizes of files as 'bytes'; copy the folder again")
    for name, size in sizes.items():
        if not name.endswith(WITHOUT_END):
            continue
        length = (folder / name).stat().st_size if (folder / name).exists() else 0
        if length < size:
            raise InputError(
                f"{folder / name}: expected {size:,} bytes, found {length:,}; it is not complete, copy the folder again"
            )
    return Description(folder, described["system"], described["kind"], raw_input)


def _models_inside(folder: Path) -> str:
    """The end of a message that names the models in a folder; nothing where there is none."""
    inner = sorted(path.parent.relative_to(folder).as_posix() for path in folder.rglob(RAW_INPUT))
    if not inner:
        return ""
    return f"; it holds {', '.join(inner[:5])}{', ...' if len(inner) > 5 else ''}: load one of them"


def _no_folder(path: Path) -> str:
    """Why a path is no folder, and what to name or to do instead."""
    if not path.exists():
        return f"there is no such folder; a model is a folder with {CONFIG}"
    if not _is_of_vectors(path):
        return f"this is a file; a model is a folder with {CONFIG}, so name the folder"
    return (
        f"this is a file of word vectors; `repline vectors convert {path} FOLDER` makes a folder of it that can be used"
    )


def _is_of_vectors(path: Path) -> bool:
    """Whether a file looks like word vectors of any format: by its end, or by a word and numbers in its first lines."""
    if any(suffix in ENDS_OF_VECTORS for suffix in path.suffixes):
        return True
    try:
        with path.open(encoding="utf-8") as file:
            lines = [file.readline(LONGEST_LINE).split() for _ in range(2)]
    except (OSError, UnicodeDecodeError):
        return False
    return all(len(line) > 1 and all(map(_is_number, line[1:])) for line in lines)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read(path: Path) -> RawInput:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file, so {path.parent} is not complete; copy it again") from None
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({in_one_line(error)})") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is no JSON ({in_one_line(error)}); copy the folder again") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: expected a JSON object, found {type(values).__name__}; copy the folder again")
    return values
