"""Bitexts of Moses' tokenizer are read with the characters that it escapes, and other text stays as it is."""

import pytest

from repline.cards import read_card
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.bitext import build
from repline.corpora.parallel.recipes import BitextCorpus
from repline.corpora.parallel.translations import read_translations

ENGLISH = "don &apos;t &quot; R &amp; D &quot; &#91; a &#93;\n&amp;lt; &lt; b &gt; &#124;\n"


def read(folder, english, german, names=("a.en", "a.de")):
    for name, text in zip(names, (english, german), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    pairs = [(pair.first, pair.second) for pair in read_translations(folder, ["en", "de"])]
    assert pairs == [(text.texts["en"], text.texts["de"]) for text in read_aligned(folder, ["en", "de"])]
    return pairs


@pytest.mark.parametrize("names", [("a.en", "a.de"), ("a.en.txt", "a.de.txt")])
def test_escaped_characters_are_read(tmp_path, names):
    pairs = read(tmp_path, ENGLISH, "eins\n&amp; zwei\n", names)
    assert pairs == [('don \'t " R & D " [ a ]', "eins"), ("&lt; < b > |", "& zwei")]
    build(tmp_path, tmp_path / "out", BitextCorpus(languages=["en", "de"]))
    assert (
        "merged: 11 references that Moses' tokenizer wrote, with their characters"
        in read_card(tmp_path / "out")["notes"]
    )


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Write &amp; or &lt; in HTML .\n", "eins\n"),  # no mark of quotation among the references
        ("don &apos;t\n", "das war's\n"),
        ("don &apos;t\n", "A & B\n"),
        ("don &apos;t [ a ]\n", "eins\n"),
        ("don &apos;t &eacute;\n", "eins\n"),
    ],
)
def test_text_that_was_not_escaped_stays(tmp_path, english, german):
    assert read(tmp_path, english, german) == [(english.strip(), german.strip())]
