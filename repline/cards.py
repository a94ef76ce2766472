"""Snapshot cards: what makes a corpus folder reproducible and citable.

A card says where the data came from (sources with sha256), under which licence, with which parameters and tool
versions it was made, and how much of it there is. It holds nothing that differs between two equal runs.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import repline
from repline.errors import InputError
from repline.files import write_json


def write_card(
    folder: str | Path,
    *,
    name: str,
    description: str,
    licence: str,
    sources: Sequence[Mapping[str, Any]],
    parameters: Mapping[str, Any],
    counts: Mapping[str, int],
    tools: Sequence[str] = ("pyarrow",),
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Write `folder/card.json` and return it.

    Args:
        sources: each with at least `name` and `sha256`, as the card of `data/raw/<source>` has them, or the whole
            card of another corpus under `corpus`.
        parameters: the params section that made the corpus.
        counts: rows, sentences, tokens, documents, ...
        tools: distribution names whose versions influence the bytes.
        notes: sentences a reader must know, e.g. "pages after byte 123 were lost".
    """
    card = {
        "name": name,
        "description": description,
        "licence": licence,
        "sources": list(sources),
        "parameters": dict(parameters),
        "counts": dict(counts),
        "tools": {"repline": repline.__version__} | {tool: version(tool) for tool in sorted(tools)},
        "notes": list(notes),
    }
    write_json(Path(folder) / "card.json", card)
    return card


def read_card(folder: str | Path) -> dict[str, Any]:
    """Read `folder/card.json`; InputError if the folder has none (it is then no finished corpus)."""
    path = Path(folder) / "card.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no card, so {folder} is not a finished corpus; run `dvc repro` for it") from None
