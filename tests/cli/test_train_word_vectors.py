"""`repline train` of composed word vectors on files of one's own, in a folder that is no checkout."""

import numpy as np
import pytest

from repline.errors import InputError
from tests.cli.train_command import train, trained, vector_lines
from tests.systems.morph2vec.small_space import word_vectors


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cosine(a, b) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_morph2vec_composes_a_word_never_seen(folder):
    words, matrix = word_vectors()
    vector_of = dict(zip(words, matrix, strict=True))
    without = [word for word in words if word not in ("walkers", "snower")]
    (folder / "mine.txt").write_text("".join(vector_lines(without, [vector_of[word] for word in without])))
    options = ["--epochs", "40", "--batch", "8", "--units", "16", "--learning-rate", "0.02", "--threshold", "0.5"]
    model = trained(folder, "morph2vec", "--data", "mine.txt", *options)
    for word, another_stem in (("walkers", "snow"), ("snower", "walk")):
        composed = model.compose(word)
        assert len(composed.morphs) > 1 and cosine(composed.vector, vector_of[word]) > 0.6
        assert cosine(composed.vector, vector_of[word]) > cosine(composed.vector, vector_of[another_stem])


SENTENCES = [
    ["河水 流 过 河岸", "湖水 流 过 湖岸", "江水 流 过 江岸"],
    ["山石 压 着 山路", "岩石 压 着 石路", "玉石 压 着 石山"],
]


@pytest.mark.parametrize("has_table", [False, True])
def test_chinese_hybrid_composes_a_word_never_seen(folder, has_table):
    (folder / "text").mkdir()
    rng = np.random.default_rng(0)
    lines = [str(rng.choice(SENTENCES[rng.integers(2)])) for _ in range(600)]
    (folder / "text" / "a.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "parts.txt").write_text("河 氵 可\n湖 氵 胡\n江 氵 工\n洋 氵 羊\n岩 山 石\n", encoding="utf-8")
    table = ["--components", "parts.txt"] if has_table else []
    options = ["--dimensions", "16", "--minimum-count", "1", "--passes", "10", "--sample", "0"]
    model = trained(folder, "chinese_hybrid", "--data", "text", *options, *table)
    assert "江河" not in model.words
    new = model.vector("江河")
    assert cosine(new, model.vector("湖水")) > cosine(new, model.vector("岩石"))
    if has_table:
        assert model.character("洋").shape == (16,)
    else:
        with pytest.raises(InputError, match="'洋' has no vector here"):
            model.character("洋")


@pytest.mark.parametrize(
    ("system", "text", "message"),
    [
        ("morph2vec", "A 1 2\nB 1 3\n", "mine.txt: expected words of lower-case letters, found none"),
        ("morph2vec", "abc 1 2\nxyz 1 3\n", "mine.txt: 0 of 2 words have a split"),
        ("morph2vec", None, "mine.txt: there is no such file"),
        ("chinese_hybrid", "only English words\n", "mine.txt: there is no word of Chinese characters alone in it"),
        ("chinese_hybrid", None, "mine.txt: expected a text file"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, system, text, message):
    if text:
        (folder / "mine.txt").write_text(text)
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match="^" + message):
        train(system, "--data", "mine.txt")
    assert {path.name for path in folder.iterdir()} == before
