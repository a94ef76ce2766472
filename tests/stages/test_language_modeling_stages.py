import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands import run_command
from tests.stages import parameter_files

ROOT = Path(__file__).parents[2]
PARAMETERS = {"language_modeling": parameter_files.shared()["language_modeling"]}
PARAMETERS["language_modeling"]["corpora"] = {
    "language_modeling": {"source": "raw/text"},
    "short": {"source": "raw/text", "maximum_tokens": 2},
}


@pytest.fixture
def workspace(tmp_path):
    parameter_files.write(tmp_path, PARAMETERS)
    source = tmp_path / "data/raw/text"
    source.mkdir(parents=True)
    for split, text in {"train": "the cat sat\nthe cat\n", "valid": "the cat\n", "test": "cat\n"}.items():
        (source / f"ptb.{split}.txt").write_text(text)
    (source / "card.json").write_text(json.dumps({"name": "text", "licence": "CC0", "files": []}))
    return tmp_path


def _stage(workspace, *arguments):
    return run_command(workspace, "stages.language_modeling.build", *arguments)


def test_each_corpus_is_built_with_its_own_parameters(workspace):
    process = _stage(workspace, "language_modeling")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == "data/corpora/language_modeling: 7 train, 3 validation, 2 test tokens, 5 words\n"
    process = _stage(workspace, "short")
    assert process.stdout == "data/corpora/short: 3 train, 3 validation, 2 test tokens, 4 words\n"
    assert np.load(workspace / "data/corpora/short/train/ids.npy").tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lowercse": True}, "unknown parameter 'language_modeling.lowercse'; did you mean 'lowercase'?"),
        ({"corpora": {}}, "language_modeling.corpora should have at least 1 item, found {}"),
        ({"corpora": {"language_modeling": {}}}, "language_modeling.corpora.language_modeling.source is missing"),
        ({"corpora": {"language_modeling": {"source": "raw/absent"}}}, "data/raw/absent/card.json: no card"),
        (
            {"corpora": {"language_modeling": {"source": "raw/text", "seeed": 1}}},
            "unknown parameter 'language_modeling.corpora.language_modeling.seeed'; did you mean 'seed'?",
        ),
        ({"corpora": {"other": {"source": "raw/text"}}}, "expected the name of a corpus, one of: other"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, change, message):
    values = {"language_modeling": PARAMETERS["language_modeling"] | change}
    parameter_files.write(workspace, values)
    before = sorted(workspace.rglob("*"))
    failed = _stage(workspace, "language_modeling")
    assert failed.returncode == 1
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert sorted(workspace.rglob("*")) == before
