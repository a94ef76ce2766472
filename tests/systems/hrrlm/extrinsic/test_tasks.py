"""Reading the extrinsic tasks: words spelt as the vectors' are, and one sentence for what is not there."""

import pytest

from repline.errors import InputError
from repline.systems.hrrlm.extrinsic.tasks import read_task

CHUNKS = "He PRP B-NP\nreckons VBZ B-VP\n3.5 CD B-NP\n% NN I-NP\n. . O\n\n"


def test_words_have_tags_or_chunks_without_punctuation(tmp_path):
    for name in ("train", "test"):
        (tmp_path / f"{name}.txt").write_text(CHUNKS)
    train, test = read_task("chunking", tmp_path)
    assert train == test
    assert (train.words[0][:3], train.labels[0][:3]) == (["he", "reckons", "N"], ["B-NP", "B-VP", "B-NP"])
    assert "." not in train.words[0]
    assert read_task("pos_tagging", tmp_path)[0].labels[0][:3] == ["PRP", "VBZ", "CD"]


def test_sentences_have_a_class(tmp_path):
    for split in ("train", "dev", "test"):
        (tmp_path / f"stsa.binary.{split}").write_text("1 A fine film .\n0 dull\n")
    _, test = read_task("sentiment", tmp_path)
    assert test == ([["a", "fine", "film"], ["dull"]], [["1"], ["0"]])


def test_questions_have_the_coarse_class(tmp_path):
    for split in ("train", "test"):
        (tmp_path / f"TREC.{split}").write_text("DESC:manner How did it ?\nNUM:dist How far ?\n")
    train, _ = read_task("questions", tmp_path)
    assert train == ([["how", "did", "it"], ["how", "far"]], [["DESC"], ["NUM"]])
    (tmp_path / "TREC.test").write_text("NUM:dist How far ?\nno class\n")
    with pytest.raises(InputError, match=r"TREC.test, line 2: expected CLASS:fine and a question, found 'no class'"):
        read_task("questions", tmp_path)


def test_data_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match="the extrinsic task chunking needs its data here; add the source to acquire"):
        read_task("chunking", tmp_path / "conll2000")
    with pytest.raises(InputError, match=r"expected stsa.binary.train, .dev and .test, found none"):
        read_task("sentiment", tmp_path)
