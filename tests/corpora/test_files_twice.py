"""Folders with a file twice, packed and not: every reader that takes all files of a kind refuses them alike."""

import gzip

import pytest

from repline.corpora.dialogue.turns import read_own
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.translations import read_translations
from repline.corpora.segmented_text import text_files
from repline.corpora.sentence_pairs.pair_corpus import write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.corpora.srl.role_files import read_role_files
from repline.errors import InputError


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("a.txt", text_files),
        ("a.txt", lambda folder: list(read_own(folder))),
        ("a.jsonl", lambda folder: list(read_role_files(folder))),
        ("a.tsv", lambda folder: list(read_translations(folder, ["zh", "ja"]))),
        ("a.tmx", lambda folder: list(read_aligned(folder, ["en", "de"]))),
        ("train.tsv", lambda folder: write_pairs(folder, folder.parent / "pairs", PairCorpus(form="own"))),
    ],
)
def test_a_file_that_is_there_twice_is_refused(tmp_path, name, read):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / name).write_text("text\n")
    (folder / f"{name}.gz").write_bytes(gzip.compress(b"text\n"))
    with pytest.raises(InputError, match=f"{name} and {name}.gz are the same file twice; keep one of them"):
        read(folder)
