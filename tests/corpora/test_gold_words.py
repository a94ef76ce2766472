import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.gold_words import leaves, read_gold
from repline.errors import InputError

TREE = "#3:3.[39029] S(theme:NP(Head:N(DUMMY1:Nba:嘉珍|Head:Caa:和|DUMMY2:Nhaa:我))|Head:VC1:住在)#，(COMMACATEGORY)"


def test_leaves_of_a_tree():
    assert leaves(TREE) == ["嘉珍", "和", "我", "住在"]
    assert leaves("#1:1.[4257] NP(Head:Neu:一)#。(PERIODCATEGORY)") == ["一"]


def test_every_form(tmp_path):
    (tmp_path / "parsed").write_text(f"{TREE}\n\n", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "sinica.zip", "w") as archive:
        archive.writestr("sinica_treebank/parsed", f"{TREE}\n")
    assert list(read_gold(tmp_path / "parsed")) == list(read_gold(tmp_path / "sinica.zip")) == [leaves(TREE)]
    table = pa.table({"tokens": [["我", "爱"], [], ["你"]]})
    pq.write_table(table, tmp_path / "words.parquet")
    assert list(read_gold(tmp_path / "words.parquet")) == [["我", "爱"], ["你"]]
    assert list(read_gold(tmp_path / "words.parquet", sentences=1)) == [["我", "爱"]]
    row = "{0}\t{1}\t_\tX\t_\t_\t{2}\tdep\t_\t_\n"
    text = row.format(1, "我", 0) + row.format(2, "爱", 1) + "\n"
    (tmp_path / "bank.conllu").write_text(text, encoding="utf-8")
    assert list(read_gold(tmp_path / "bank.conllu")) == [["我", "爱"]]


def test_what_is_not_there(tmp_path):
    with pytest.raises(InputError, match="expected a corpus in Parquet"):
        list(read_gold(tmp_path / "absent.txt"))
    (tmp_path / "broken.zip").write_text("no zip")
    with pytest.raises(InputError, match=r"expected a zip file with sinica_treebank/parsed"):
        list(read_gold(tmp_path / "broken.zip"))


@pytest.mark.parametrize("text", ["", "\n\n", "(S (NP (DT The) (NN dog)))\n"])
def test_a_file_without_gold_words_is_refused(tmp_path, text):
    (tmp_path / "wsj_0001.mrg").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"wsj_0001\.mrg: expected sentences of gold words, found none"):
        list(read_gold(tmp_path / "wsj_0001.mrg"))
