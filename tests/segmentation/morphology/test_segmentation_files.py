"""Published segmentations: every form that is read, and what is said of a broken line."""

import gzip

import pytest

from repline.errors import InputError
from repline.segmentation.languages import segmenter
from repline.segmentation.morphology.allomorphs import labelled_allomorphs
from repline.segmentation.morphology.segmentation_files import labels, read

GOLD = (
    "CIkarsanIz\tCIk:CIk ar:+TNS sa:+IF nIz:+P, CIkar:CIkar sa:+IF nIz:+P\n"
    "evler\tev:ev ler:+PL\nkollar\tkol:kol lar:+PL\n"
)
TREE = """1\tAçık\taçık\tNOUN\tNN\t_\t2\tig\t_\tSpaceAfter=No
2\tla\t_\tVERB\tVB\t_\t3\tig\t_\tSpaceAfter=No
3\tmak\t_\tNOUN\tVN\t_\t0\troot\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tp\t_\t_

"""


def put(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def test_every_form(tmp_path):
    gold = read(put(tmp_path, "gold.segmentation.tur", GOLD), "tr")
    assert gold["çıkarsanız"] == [("çık", "ar", "sa", "nız"), ("çıkar", "sa", "nız")]
    canonical = "parents\tparent @@s\t100\nsubsidised\tsubside @@y @@ise @@ed\t110\n"
    assert read(put(tmp_path, "eng.tsv.gz", canonical), "en") == {"parents": [("parent", "s")]}
    assert read(put(tmp_path, "chosen.txt", "İzin : iz-in\n"), "tr") == {"izin": [("iz", "in")]}
    many = read(put(tmp_path, "train.tr", "olduğu:ol-duğu+ol-du-ğu+###\n"), "tr")
    assert many == {"olduğu": [("ol", "duğu"), ("ol", "du", "ğu")]}
    assert read(put(tmp_path, "twt.conllu", TREE), "tr") == {"açıklamak": [("açık", "la", "mak")]}
    assert read(put(tmp_path, "mine.tsv", "walks\twalk-s\nbird\tbird\n"), "en") == {
        "walks": [("walk", "s")],
        "bird": [("bird",)],
    }


def test_morphs_without_letters_do_not_count(tmp_path):
    path = put(tmp_path, "gold.segmentation.eng", "alumni's\talumni:alumnus_N ~:+PL 's:+GEN\n")
    assert read(path, "en") == {"alumni's": [("alumni", "'s")]}


def test_labels_with_several_forms_are_allomorphs(tmp_path):
    allomorphs = labels(put(tmp_path, "gold.segmentation.tur", GOLD))
    assert allomorphs["+PL"] == {"ler", "lar"} and allomorphs["+P"] == {"nız"}
    assert labelled_allomorphs(allomorphs | {"+SAME": {"lar", "ler"}}) == {"+PL": ("lar", "ler")}


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.txt", "word : a-b\nanother\n", "a.txt, line 2"),
        ("a.tsv", "walks\twalk-s\nbird\n", "a.tsv, line 2"),
        ("a.txt", "just words\n", "a.txt, line 1"),
        (
            "a.txt",
            "kitaplar kitap+lar\n",
            "line 1: expected a word, a tab and its morphs with blanks or hyphens between",
        ),
        (
            "a.tsv",
            "a b\ta b\nkitaplar kitap lar\n",
            "line 2: expected a word, a tab and its morphs with blanks or hyphens",
        ),
        ("a.txt", "other : a-b\n", "found none"),
    ],
)
def test_broken_files_are_told_in_one_sentence(tmp_path, name, text, where):
    with pytest.raises(InputError, match=where):
        read(put(tmp_path, name, text), "en")


def test_a_segmenter_gives_each_word_its_morphs(tmp_path):
    lines = "".join(f"{stem}lar : {stem}-lar\n" for stem in ("kol", "yol", "dal", "mal", "bal"))
    split = segmenter("tr", segmentations=put(tmp_path, "chosen.txt", lines))
    assert split("Kollar, IŞIKLAR!") == {
        "tokens": ["Kollar", ",", "IŞIKLAR", "!"],
        "morphs": ["kol-lar", ",", "ışık-lar", "!"],
    }
