"""`repline vectors` on files of one's own: every format in and out, small lexicons, mistakes in one line."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.lexicons.constraints import write_constraints
from repline.systems.extrofitting.use import extrofit_words
from repline.systems.lexical_contrast.settings import AttractRepel, CounterFitting
from repline.systems.lexical_contrast.use import attract_repel_words, counter_fit_words
from repline.vectors.formats.readers import read
from repline.vectors.normalisation import unit_length
from repline.vectors.retrofitting import retrofit_words

WORDS = ["happy", "glad", "sad", "unhappy", "big", "large", "small", "little", "car", "tree"]
MATRIX = np.random.default_rng(0).normal(size=(10, 4)).astype(np.float32)
SYNONYMS = [("happy", "glad"), ("sad", "unhappy"), ("big", "large"), ("small", "little")]
ANTONYMS = [("happy", "sad"), ("big", "small"), ("glad", "unhappy")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A text of vectors, two files of pairs, and neighbour lists, in a folder that is no checkout."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, MATRIX, strict=True)]
    (tmp_path / "mine.txt").write_text("\n".join(lines) + "\n")
    for name, pairs in (("synonyms", SYNONYMS), ("antonyms", ANTONYMS)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{first} {second}\n" for first, second in pairs))
    (tmp_path / "lexicon.txt").write_text("happy glad\nbig large unheard\nsad unhappy\n")
    return tmp_path


def invoke(line):
    result = CliRunner().invoke(app, line.split(), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_specialise_shrinks_the_batch_and_says_so(folder):
    result = invoke("vectors specialise mine.txt near.vec --synonyms synonyms.txt --antonyms antonyms.txt --epochs 4")
    assert "there are 3 pairs of a kind: the batch is 3 pairs instead of 50" in result.stderr
    assert result.stdout == "near.vec: 10 words, 4 dimensions\n"
    recipe = AttractRepel(epochs=4)
    expected = attract_repel_words(WORDS, MATRIX, SYNONYMS, ANTONYMS, recipe=recipe, notice=lambda _: None)
    words, matrix = read(folder / "near.vec")
    assert words == WORDS and matrix == pytest.approx(expected, abs=1e-6)
    before, after = (unit_length(vectors) for vectors in (MATRIX, matrix))
    assert after[0] @ after[2] < before[0] @ before[2]  # happy, sad


def test_specialise_by_counter_fitting_from_parquet_to_a_folder(folder):
    write_constraints(folder / "far.parquet", {"mine": ANTONYMS[:1]})
    invoke("vectors specialise mine.txt out --antonyms far.parquet --method counter-fitting --epochs 2")
    vectors = repline.load(folder / "out")
    expected = counter_fit_words(WORDS, MATRIX, (), ANTONYMS[:1], recipe=CounterFitting(epochs=2))
    assert vectors.vector("sad") == pytest.approx(expected[2], abs=1e-6)


@pytest.mark.parametrize("method", ["retrofitting", "extrofitting"])
def test_retrofit(folder, method):
    invoke(f"vectors retrofit mine.txt out --lexicon lexicon.txt --method {method}")
    pairs = [("happy", "glad"), ("big", "large"), ("sad", "unhappy")]
    fit = {"retrofitting": retrofit_words, "extrofitting": extrofit_words}[method]
    expected = fit(WORDS, unit_length(MATRIX, 1e-5), pairs)
    assert repline.load(folder / "out").matrix == pytest.approx(expected, abs=1e-5)


def test_retrofit_counts_words_that_differ_in_capitals(folder):
    (folder / "lists.txt").write_text("happy glad\nHappy glad\n")
    result = invoke("vectors retrofit mine.txt out --lexicon lists.txt")
    assert "merged: 1 words in several spellings, which differ in capitals alone" in result.stderr


def test_a_lexicon_as_a_table_and_vectors_as_they_are(folder):
    pq.write_table(pa.table({"source": ["happy"], "target": ["glad"]}), folder / "edges.parquet")
    invoke("vectors retrofit mine.txt out.bin --lexicon edges.parquet --no-unit-length --sweeps 3")
    words, matrix = read(folder / "out.bin")
    assert words == WORDS and matrix[2:].tolist() == MATRIX[2:].tolist() and (matrix[:2] != MATRIX[:2]).any()


def test_convert_and_export(folder):
    assert invoke("vectors convert mine.txt store --limit 6").stdout == "store: 6 words, 4 dimensions\n"
    assert repline.load(folder / "store").words == WORDS[:6]
    invoke("vectors export store store.bin")
    words, matrix = read(folder / "store.bin")
    assert words == WORDS[:6] and matrix.tolist() == MATRIX[:6].tolist()
    invoke("vectors export store.bin back.txt")
    assert read(folder / "back.txt")[1].tolist() == MATRIX[:6].tolist()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("specialise mine.txt out", "expected pairs of words: --synonyms FILE"),
        ("specialise nowhere.txt out --synonyms synonyms.txt", "nowhere.txt: there is no such file"),
        ("specialise mine.txt out --synonyms nowhere.txt", "nowhere.txt: there is no such file"),
        ("specialise mine.txt out --synonyms lexicon.txt", "lexicon.txt, line 2: expected two words, found 3"),
        ("retrofit mine.txt out --lexicon nowhere.txt", "nowhere.txt: there is no such file or folder"),
        ("retrofit mine.txt out --lexicon other.txt", "no two words of the vectors are neighbours"),
        ("export mine.txt out.zip", "expected a name that ends in .vec, .txt, .bin"),
        ("convert nowhere out", "nowhere: there is no such file or folder"),
    ],
)
def test_mistakes_are_named(folder, line, message):
    (folder / "other.txt").write_text("un heard\n")
    with pytest.raises(InputError, match=message):
        CliRunner().invoke(app, ["vectors", *line.split()], catch_exceptions=False)
    assert not (folder / "out").exists()


@pytest.mark.parametrize("command", ["", "specialise", "retrofit", "convert", "export"])
def test_help(command):
    result = CliRunner().invoke(app, ["vectors", *command.split(), "--help"])
    assert result.exit_code == 0 and "Usage:" in result.stdout
