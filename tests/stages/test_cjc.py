"""CJ-Glo's stages on a small bitext, and that its published numbers and claims are the paper's and judge as they do."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import stages
from repline import parameters
from repline.cards import read_card
from repline.evaluation.claims import judgement, published
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.vectors.store import words_and_matrix
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here, run_steps

ROOT = Path(stages.__file__).parent.parent
FOLDER = ROOT / "stages" / "cjc"
TABLES = {
    table["id"]: table["rows"]
    for table in published.read(FOLDER / "published.yaml").model_dump(exclude_none=True)["tables"]
}
CLAIMS = judgement.read(FOLDER / "claims.yaml")
TABLE = "一个表\n国\t國\t国\n気\t氣\t气\n中\t中\t中\n文\t文\t文\n語\t語\t语\n学\t學\t学\n"
WORDS = [("中国", "中国"), ("学习", "学習"), ("文件", "ファイル"), ("打开", "開く"), ("天气", "天気"), ("日本", "日本")]
WORDS += [
    ("语文", "国語"),
    ("关闭", "閉じる"),
    ("汉语", "中国語"),
    ("命令", "コマンド"),
    ("语言", "言語"),
    ("数学", "数学"),
]


def test_tables_are_whole():
    assert {name: len(rows) for name, rows in TABLES.items()} == {
        "characters": 5,
        "information": 10,
        "weights": 8,
        "synonyms": 8,
        "sentences": 8,
    }
    assert sum(row["value"] for row in TABLES["characters"]) == pytest.approx(100, abs=0.02)


def test_the_papers_own_numbers_uphold_what_it_says_of_them():
    metrics: dict = {}
    for table in ("characters", "synonyms", "sentences"):
        for row in TABLES[table]:
            *path, last = row.get("measured", row.get("related")).split(".")  # the paper's words are not at hand
            branch = metrics
            for name in path:
                branch = branch.setdefault(name, {})
            branch[last] = row["value"]
    for method in ("glove", "cbow"):
        for values in metrics[method].values():
            for test in ("synonyms", "sentences"):
                values[test]["both"] = {"rate": np.mean([values[test][way]["rate"] for way in ("forth", "back")])}
    judged = {claim.id: claim.verdict for claim in judgement.check(CLAIMS, metrics, "paper", [metrics] * 2)}
    assert {name for name, verdict in judged.items() if verdict == "holds"} == {
        "synonyms-forth",
        "synonyms-back",
        "synonyms-size",
        "sentences-forth",
        "sentences-back",
        "sentences-size",
        "table-1",
        "cbow-synonyms-mixed",
        "cbow-sentences-mixed",
        "glove-above-cbow-sentences",
        "glove-above-cbow-synonyms",
    }
    assert "fails" not in judged.values()


def write_bitext(folder):
    """Lines of three to six words whose partners are in another order, and one-word lines."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    sides = [[zh for zh, _ in WORDS], [ja for _, ja in WORDS]]
    for _ in range(150):
        sentence = rng.choice(len(WORDS), size=rng.integers(3, 7), replace=False)
        sides[0].append("，".join(WORDS[word][0] for word in sentence) + " %1")
        sides[1].append("、".join(WORDS[word][1] for word in rng.permutation(sentence)) + " %1")
    for language, lines in zip(("zh", "ja"), sides, strict=True):
        (folder / f"own.{language}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The tiny profile with a person's own bitext and table, by parameters alone; the bitext is segmented."""
    tmp_path = tmp_path_factory.mktemp("cjc")
    values = parameters.merge(parameter_files.shared(), parameters.read(ROOT / "profiles" / "tiny.yaml"), "tiny")
    values["parallel"]["corpora"] = {"mine": {"source": "own", "languages": ["zh", "ja"]}}
    values["cjc"] |= {"corpus": "corpora/mine", "characters": "table.txt", "compared": "table.txt"}
    values["cjc"]["test"] |= {"sentences": 20, "shortest": 3}
    values["profile"] = "tiny"
    parameter_files.write(tmp_path, values, "parallel", "cjc")
    write_bitext(tmp_path / "data/own")
    (tmp_path / "data/table.txt").write_text(TABLE, encoding="utf-8")
    (tmp_path / "stages/cjc").mkdir(parents=True)
    (tmp_path / "stages/cjc/claims.yaml").write_text((FOLDER / "claims.yaml").read_text(encoding="utf-8"))
    completed = stage(tmp_path, "parallel.build", "mine")
    assert completed.returncode == 0, completed.stderr
    return tmp_path


@pytest.fixture
def workspace(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "workspace"))


def stage(workspace, name, *arguments):
    return run_here(workspace, f"stages.{name}", *arguments)


def changed(workspace, **knobs):
    values = parameter_files.read(workspace)
    values["cjc"] |= knobs
    parameter_files.write(workspace, values)


