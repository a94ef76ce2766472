"""Running text from a wordnet, a treebank and lines."""

import pyarrow.parquet as pq
import pytest

from repline.errors import InputError
from repline.systems.morph2vec.running_text import write_text

WORDNET = (
    "<SYNSETS><SYNSET><ID>T-1</ID><SYNONYM><LITERAL>Işık<SENSE>1</SENSE></LITERAL></SYNONYM><POS>n</POS>"
    "<DEF>İyi bir şey|ikinci anlam</DEF><EXAMPLE>Işığı gördü.</EXAMPLE></SYNSET></SYNSETS>"
)


def test_glosses_sentences_and_lines(tmp_path):
    (tmp_path / "w.xml").write_text(WORDNET)
    (tmp_path / "t.conllu").write_text("# text = Türkiye'de 3 KIZ.\n1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "l.txt").write_text("Bir satır\n\n")
    card = write_text([tmp_path / name for name in ("w.xml", "t.conllu", "l.txt")], tmp_path / "out", "tr")
    rows = pq.read_table(tmp_path / "out/part-00000.parquet")["tokens"].to_pylist()
    assert rows == [
        ["iyi", "bir", "şey"],
        ["ikinci", "anlam"],
        ["ışığı", "gördü"],
        ["ışık", "iyi", "bir", "şey"],
        ["türkiye'de", "kız"],
        ["bir", "satır"],
    ]
    assert card["counts"] == {"documents": 3, "sentences": 6, "tokens": 15}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("w.xml", WORDNET[:-5], "not well-formed XML"),
        ("w.xml", '<!DOCTYPE a [<!ENTITY b "c">]><SYNSETS></SYNSETS>', "no document type declaration"),
        ("l.txt", "12 34\n", "expected text, found none"),
        ("l.doc", "text\n", "expected a wordnet"),
    ],
)
def test_a_broken_source_is_told_and_nothing_is_written(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        write_text([tmp_path / name], tmp_path / "out", "tr")
    assert not (tmp_path / "out").exists()
