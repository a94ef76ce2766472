"""A small project on disk: one system with an evaluation, and one without."""

import json

import pytest

from tests.report.toy_system import HOSTILE, RUNS, write_system


@pytest.fixture
def project(tmp_path):
    """The folder of a project with the systems `toy` (evaluated, hostile title) and `waiting` (not evaluated)."""
    write_system(tmp_path, "toy", title=f"Toy {HOSTILE}")
    write_system(tmp_path, "waiting", evaluated=False)
    corpus = tmp_path / "data" / "corpora" / "strings"
    corpus.mkdir(parents=True)
    card = {
        "name": "strings",
        "description": "Strings of brackets.",
        "licence": "CC0",
        "sources": [
            {"name": "excerpt", "sha256": "ab" * 32, "corpus": {"name": "wiki", "sources": [{"name": "dump"}]}}
        ],
        "parameters": {"pairs": 10},
        "counts": {"strings": 20480},
        "tools": {"pyarrow": "20.0"},
        "notes": ["Two were lost."],
    }
    (corpus / "card.json").write_text(json.dumps(card))
    runs = tmp_path / "data" / "scratch" / "runs"
    runs.mkdir(parents=True)
    for number, record in enumerate(RUNS):
        machine = {"cores": 2, "platform": "Linux-6.1", "python": "3.11.2"}
        (runs / f"{number}.json").write_text(json.dumps({**record, "threads": 1, "machine": machine}))
    return tmp_path
