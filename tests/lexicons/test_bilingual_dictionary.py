import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.errors import InputError
from repline.lexicons.bilingual_dictionary import PAIRS, read_dictionary, seed_pairs, transfer, translations

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64(number):
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 64)
        digits = DIGITS[digit] + digits
    return digits


def freedict(folder, entries):
    content, index = b"", []
    for head, text in entries:
        body = text.encode()
        index.append(f"{head}\t{base64(len(content))}\t{base64(len(body))}")
        content += body
    (folder / "x.dict.dz").write_bytes(gzip.compress(content))
    (folder / "x.index").write_text("\n".join(index) + "\n")
    return folder


def test_transfer_averages_what_reaches_a_word():
    ratings = {"a": 1.0, "b": 3.0, "c": 9.0}
    pairs = [("a", "x"), ("b", "x"), ("b", "y"), ("unrated", "z")]
    assert transfer(ratings, pairs) == {"x": 2.0, "y": 3.0}
    many = [("a", "x"), ("b", "x"), ("c", "x")]
    assert transfer(ratings, many) == {"x": pytest.approx(13 / 3)}
    assert transfer(ratings, many, "median") == {"x": 3.0}


def test_an_entry_of_freedict():
    entry = "maison /mɛzɔ̃/ <n, fem>\n1. house, home (dwelling), country house\n2. firm; up-to-date\n"
    assert translations(entry) == ["house", "home", "firm", "up-to-date"]


def test_freedict_files(tmp_path):
    filler = "x" * 5000  # so that offsets take more than one digit
    entries = [
        ("00-database-info", f"info\n{filler}\n"),
        ("chat", "chat /ʃa/\n1. cat, tomcat\n"),
        ("Chat", "Chat\ncat\n"),
        ("pomme de terre", "pomme de terre\npotato\n"),
    ]
    pairs = read_dictionary(freedict(tmp_path, entries))
    assert pairs == [("chat", "cat"), ("chat", "tomcat")]  # lower case, once each, single words


def test_an_index_beyond_its_entries(tmp_path):
    freedict(tmp_path, [("chat", "chat\ncat\n")])
    (tmp_path / "x.index").write_text("chat\tA\tBAA\n")
    with pytest.raises(InputError, match="line 1: the entry of 'chat' lies beyond the end"):
        read_dictionary(tmp_path)
    (tmp_path / "x.index").write_text("chat\tA\n")
    with pytest.raises(InputError, match="line 1: expected `word<TAB>offset<TAB>length`"):
        read_dictionary(tmp_path)


def test_lines_and_tables(tmp_path):
    text = tmp_path / "d.tsv"
    text.write_text("dog\tchien, toutou\ncat\tchat\n")
    pairs = [("dog", "chien"), ("dog", "toutou"), ("cat", "chat")]
    assert read_dictionary(text) == pairs
    pq.write_table(pa.table([list(side) for side in zip(*pairs, strict=True)], schema=PAIRS), tmp_path / "d.parquet")
    assert read_dictionary(tmp_path / "d.parquet") == pairs
    text.write_text("dog chien\n")
    with pytest.raises(InputError, match="line 1: expected `word<TAB>translation"):
        read_dictionary(text)


def test_seeds_are_the_first_translations_of_frequent_words():
    pairs = [("rare", "r"), ("the", "unknown"), ("the", "le"), ("the", "la"), ("of", "de"), ("not here", "x")]
    target = {"le": 7, "la": 8, "de": 9, "r": 3, "x": 1}
    assert seed_pairs(pairs, ["the", "of", "rare"], target, 2).tolist() == [[0, 7], [1, 9]]
    assert seed_pairs(pairs, ["the", "of", "rare"], target, None).tolist() == [[0, 7], [1, 9], [2, 3]]
    assert seed_pairs([], ["the"], target, None).shape == (0, 2)
    assert seed_pairs([], ["the"], target, None).dtype == np.int64
