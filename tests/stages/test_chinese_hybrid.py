"""The stages of chinese_hybrid on a small corpus of a person's own: words between blanks, and questions."""

import json

import pytest

from repline.cards import read_card
from repline.parameters import merge, read
from repline.vectors import store
from tests.commands import ROOT
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

CITIES = {"北京": "中国", "巴黎": "法国", "东京": "日本", "罗马": "意国"}
MODELS = {
    "cbow": {"bags": ["context_words"]},
    "cowe_p": {"bags": ["context_words", "own_characters"], "consistency": True},
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("chinese")
    lines = [f"{city} 是 {land} 的 首都 。 我 爱 {land}\n" for city, land in CITIES.items() for _ in range(30)]
    raw = root / "data/raw"
    for name, file, text in (
        ("mine", "text.txt", "".join(lines)),
        ("table", "parts.txt", "京 亠 口 小\n国 囗 玉\n"),
        (
            "word_benchmarks_zh_made",
            "analogy.txt",
            ": capital\n" + "".join(f"{a} {CITIES[a]} {b} {CITIES[b]}\n" for a in CITIES for b in CITIES if a != b),
        ),
    ):
        (raw / name).mkdir(parents=True)
        (raw / name / file).write_text(text, encoding="utf-8")
    values = merge(read(ROOT / "params.yaml"), read(ROOT / "profiles/tiny.yaml")) | {"profile": "tiny"}
    values["segmentation"] = {
        "corpora": {},
        "segmented": {"mine": {"source": "raw/mine", "language": "zh", "tags": False}},
    }
    values["chinese_hybrid"] |= {"corpus": "corpora/mine", "share": 1.0, "models": MODELS, "word": "北京"}
    values["chinese_hybrid"]["components"]["place"] = "raw/table/parts.txt"
    values["chinese_hybrid"] |= {"passes": 3, "seeds": [0, 1]}
    values["word_vector_suite"]["other_languages"] = {
        "mine": {
            "folder": "chinese_hybrid-cowe_p",
            "like": "chinese_hybrid-cbow",
            "sources": ["word_benchmarks_zh_made"],
        }
    }
    parameter_files.write(root, values, "segmentation", "chinese_hybrid", "word_vector_suite")
    (root / "stages").symlink_to(ROOT / "stages")
    return root


@pytest.fixture(scope="module")
def prepared(workspace):
    run_steps(workspace, "segmentation.read mine", "chinese_hybrid.prepare")
    return workspace


@pytest.fixture(scope="module")
def trained(prepared):
    run_steps(prepared, *(f"chinese_hybrid.train {model}" for model in MODELS), "chinese_hybrid.evaluate")
    return prepared


def test_from_text_to_claims(trained):
    folder = trained / "data/evaluation/chinese_hybrid"
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["tests"]["made_capital"] == {"questions": 12, "kept": 12}
    assert set(metrics["cowe_p"]["made_capital"]) == {"add", "mul", "mrr", "add_all", "mul_all"}
    assert 0 <= metrics["cowe_p"]["made_capital"]["add"] <= 1
    assert (metrics["cowe_p"]["runs"], len(metrics["cowe_p"]["losses"])) == (2, 3)
    card = store.words_and_matrix(trained / "data/vectors/chinese_hybrid-cowe_p")
    assert "首都" in card[0] and "。" not in card[0]
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in claims} == {"not run"}
    assert len(json.loads((folder / "figures.json").read_text(encoding="utf-8"))) >= 3


def test_the_suite_takes_the_language_of_the_vectors(trained):
    run_steps(trained, "word_vector_suite.evaluate mine")
    scores = json.loads((trained / "data/evaluation/word_vector_suite/scores/mine.json").read_text())
    assert scores["language"] == "zh"
    assert scores["tests"]["CC-CEDICT-capitals-zh"]["kept"] == 12


def test_mistakes_are_one_sentence(prepared):
    failed = run_here(prepared, "stages.chinese_hybrid.train", "cow")
    assert failed.returncode == 1
    assert "expected the name of a model, one of: cbow, cowe_p" in failed.stderr
    table = prepared / "data/raw/table/parts.txt"
    whole_table = table.read_text(encoding="utf-8")
    table.write_text(whole_table + "坏\n", encoding="utf-8")
    before = sorted((prepared / "data/models").rglob("*"))
    failed = run_here(prepared, "stages.chinese_hybrid.train", "cbow")
    table.write_text(whole_table, encoding="utf-8")
    assert "parts.txt, line 3: expected a character and its components" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert sorted((prepared / "data/models").rglob("*")) == before


def test_a_wrong_line_of_the_components_is_left_out_and_on_the_card(prepared):
    table, parameters = prepared / "data/raw/table/parts.txt", prepared / "params.yaml"
    whole_table, whole_parameters = (path.read_text(encoding="utf-8") for path in (table, parameters))
    table.write_text(whole_table + "坏\n", encoding="utf-8")
    values = read(parameters)
    values["chinese_hybrid"]["components"]["on_error"] = "salvage"
    parameter_files.write(prepared, values, "chinese_hybrid")
    try:
        assert run_here(prepared, "stages.chinese_hybrid.train", "cbow").returncode == 0
    finally:
        table.write_text(whole_table, encoding="utf-8")
        parameters.write_text(whole_parameters, encoding="utf-8")
    notes = read_card(prepared / "data/vectors/chinese_hybrid-cbow")["notes"]
    assert notes[0] == "salvaged: 1 wrong record left out: 1 (no character with components)"
    assert notes[1].startswith("left out: parts.txt, line 3: ")
