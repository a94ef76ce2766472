import json
from pathlib import Path

import numpy as np
import pytest
from gensim.test.utils import datapath

import stages
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.sources.acquisition import acquire
from repline.sources.catalogue import load_sources
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_apart, run_here, run_steps

ROOT = Path(stages.__file__).parent.parent


@pytest.fixture
def project(tmp_path):
    """Two folders of vectors for the words of SimLex-999, the second with half of them."""
    source = load_sources(ROOT / "sources.yaml")["word_benchmarks"]
    acquire(source, tmp_path / "data/raw/word_benchmarks")
    pairs, _ = read_pairs(datapath("simlex999.txt"))
    words = sorted({word for pair in pairs for word in pair})
    matrix = np.random.default_rng(0).standard_normal((len(words), 6)).astype(np.float32)
    store.save(tmp_path / "data/vectors/all", words, matrix)
    store.save(tmp_path / "data/vectors/half", words[::2], matrix[::2])
    values = parameter_files.shared()["word_vector_suite"]
    values |= {
        "vectors": {
            "all": {"folder": "all", "like": "all"},
            "half": {"folder": "half", "like": "half"},
            "all-like-half": {"folder": "all", "like": "half"},
        },
        "other_languages": {},
        "sources": ["word_benchmarks", "word_benchmarks"],
    }
    parameter_files.write(tmp_path, {"word_vector_suite": values})
    return tmp_path


def run(folder, module, *arguments):
    return run_here(folder, f"stages.word_vector_suite.{module}", *arguments)


def test_all_vectors_on_all_tests(project):
    steps = ["evaluate all", "evaluate half", "evaluate all-like-half", "tabulate"]
    run_steps(project, *(f"word_vector_suite.{step}" for step in steps))
    folder = project / "data/evaluation/word_vector_suite"
    table = json.loads((folder / "table.json").read_text())
    assert [column["test"] for column in table["columns"]] == ["SimLex-999", "WordSim-353", "Google"]
    whole, half, cut = table["rows"]
    assert cut | {"vectors": "half"} == half  # the same vectors of the same words
    assert (whole["vectors"], half["vectors"], half["words"]) == ("all", "half", (whole["words"] + 1) // 2)
    assert whole["cells"][0]["coverage"] == 1
    assert 0 < half["cells"][0]["coverage"] < 0.5
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["all"]["tests"]["SimLex-999"]["spearman"] == whole["cells"][0]["value"]
    before = {path: path.read_bytes() for path in folder.rglob("*.json")}
    run_apart(project, *(f"word_vector_suite.{step}" for step in ("evaluate half", "tabulate")), fresh=True)
    assert {path: path.read_bytes() for path in folder.rglob("*.json")} == before


def test_mistakes_are_one_sentence(project):
    early = run(project, "tabulate")
    assert early.returncode == 1
    assert "all is not evaluated yet" in early.stderr
    assert "one of: all, half, all-like-half" in run(project, "evaluate", "word_benchmarks").stderr
    path = project / "params.yaml"
    path.write_text(path.read_text().replace("vocabulary:", "vocabulari:"))
    wrong = run(project, "evaluate", "all")
    assert "did you mean 'vocabulary'" in wrong.stderr
    assert "Traceback" not in early.stderr + wrong.stderr
