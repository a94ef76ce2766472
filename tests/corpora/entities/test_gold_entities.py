import gzip

import pytest

from repline.corpora.entities.gold_entities import read_gold
from repline.errors import InputError

GOOD = "# text = Nokia of # Espoo\n1\tNokia\tB-ORG\t-\tme\n2\tof\tO\n3\t#\tO\n4\tEspoo\tB-LOC\n\n# x\n1\tHi\tO"


def test_words_and_types_of_each_sentence(tmp_path):
    (tmp_path / "a.iob2.gz").write_bytes(gzip.compress(GOOD.encode()))
    gold = read_gold(tmp_path)
    assert gold.tokens == [["Nokia", "of", "#", "Espoo"], ["Hi"]]
    assert gold.tags == [["B-company", "O", "O", "B-location"], ["O"]]


@pytest.mark.parametrize(
    ("tag", "kind"),
    [
        ("B-MISC", "B-name"),
        ("B-PERSON", "B-person"),
        ("I-GPE", "I-location"),
        ("B-WORK_OF_ART", "B-name"),
        ("B-DATE", "O"),
    ],
)
def test_types_of_other_annotations(tmp_path, tag, kind):
    (tmp_path / "a.iob2").write_text(GOOD.replace("B-LOC", tag))
    assert read_gold(tmp_path).tags[0] == ["B-company", "O", "O", kind]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found none"),
        ("1\tHi\tO\n", "found none"),
        (GOOD.replace("2\tof", "3\tof"), "line 3: expected word number 2"),
        (GOOD.replace("B-LOC", "B-XYZ"), "line 5: expected word number 4"),
        (GOOD.replace("1\tNokia\tB-ORG\t-\tme", "1 Nokia B-ORG"), "line 2: expected word number 1"),
    ],
)
def test_what_is_no_gold_standard(tmp_path, text, message):
    (tmp_path / "a.iob2").write_text(text)
    with pytest.raises(InputError, match=message):
        read_gold(tmp_path)


def test_a_cut_archive(tmp_path):
    (tmp_path / "a.iob2.gz").write_bytes(gzip.compress(GOOD.encode())[:-12])
    with pytest.raises(InputError, match="the compression is damaged after line"):
        read_gold(tmp_path)
