"""morph2vec's stages on synthetic words, its published numbers and claims, and what is said of mistakes."""

import json
from pathlib import Path

import numpy as np
import pytest

import stages
from repline.evaluation.claims import judgement, published
from repline.vectors import store
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "morph2vec"
PAPER = published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)
CLAIMS = judgement.read(FOLDER / "claims.yaml")
STEMS = ["walk", "talk", "bird", "cat", "house", "tree", "play", "jump", "look", "rain", "snow", "work"]
SUFFIXES = ["", "s", "ed", "er", "ers"]
SPACE = {
    "vectors": "vectors/made",
    "language": "en",
    "words": None,
    "threshold": 0.5,
    "segments": 4,
    "keep": 4,
    "shortest": 2,
    "held_out": 10,
    "seed": 0,
    "segmentations": [],
    "inputs": ["raw/tests", "raw/tests"],
    "subwords": "vectors/text-fasttext",
}
TRAINING = {
    "encoder": "bilstm",
    "mixing": "attention",
    "embedding": 4,
    "units": 4,
    "dropout": 0.1,
    "weight_decay": 0.0,
    "logit_penalty": 0.01,
    "learning_rate": 0.01,
    "epochs": 1,
    "batch": 16,
}


def test_tables_are_whole():
    rows = {table["id"]: len(table["rows"]) for table in PAPER["tables"]}
    assert rows == {
        "chain": 3,
        "similarity": 6,
        "text8": 4,
        "pairs": 14,  # word2vec lacks two
        "analogies": 6,
        "neighbours": 6,
        "questions": 9,
        "allomorphs": 2,
        "found": 8,
        "supervision": 2,
    }


def test_every_claim_is_of_a_statement():
    named = [claim for statement in PAPER["statements"] for claim in statement["claims"]]
    assert sorted(named) == sorted(claim.id for claim in CLAIMS)


@pytest.fixture
def workspace(tmp_path):
    rng = np.random.default_rng(0)
    parts = {part: rng.normal(size=8) for part in (*STEMS, *SUFFIXES)} | {"": np.zeros(8)}
    words = [stem + suffix for suffix in SUFFIXES for stem in STEMS]
    vectors = np.array([2 * parts[stem] + parts[suffix] for suffix in SUFFIXES for stem in STEMS], dtype=np.float32)
    store.save(tmp_path / "data/vectors/made", words, vectors)
    raw = tmp_path / "data/raw/tests"
    raw.mkdir(parents=True)
    pairs = [f"{a} {b} {number % 7}" for number, (a, b) in enumerate(zip(words, reversed(words), strict=True))]
    (raw / "pairs.txt").write_text("\n".join([*pairs, "walkery talks 3"]))
    (raw / "four.txt").write_text("walk walks bird birds\nwalk walked bird birded\n")
    (raw / "gold.segmentation.eng").write_text(
        "".join(f"{stem}ers\t{stem}:{stem}_V er:+ER s:+PL\n{stem}ed\t{stem}:{stem}_V ed:+PL\n" for stem in STEMS)
    )
    (raw / "text.txt").write_text("\n".join(" ".join(rng.choice(words, size=8)) for _ in range(40)))
    (tmp_path / "stages").symlink_to(ROOT / "stages")
    gold = "raw/tests/gold.segmentation.eng"
    trained = {"dimensions": 6, "epochs": 1, "minimum_count": 1}
    text = {"sources": ["raw/tests/text.txt"] * 3, "tested": ["raw/tests"] * 2, "language": "en"}
    section = {
        "texts": {"text": text | {"word2vec": trained, "fasttext": {"buckets": 100}}},
        "spaces": {"made": SPACE},
        "seeds": [0, 1],
        "training": TRAINING,
        "models": {"bilstm": {"space": "made"}, "first": {"space": "made", "mixing": "first", "seeds": [3]}},
        "tests": {
            "made": {
                "similarity": {"pairs": "raw/tests/pairs.txt"},
                "analogies": {"four": "raw/tests/four.txt"},
                "gold": {"gold": gold},
                "allomorphs": gold,
                "supervised": gold,
                "printed": True,
            }
        },
        "ridge": {"shortest": 2, "longest": 3, "least": 1, "penalty": 0.1},
        "exports": {"unseen": {"model": "bilstm", "words": "corpora/morph2vec/made/held_out.txt"}},
    }
    parameter_files.write(tmp_path, {"profile": "tiny", "morph2vec": section})
    return tmp_path


