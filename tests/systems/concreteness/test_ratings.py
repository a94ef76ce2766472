"""Ratings in the published formats, and mistakes in them."""

import gzip
import os
import pickle
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from repline.errors import InputError
from repline.systems.concreteness.ratings import rated_words, ratings_table, read_ratings, targets_of

BRYSBAERT = (
    "Word\tBigram\tConc.M\tConc.SD\tUnknown\tTotal\tPercent_known\tSUBTLEX\tDom_Pos\n"
    "roadsweeper\t0\t4.85\t0.37\t1\t27\t0.96\t0\t0\n"
    "baseball bat\t1\t5\t0\t0\t26\t1\t0\t0\n"
    "Tush\t0\t4.45\t1.01\t3\t25\t0.88\t66\t0\n"
)
MIRRORED = (
    Path(os.environ.get("REPLINE_MIRROR", "")) / "psycholinguistic/Concreteness_ratings_Brysbaert_et_al_BRM.tsv.gz"
)


def test_the_table_of_brysbaert(tmp_path):
    path = tmp_path / "ratings.txt.gz"
    path.write_bytes(gzip.compress(BRYSBAERT.encode()))
    table = read_ratings(path)
    assert table.num_rows == 3
    first = {"word": "roadsweeper", "concreteness": 4.85, "concreteness_sd": 0.37}
    assert table.to_pylist()[0] == first | {"imageability": None, "imageability_sd": None}
    words = rated_words(table)
    assert list(words) == ["roadsweeper", "tush"]  # single words, in lower case
    assert targets_of(words.values()) == ["concreteness", "concreteness_sd"]


@pytest.mark.skipif(not MIRRORED.is_file(), reason="REPLINE_MIRROR has no ratings of Brysbaert et al.")
def test_the_real_table_of_brysbaert():
    table = read_ratings(MIRRORED)
    assert table.num_rows == 39_954
    assert sum(" " not in word for word in table["word"].to_pylist()) == 37_058
    first = table.to_pylist()[0]
    assert (first["word"], first["concreteness"], first["concreteness_sd"]) == ("roadsweeper", 4.85, 0.37)


def test_mrc_keeps_words_with_both_ratings_once(tmp_path):
    entries = {
        ("ABBEY", "N"): {"CNC": 559, "IMG": 616, "FAM": 353},
        ("ABBEY", "V"): {"CNC": 559, "IMG": 616},
        ("A", "N"): {"CNC": 201, "IMG": None},
        ("B", "N"): {"CNC": 0, "IMG": 300},
    }
    folder = tmp_path / "ratings_mrc"
    folder.mkdir()
    (folder / "card.json").write_text("{}")
    (folder / "mrc.pickle").write_bytes(pickle.dumps(entries, protocol=4))
    assert rated_words(read_ratings(folder)) == {"abbey": {"concreteness": 559.0, "imageability": 616.0}}
    entries["ABBEY", "V"]["IMG"] = 600
    (folder / "mrc.pickle").write_bytes(pickle.dumps(entries, protocol=4))
    with pytest.raises(InputError, match="one rating of 'abbey'"):
        read_ratings(folder)


def test_a_table_of_ones_own_and_its_stored_form(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text('word,imageability,concreteness\n"chien, le",6,5\nchien,NA,4\nChien,3,2\n', encoding="utf-8")
    assert rated_words(read_ratings(path)) == {"chien": {"imageability": 3.0, "concreteness": 3.0}}
    stored = tmp_path / "stored"
    stored.mkdir()
    pq.write_table(ratings_table({"chien": {"imageability": 3.0}}), stored / "ratings.parquet")
    assert rated_words(read_ratings(stored)) == {"chien": {"imageability": 3.0}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected a header"),
        ("word\tscore\ndog\t3\n", "line 1: expected a header with a column `word`"),
        ("word\tconcreteness\n", "expected rated words, found none"),
        ("word\tconcreteness\ndog\t3\ncat\n", "line 3: expected at least 2 columns"),
        ("word\tconcreteness\ndog\tmuch\n", "line 2: expected a number as concreteness of 'dog', found 'much'"),
        ("word\tconcreteness\ndog\tinf\n", "line 2: expected a number"),
        ("word\tconcreteness\n \t3\n", "line 2: there is no word"),
    ],
)
def test_mistakes_name_the_line(tmp_path, text, message):
    path = tmp_path / "own.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_ratings(path)