def all_the_way(workspace):
    """Prepared, trained and evaluated; the metrics."""
    trainings = ["train_glove sen_glo", "train_glove cj_glo", "train_cbow cj_boc"]
    trainings += ["train_fasttext", "train_aligned characters"]
    run_steps(workspace, "cjc.prepare", *(f"cjc.{training}" for training in trainings), "cjc.evaluate")
    return json.loads((workspace / "data/evaluation/cjc/metrics.json").read_text(encoding="utf-8"))


def test_a_bitext_of_sentences_alone_is_tested_by_its_sentences(workspace):
    for side in (workspace / "data/own").iterdir():
        lines = side.read_text(encoding="utf-8").splitlines()[len(WORDS) :]
        side.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.rmtree(workspace / "data/corpora/mine")
    assert stage(workspace, "parallel.build", "mine").returncode == 0
    assert stage(workspace, "cjc.prepare").returncode == 0
    peer = parameter_files.read(workspace)["cjc"]["aligned"]
    changed(workspace, aligned=peer | {"variants": {"dictionary": {"pairs": "dictionary"}}})
    assert stage(workspace, "cjc.train_fasttext").returncode == 0
    failed = stage(workspace, "cjc.train_aligned", "dictionary")
    assert failed.returncode == 1 and "leave the variant out of cjc.aligned.variants" in failed.stderr
    changed(workspace, aligned=peer)
    metrics = all_the_way(workspace)
    assert metrics["data"]["synonyms"] == 0
    for method in ("glove", "cbow", "aligned"):
        for values in metrics[method].values():
            assert "synonyms" not in values and 0 < values["sentences"]["both"]["rate"] <= 100


def test_a_persons_own_bitext_goes_all_the_way(workspace):
    metrics = all_the_way(workspace)
    counts = read_card(workspace / "data/corpora/cjc")["counts"]
    assert counts["test_sentences"] == 20 and counts["training_pairs"] == 130
    words, matrix = words_and_matrix(workspace / "data/models/cjc/glove/cj_glo/seed-1")
    assert matrix.shape == (len(words), 10) and {"zh:中国", "ja:中国"} <= set(words)
    assert 0 < metrics["glove"]["cj_glo"]["sentences"]["both"]["rate"] <= 100
    assert metrics["characters"]["table.txt"]["identity"]["rows"] == 6
    assert metrics["characters"]["table.txt"]["coverage"]["precision"] == 1
    repeated = read_replicates(workspace / "data/evaluation/cjc/replicates.parquet")
    assert len(repeated) == 200 and repeated[0]["cbow"]["cj_boc"]["sentences"]["both"]["rate"] is not None
    assert {"cj_glo", "sen_glo"} <= metrics["glove"].keys()


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"origins": ["libreofice"]}, "the bitext has no pairs of origin 'libreofice'; there are own"),
        ({"minimum_count": 10_000}, "no zh word occurs 10000 times; lower the minimum count"),
        ({"windows": 5}, "unknown parameter 'cjc.windows'; did you mean 'window'?"),
        ({"glove": {"variants": {"mine": {"matchin": 1.0}}}}, "unknown parameter 'cjc.glove.variants.mine.matchin'"),
        ({"glove": {"training": {"alpa": 0.5}, "variants": {"mine": {}}}}, "'cjc.glove.training.alpa'; did you mean"),
        ({"cbow": {"variants": {"mine": {"mix": [0.5] * 3}}}}, "cjc.cbow.variants.mine.mix: expected three shares"),
        ({"aligned": {"fasttext": {"seed": 1}, "variants": {}}}, "cjc.aligned.fasttext: all methods share seed"),
        (
            {"test": {"sentences": 5, "shortest": 9, "longest": 3, "seed": 0}},
            "longest should be at",
        ),
        ({"characters": "broken.txt"}, "broken.txt, line 2: expected kanji, traditional, simplified"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, knobs, message):
    (workspace / "data/broken.txt").write_text("国\t國\t国\n気 氣 气\n", encoding="utf-8")
    changed(workspace, **knobs)
    before = sorted(workspace.rglob("*"))
    failed = stage(workspace, "cjc.prepare")
    assert failed.returncode == 1 and message in failed.stderr, failed.stderr
    assert "Traceback" not in failed.stderr and len(failed.stderr.strip().splitlines()) == 1
    assert sorted(workspace.rglob("*")) == before


def test_sides_of_different_length_are_one_sentence(workspace):
    lines = (workspace / "data/own/own.ja.txt").read_text(encoding="utf-8").splitlines()
    (workspace / "data/own/own.ja.txt").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    shutil.rmtree(workspace / "data/corpora/mine")
    failed = stage(workspace, "parallel.build", "mine")
    assert failed.returncode == 1 and "own.zh.txt has 162 lines, and data/own/own.ja.txt has 161" in failed.stderr
    assert not any((workspace / "data/corpora").iterdir())


def test_a_variant_has_to_be_named(workspace):
    failed = stage(workspace, "cjc.train_glove", "cj_gloo")
    assert "expected the name of a variant, one of: sen_glo, cj_glo" in failed.stderr
