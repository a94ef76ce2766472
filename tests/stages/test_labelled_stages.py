import pyarrow.parquet as pq
import pytest

from tests.commands import run_command
from tests.stages import parameter_files
from tests.stages.in_one_process import run_here

ARTICLE = """<REUTERS NEWID="1">
<TOPICS><D>cocoa</D></TOPICS>
<TEXT>
<BODY>Prices rose in the zone.
 Reuter
</BODY></TEXT>
</REUTERS>
"""
NEWS = {"source": "own/reuters", "form": "reuters", "needed": ["topics"]}


def workspace(folder, **changes):
    parameter_files.write(folder, {"labelled": {"corpora": {"news": NEWS | changes}}})
    (folder / "data/own/reuters").mkdir(parents=True)
    (folder / "data/own/reuters/a.sgm").write_text(ARTICLE + ARTICLE.replace("</BODY>", "").replace('"1"', '"2"'))
    return folder


def test_a_persons_files_become_a_corpus(tmp_path):
    process = run_command(workspace(tmp_path, on_error="salvage"), "stages.labelled.read", "news")
    assert process.returncode == 0, process.stderr
    assert "data/corpora/news: 1 documents, 1 labels_topics" in process.stdout
    assert "left out: a.sgm, line 8, article 2 (NEWID 2): expected </BODY>" in process.stdout
    table = pq.read_table(tmp_path / "data/corpora/news/part-00000.parquet")
    assert table["text"].to_pylist() == ["Prices rose in the zone."]


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("news", {}, "a.sgm, line 8, article 2 (NEWID 2): expected </BODY> before </TEXT>, the tag is missing"),
        ("new", {}, "expected the name of a corpus, one of: news"),
        ("news", {"form": "sgml"}, "labelled.corpora.news.form should be 'reuters', 'wordnet_places'"),
        ("news", {"need": ["topics"]}, "did you mean 'needed'?"),
        ("news", {"source": "absent"}, "data/absent: expected files of Reuters-21578"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(tmp_path, name, changes, message):
    process = run_here(workspace(tmp_path, **changes), "stages.labelled.read", name)
    assert process.returncode == 1
    assert message in process.stderr
    assert "Traceback" not in process.stderr
    assert not (tmp_path / "data/corpora/news").exists()
