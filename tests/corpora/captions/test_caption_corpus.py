"""Captions of every form to a corpus on disk, and mistakes in a person's files."""

import numpy as np
import pytest

from repline.cards import read_card
from repline.corpora.captions.caption_corpus import read_captions, write_captions
from repline.corpora.captions.caption_table import read_table
from repline.corpora.captions.flickr8k import read_flickr8k
from repline.corpora.captions.multi30k import read_multi30k
from repline.corpora.captions.picture import caption_words, words_left_out
from repline.corpora.captions.recipes import CaptionCorpus
from repline.corpora.captions.tag_counts import count_tags, frequent_tags
from repline.errors import InputError
from tests.corpora.captions import small_captions
from tests.corpora.captions.small_captions import NAMES, PARTS

TABLE = {"form": "table", "features": "tags"}


def test_words_of_a_caption():
    assert caption_words("A dog-like Dog, two 3d men .") == ["a", "dog", "two", "men"]
    assert caption_words("A dog runs.", periods=True) == ["a", "dog", "runs", "."]
    assert caption_words("St . Mary 's church .", periods=True) == ["st", "mary", "s", "church", "."]
    assert caption_words(" 2 - . ") == []
    assert caption_words("वह सोता है। “Ein Hund”, «un chien»… ¿Qué? نعم؟ dogs.”") == (
        ["वह", "सोता", "है", "ein", "hund", "un", "chien", "qué", "نعم", "dogs"]
    )


def written(folder, captions):
    folder.mkdir()
    (folder / "captions.tsv").write_text(captions, encoding="utf-8")
    return folder


def test_words_that_are_left_out_of_a_table_are_counted(tmp_path):
    texts = ["A dog's 2 big-eared cats .", "“Zwei Katzen”, - sie schlafen."]
    assert [words_left_out(text, caption_words(text, periods=True)) for text in texts] == [3, 0]
    lines = [f"{number}.jpg\t{texts[number % 2]}\n" for number in range(10)]
    source = written(tmp_path / "mine", "".join(lines))
    np.save(source / "features.npy", np.eye(10, dtype=np.float32))
    (source / "pictures.txt").write_text("".join(f"{number}.jpg\n" for number in range(10)))
    card = write_captions(source, tmp_path / "corpus", CaptionCorpus(form="table", features="given"))
    assert card["counts"]["words_left_out"] == 15


def test_co_captions_need_captions_to_count_in(tmp_path):
    lines = "".join(f"{number}.jpg\tA dog runs\n" for number in range(10))
    source = written(tmp_path / "mine", lines)
    with pytest.raises(
        InputError, match=r"captions 1, 2, 3 of each picture, numbered from 0, and '0\.jpg' has 1 alone"
    ):
        write_captions(source, tmp_path / "corpus", CaptionCorpus(form="table", features="co_captions"))


def test_the_most_frequent_tags():
    pictures = [["dog", "grass"], ["dog", "sand"], ["the", "the", "the"]]
    assert frequent_tags(pictures, 3, ["the"]) == ["dog", "grass", "sand"]
    assert frequent_tags(pictures, 3, ["the"], least=2) == ["dog"]
    assert count_tags([["dog", "dog", "cat"], []], ["cat", "dog"]).tolist() == [[1, 2], [0, 0]]


@pytest.mark.parametrize(("form", "read"), [("flickr8k", read_flickr8k), ("multi30k", read_multi30k)])
def test_public_sets(tmp_path, form, read):
    source = getattr(small_captions, form)(tmp_path / "raw")
    pictures = list(read(source))
    assert [picture.name for picture in pictures] == NAMES
    assert {part: [picture.name for picture in pictures if picture.part == part] for part in PARTS} == PARTS
    assert pictures[0].captions == list(small_captions.KINDS)


