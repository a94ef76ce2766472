"""The stage that reads corpora of sentence pairs: a mistake is one sentence, and nothing is written."""

import pytest

from tests.stages import parameter_files
from tests.stages.in_one_process import run_here


@pytest.mark.parametrize(
    ("name", "knobs", "message"),
    [
        ("mine", {}, "train.tsv, line 3: the second sentence is empty"),
        ("others", {}, "expected the name of a corpus, one of: mine"),
        ("mine", {"form": "tables"}, "should be 'sick', 'stsb', 'mrpc', 'counterfactual', 'cqa', 'own' or 'wordnet'"),
        ("mine", {"dev": 0.1}, "unknown parameter 'sentence_pairs.corpora.mine.dev'; did you mean"),
        ("mine", {"form": "wordnet", "made": {"level": 1}}, "'sentence_pairs.corpora.mine.made.level'; did you mean"),
        ("mine", {"source": "own/absent"}, "data/own/absent: expected train.tsv, dev.tsv and test.tsv"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(tmp_path, name, knobs, message):
    corpora = {"mine": {"source": "own/mine", "form": "own"} | knobs}
    parameter_files.write(tmp_path, {"sentence_pairs": {"corpora": corpora}})
    (tmp_path / "data/own/mine").mkdir(parents=True)
    lines = "sentence1\tsentence2\tlabel\na b\tc d\tyes\na b\t\tno\n"
    (tmp_path / "data/own/mine/train.tsv").write_text(lines, encoding="utf-8")
    process = run_here(tmp_path, "stages.sentence_pairs.read", name)
    assert process.returncode == 1
    assert message in process.stderr and "Traceback" not in process.stderr
    assert not (tmp_path / "data/corpora").exists()
