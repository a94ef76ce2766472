import json

import pyarrow.parquet as pq
import pytest

from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here

CORPORA = {
    "news": {"source": "own/news.txt", "language": "zh", "segmentation": {"tags": True}},
    "talk": {"source": "own/talk.txt", "language": "ja", "sentences": "lines"},
}


@pytest.fixture
def workspace(tmp_path):
    parameter_files.write(tmp_path, {"segmentation": {"corpora": CORPORA}})
    source = tmp_path / "data/own"
    source.mkdir(parents=True)
    (source / "news.txt").write_text("我来到北京清华大学。他来到了网易杭研大厦。\n", encoding="utf-8")
    (source / "talk.txt").write_text("太郎は走った。花子は走る。\n", encoding="utf-8")
    return tmp_path


def _stage(workspace, *arguments):
    return run_command(workspace, "stages.segmentation.segment", *arguments)


def test_each_corpus_has_its_own_language_and_knobs(workspace):
    process = _stage(workspace, "news")
    assert (process.returncode, process.stdout) == (0, "data/corpora/news: 2 sentences, 12 words\n"), process.stderr
    rows = pq.read_table(workspace / "data/corpora/news/part-00000.parquet").to_pylist()
    assert rows[0]["tag"] == ["r", "v", "ns", "nt", "x"]
    process = _stage(workspace, "talk")
    assert process.returncode == 0, process.stderr
    rows = pq.read_table(workspace / "data/corpora/talk/part-00000.parquet").to_pylist()
    assert rows[0]["lemma"] == ["太郎", "は", "走る", "た", "。", "花子", "は", "走る", "。"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"languge": "zh"}, "unknown parameter 'segmentation.corpora.news.languge'; did you mean 'language'?"),
        ({"sentences": "words"}, "segmentation.corpora.news.sentences should be"),
        ({"segmentation": {"hm": True}}, "segmentation of zh: "),
        ({"source": "own/absent.txt"}, "data/own/absent.txt: expected a text file"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_nothing(workspace, change, message):
    corpora = {"news": CORPORA["news"] | change}
    parameter_files.write(workspace, {"segmentation": {"corpora": corpora}})
    before = sorted(workspace.rglob("*"))
    failed = run_here(workspace, "stages.segmentation.segment", "news")
    assert failed.returncode != 0
    assert message in failed.stderr
    assert "Traceback" not in failed.stderr
    assert sorted(workspace.rglob("*")) == before


def test_text_that_is_segmented_already(workspace):
    (workspace / "data/own/gold.txt").write_text("希望/n 。/w\n", encoding="utf-8")
    mine = {"gold": {"source": "own/gold.txt", "language": "zh"}}
    parameter_files.write(workspace, {"segmentation": {"corpora": {}, "segmented": mine}})
    process = run_here(workspace, "stages.segmentation.read", "gold")
    assert (process.returncode, process.stdout) == (0, "data/corpora/gold: 1 sentences, 2 words\n"), process.stderr
    failed = run_here(workspace, "stages.segmentation.read", "news")
    assert failed.returncode == 1
    assert "expected the name of a corpus, one of: gold" in failed.stderr


def test_segmenters_beside_gold_words(workspace):
    (workspace / "data/own/gold.txt").write_text("我/r 来到/v 北京/ns 清华/nz 大学/n 。/w\n", encoding="utf-8")
    quality = {
        "jieba": {"gold": "corpora/gold", "language": "zh"},
        "absent": {"gold": "corpora/absent", "language": "zh"},
    }
    segmented = {"gold": {"source": "own/gold.txt", "language": "zh"}}
    values = {"segmentation": {"corpora": {}, "segmented": segmented, "quality": quality}}
    parameter_files.write(workspace, values)
    assert run_here(workspace, "stages.segmentation.read", "gold").returncode == 0
    process = run_command(workspace, "stages.segmentation.measure", "jieba")
    assert process.returncode == 0, process.stderr
    assert process.stdout == "jieba: F1 0.7273, precision 0.8000, recall 0.6667\n"  # 清华大学 is one word in jieba
    failed = run_here(workspace, "stages.segmentation.measure", "absent")
    assert failed.returncode == 1 and "data/corpora/absent: expected a corpus" in failed.stderr
    failed = run_here(workspace, "stages.segmentation.tabulate")
    assert failed.returncode == 1 and "absent is not measured yet" in failed.stderr
    del values["segmentation"]["quality"]["absent"]
    parameter_files.write(workspace, values)
    assert run_here(workspace, "stages.segmentation.tabulate").returncode == 0
    table = json.loads((workspace / "data/evaluation/segmentation/table.json").read_text())
    assert [(row["segmenter"], row["gold_words"]) for row in table["rows"]] == [("jieba", 6)]