def test_co_captions_count_what_is_not_to_be_learned(tmp_path):
    source = small_captions.flickr8k(tmp_path / "raw")
    counts = write_captions(
        source, tmp_path / "corpus", CaptionCorpus(form="flickr8k", features="co_captions", tags=4)
    )["counts"]
    assert (counts["pictures"], counts["captions"], counts["features"]) == (10, 50, 4)
    names = (tmp_path / "corpus/tags.txt").read_text().split()
    assert names == ["dog", "runs", "brown", "dogs"]  # the stop words a, the, on, two are not counted
    parts = read_captions(tmp_path / "corpus")
    # captions 1, 2 and 3: the dog runs on grass; two dogs running; a brown dog
    assert parts["test"].features[parts["test"].rows].tolist() == [[2, 1, 1, 1]] * 2
    assert parts["dev"].targets()[0] == [["a", "dog", "runs"], ["a", "thing"]]
    assert parts["dev"].names == PARTS["dev"]
    assert [target for target, _ in parts["train"].captions[0]] == [True, False, False, False, True]


def test_a_table_with_features_or_tags(tmp_path):
    source = small_captions.table(tmp_path / "raw")
    write_captions(source, tmp_path / "given", CaptionCorpus(form="table", features="given"))
    test = read_captions(tmp_path / "given")["test"]
    assert test.features[test.rows].tolist() == [[3, 4, 5], [0, 1, 2]]  # pictures.txt has them the other way round
    assert not (tmp_path / "given/tags.txt").exists()
    write_captions(source, tmp_path / "tags", CaptionCorpus(**TABLE))
    train = read_captions(tmp_path / "tags")["train"]
    assert (tmp_path / "tags/tags.txt").read_text().split() == ["dog", "grass", "sand"]
    assert train.features[train.rows].tolist() == [[1, 1, 0]] * 3 + [[1, 0, 1]] * 3
    assert read_card(tmp_path / "tags")["parameters"]["form"] == "table"


def test_names_of_features_are_read_as_those_of_captions(tmp_path):
    source = small_captions.table(tmp_path / "raw")
    files = [file for file in source.iterdir() if file.suffix in (".txt", ".tsv")]
    for encoding, written in (("utf-8", "cafe\u0301"), ("latin-1", "caf\u00e9")):
        for file in files:
            text = file.read_text(encoding="utf-8").replace("cafe\u0301", "p1").replace("p1", written)
            file.write_text(text, encoding=encoding)
        write_captions(source, tmp_path / "given", CaptionCorpus(form="table", features="given", encoding=encoding))
        train = read_captions(tmp_path / "given")["train"]
        assert train.names[1] == "caf\u00e9.jpg" and train.features[train.rows[1]].tolist() == [24, 25, 26]


def test_without_lists_pictures_are_dealt_out(tmp_path):
    source = small_captions.table(tmp_path / "raw")
    for part in PARTS:
        (source / f"{part}.txt").unlink()
    dealt = [picture.part for picture in read_table(source, (0.2, 0.3), 0)]
    assert {part: dealt.count(part) for part in PARTS} == {"train": 5, "dev": 2, "test": 3}
    assert dealt == [picture.part for picture in read_table(source, (0.2, 0.3), 0)]
    assert dealt != [picture.part for picture in read_table(source, (0.2, 0.3), 1)]


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["a.jpg#0\tA dog.", "b.jpg#0\tA cat.", "a.jpg#1\tDog.", "b.jpg#10\tCat."], ["a.jpg", "b.jpg"]),
        (["a#0\tA dog.", "b#0\tA cat.", "a#0\tDog.", "b\tCat."], ["a#0", "b#0", "b"]),
    ],
)
def test_captions_with_numbers_are_of_one_picture_where_every_name_has_one(lines, names, tmp_path):
    (tmp_path / "captions.tsv").write_text("\n".join(lines) + "\n")
    pictures = {picture.name: picture for picture in read_table(tmp_path, (0.5, 0), 0)}
    assert list(pictures) == names
    assert pictures[names[0]].captions == ["A dog.", "Dog."]


def test_quotation_marks_around_a_caption_go(tmp_path):
    (tmp_path / "captions.tsv").write_text('a.jpg\t"A ""big"" dog"\na.jpg\t"A" dog\n')
    (picture,) = read_table(tmp_path, (0, 0), 0)
    assert picture.captions == ['A "big" dog', '"A" dog']


def _replace(file, old, new):
    return lambda source: (source / file).write_text((source / file).read_text().replace(old, new))


def _features(change):
    def spoil(source):
        np.save(source / "features.npy", change(np.load(source / "features.npy")))

    return spoil


def _with_nan(matrix):
    matrix[4, 1] = np.nan
    return matrix