def stage(workspace, name, *arguments, **changes):
    values = parameter_files.read(workspace)
    for key, value in changes.items():
        section = values["morph2vec"]
        *path, last = key.split("__")
        for part in path:
            section = section[part]
        section[last] = value
    parameter_files.write(workspace, values)
    return run_here(workspace, f"stages.morph2vec.{name}", *arguments)


def test_the_stages_go_from_text_and_vectors_to_claims_and_vectors_of_unseen_words(workspace):
    steps = (
        "prepare_text text",
        "train_word2vec text",
        "train_fasttext text",
        "prepare made",
        "train bilstm",
        "train first",
    )
    steps = (*steps, "measure_space made", "export unseen", "evaluate")
    run_steps(workspace, *(f"morph2vec.{step}" for step in steps))
    metrics = json.loads((workspace / "data/evaluation/morph2vec/metrics.json").read_text())["made"]
    assert metrics["words"] == 60 and metrics["held_out"]["words"] == 10
    assert {"mean", "stem", "ridge", "bilstm", "bilstm_unseen", "first"} <= set(metrics["held_out"])
    pairs = metrics["similarity"]["pairs"]
    assert pairs["targets"]["kept"] == 60 and pairs["bilstm"]["kept"] <= pairs["subwords"]["kept"] == 61
    assert metrics["cuts"]["gold"]["best"]["f1"] >= metrics["cuts"]["gold"]["bilstm"]["f1"] > 0
    assert metrics["gold_segments"]["gold"]["words"] > 0
    assert metrics["allomorphs"]["listed"]["sets"] == 1  # +PL: ed, s
    assert metrics["printed"]["targets"]["come_hear"] is None
    unseen, _ = store.words_and_matrix(workspace / "data/vectors/unseen")
    assert set(unseen) <= set((workspace / "data/corpora/morph2vec/made/held_out.txt").read_text().split())
    judged = json.loads((workspace / "data/evaluation/morph2vec/claims.json").read_text())
    assert {claim["verdict"] for claim in judged} == {"not run"}
    assert not list((workspace / "data/scratch").glob("morph2vec-*"))


@pytest.mark.parametrize(
    ("step", "changes", "message"),
    [
        ("prepare nothing", {}, "expected the name of a space, one of: made"),
        ("prepare made", {"spaces__made__threshold": "high"}, "morph2vec.spaces.made.threshold"),
        ("prepare made", {"spaces__made__treshold": 1}, "did you mean 'threshold'?"),
        ("prepare made", {"spaces__made__threshold": 1.0}, "0 of 60 words have a split, and 10 should be held out"),
        ("prepare made", {"spaces__made__segmentations": ["raw/absent"]}, "data/raw/absent: there is no such file"),
        (
            "train bilstm",
            {"models__bilstm__space": "mad"},
            "models.bilstm.space: there is no space 'mad'; did you mean 'made'?",
        ),
        ("train bilstm", {"models__bilstm__unit": 3}, "did you mean 'units'?"),
        ("train bilstm", {}, "there are no prepared words; run the stage `prepare`"),
        ("export unseen", {"exports__unseen__model": "lstm"}, "exports.unseen.model: there is no model 'lstm'"),
        ("prepare_text text", {"texts__text__language": None}, "morph2vec.texts.text.language"),
    ],
)
def test_a_mistake_is_one_sentence(workspace, step, changes, message):
    result = stage(workspace, *step.split(), **changes)
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (workspace / "data/corpora").exists() or not list((workspace / "data/corpora/morph2vec").glob("*"))
