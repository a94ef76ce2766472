"""A small project on disk: one system with an evaluation, and one without."""

import json

import pytest

from tests.report.toy_system import HOSTILE, RUNS, write_system


@pytest.fixture
def project(tmp_path):
    """The folder of a project with the systems `toy` (evaluated, hostile title) and `waiting` (not evaluated)."""
    return write_project(tmp_path)


@pytest.fixture(scope="module")
def read_only_project(tmp_path_factory):
    """A project shared by all tests of a file: none of them may change it."""
    return write_project(tmp_path_factory.mktemp("project"))


def write_project(folder):
    write_system(folder, "toy", title=f"Toy {HOSTILE}")
    write_system(folder, "waiting", evaluated=False)
    corpus = folder / "data" / "corpora" / "strings"
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
    runs = folder / "data" / "scratch" / "runs"
    runs.mkdir(parents=True)
    for number, record in enumerate(RUNS):
        machine = {"cores": 2, "platform": "Linux-6.1", "python": "3.11.2"}
        (runs / f"{number}.json").write_text(json.dumps({**record, "threads": 1, "machine": machine}))
    return folder