@pytest.mark.parametrize(
    ("features", "spoil", "message"),
    [
        ("tags", lambda source: (source / "captions.tsv").unlink(), "captions.tsv: there is no such file"),
        ("tags", lambda source: (source / "dev.txt").unlink(), "dev.txt: there is no such file"),
        ("tags", _replace("captions.tsv", "p1.jpg\t", "\t"), "line 3: expected the name of a picture, a tab and a"),
        (
            "tags",
            _replace("captions.tsv", "p7.jpg", "p77.jpg"),
            "dev.txt, line 2: the picture 'p7.jpg' has no captions",
        ),
        ("tags", _replace("dev.txt", "p7.jpg", "p1.jpg"), "the picture p1.jpg is in train.txt already"),
        (
            "tags",
            lambda source: (source / "dev.txt").write_text(""),
            "expected pictures in train, dev, test, found none in dev",
        ),
        (
            "tags",
            _replace("tags.tsv", "p9", "p99"),
            "expected tags of each picture of captions.tsv, found none of 'p9.jpg'",
        ),
        ("tags", _replace("tags.tsv", "p9", "p8"), "line 10: the picture p8.jpg is there twice"),
        (
            "given",
            _replace("pictures.txt", "p3", "p33"),
            "expected features of each picture of captions.tsv, found none of 'p3.jpg' (1 have",
        ),
        ("given", _replace("pictures.txt", "p3", "p4"), "pictures.txt, line 7: the picture 'p4.jpg' is there twice"),
        ("given", _features(_with_nan), "features.npy, row 5 ('p5.jpg'): expected numbers, found NaN or infinity"),
        (
            "given",
            _features(lambda matrix: matrix[:9]),
            "expected a row for each of 10 names in pictures.txt, found 9 rows",
        ),
        ("given", _features(lambda matrix: matrix[0]), "expected numbers [pictures, features], found float64 [3]"),
        ("given", lambda source: (source / "features.npy").write_text("x"), "this is no whole .npy file of numbers"),
        ("co_captions", lambda source: None, "tag_captions leaves none of the 2 captions of the picture 'p0.jpg'"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(tmp_path, features, spoil, message):
    source = small_captions.table(tmp_path / "raw")
    spoil(source)
    with pytest.raises(InputError) as error:
        write_captions(source, tmp_path / "corpus", CaptionCorpus(form="table", features=features, tag_captions=[0, 1]))
    assert message in str(error.value) and "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["raw"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_replace("Flickr8k.token.txt", "p4.jpg#2", "p4.jpg"), "line 23: expected NAME#NUMBER, a tab and a caption"),
        (_replace("Flickr8k.token.txt", "p4.jpg#2", "p4.jpg#1"), "line 23: caption 1 of p4.jpg is there twice"),
        (_replace("Flickr8k.token.txt", "p4.jpg", "q4.jpg"), "trainImages.txt, line 5: the picture 'p4.jpg' has no"),
        (_replace("Flickr_8k.testImages.txt", "p9", "p0"), "p0.jpg is in Flickr_8k.trainImages.txt already"),
    ],
)
def test_a_damaged_flickr8k(tmp_path, spoil, message):
    source = small_captions.flickr8k(tmp_path / "raw")
    spoil(source)
    with pytest.raises(InputError) as error:
        list(read_flickr8k(source))
    assert message in str(error.value)


def test_files_of_multi30k_that_differ_in_length(tmp_path):
    source = small_captions.multi30k(tmp_path / "raw")
    (source / "val.3.en").write_text("one\n")
    with pytest.raises(InputError, match=r"val\.3\.en: expected 2 lines, as val\.txt has, found 1"):
        list(read_multi30k(source))


def test_features_that_a_form_does_not_have():
    with pytest.raises(ValueError, match="features 'given' need the form table, found 'flickr8k'"):
        CaptionCorpus(form="flickr8k", features="given")


def test_what_is_no_corpus(tmp_path):
    with pytest.raises(InputError, match="expected a corpus of captions"):
        read_captions(tmp_path)
    write_captions(small_captions.table(tmp_path / "raw"), tmp_path / "corpus", CaptionCorpus(**TABLE))
    (tmp_path / "corpus/features.npy").write_bytes(b"")
    with pytest.raises(InputError, match="a file of this corpus cannot be read"):
        read_captions(tmp_path / "corpus")
