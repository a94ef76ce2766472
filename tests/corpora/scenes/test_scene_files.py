import gzip
import zipfile

import pytest

from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import GAP, Triplet, check_heads, items_of, name_of
from repline.corpora.scenes.scene_files import read_fold, read_scenes, write_scenes
from repline.errors import InputError
from repline.reading.conllu import cycle
from repline.reading.wrong_records import LeftOut

SENTENCES = """1\tThe\tthe\tDT\tDT\tO\t2\tdet\t
2\twoman\twoman\tNN\tNN\tO\t3\tnsubj\twoman_1
3\tcleans\tclean\tVB\tVBZ\tO\t0\tROOT\tclean_1
4\tglasses\tglass\tNN\tNNS\tO\t3\tdobj\tglass_1//key_1
\t\t\t\t\t\t\t\t
1\tIt\tit\tPRP\tPRP\tO\t0\tROOT\t
"""
TRIPLETS = "woman_1\t$Agent$\tclean_1\nglass_1 \t$Theme$ \tclean_1\nkey_1\t$Property$\t\tblue\n"


def write(folder, sentences=SENTENCES, triplets=TRIPLETS, name="kitchen.train"):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.txt").write_text(sentences)
    (folder / f"{name}_context.txt").write_text(triplets)
    return folder


def test_a_scene_has_its_triplets_its_sentences_and_a_gap_for_each_reference(tmp_path):
    (scene,) = read_scenes(write(tmp_path))
    assert scene.name == "kitchen"
    assert scene.triplets == (
        Triplet("woman_1", "Agent", "clean_1"),
        Triplet("glass_1", "Theme", "clean_1"),  # blanks around fields go
        Triplet("key_1", "Property", "blue"),  # and so does an empty field between them
    )
    first, second = scene.sentences
    assert first.text == "The woman cleans glasses" and second.text == "It"
    assert first.words[3].references == ("glass_1", "key_1")
    assert [word.head for word in first.words] == [2, 3, 0, 3]
    assert [sentence.gaps for sentence in scene.gapped] == [(1,), (2,), (3,)]
    assert scene.gapped[0].words[1].form == GAP
    assert scene.gapped[0].words[1].references == ("woman_1",)


def test_sentences_with_a_gap_may_be_given(tmp_path):
    write(tmp_path)
    (tmp_path / "kitchen.test.txt").write_text(SENTENCES.replace("\tcleans\t", "\t??\t").split("\t\t\t\t\t\t\t\t")[0])
    (scene,) = read_scenes(tmp_path)
    assert [sentence.gaps for sentence in scene.gapped] == [(2,)]


def test_a_gap_in_a_complete_sentence_is_closed_by_its_lemma(tmp_path):
    (scene,) = read_scenes(write(tmp_path, sentences=SENTENCES.replace("\tcleans\t", "\t??\t")))
    assert scene.sentences[0].text == "The woman clean glasses"
    assert len(scene.gapped) == 3


def test_a_block_of_triplets_for_each_sentence_makes_several_scenes(tmp_path):
    scenes = read_scenes(write(tmp_path, triplets=TRIPLETS + "\n\t\t\nmug_1\t$Location$\ttable_1\n"))
    assert [(scene.name, len(scene.sentences)) for scene in scenes] == [("kitchen-1", 1), ("kitchen-2", 1)]
    assert scenes[1].triplets == (Triplet("mug_1", "Location", "table_1"),)


def test_scenes_come_in_the_order_of_their_numbers_also_out_of_an_archive(tmp_path):
    write(tmp_path / "own", name="10.train")
    write(tmp_path / "own", name="9.train")
    write(tmp_path / "own", name="attic.train")
    assert [scene.name for scene in read_scenes(tmp_path / "own")] == ["9", "10", "attic"]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in (tmp_path / "own").iterdir():
            archive.write(path, f"deep/down/{path.name}")
    (tmp_path / "packed").mkdir()
    (tmp_path / "all.zip").rename(tmp_path / "packed/all.zip")
    assert read_scenes(tmp_path / "packed") == read_scenes(tmp_path / "own")


def test_what_is_written_is_read_again(tmp_path):
    written = list(make_scenes(seed=3, scenes=2))
    write_scenes(tmp_path, written)
    read_again = read_scenes(tmp_path)
    assert [scene.triplets for scene in read_again] == [scene.triplets for scene in written]
    for scene, expected in zip(read_again, written, strict=True):
        assert [s.words for s in scene.sentences] == [s.words for s in expected.sentences]
        assert [s.words for s in scene.gapped] == [s.words for s in expected.gapped]


def test_a_fold_has_complete_sentences_and_sentences_with_a_gap(tmp_path):
    write(tmp_path, name="Train1", triplets=TRIPLETS)
    write(tmp_path, name="Test1", sentences=SENTENCES.replace("\twoman\twoman", "\t??\twoman"))
    for part in ("Train1", "Test1"):
        (tmp_path / f"{part}_context.txt").rename(tmp_path / f"{part}.txt_context.txt")
    train, test = read_fold(tmp_path, 1)
    assert [sentence.gaps for sentence in train] == [(), ()]
    assert test[0].gaps == (1,)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tO\t3\tnsubj", "\tO\t4\tnsubj", None),
        ("\tO\t2\tdet", "\tO\t9\tdet", "line 1: word 1: expected a head from 0 to 4, found 9"),
        ("\tO\t0\tROOT\tclean_1", "\tO\t2\tROOT\tclean_1", r"words 2 -> 3 -> 2 form a cycle; a tree has none"),
        ("3\tcleans", "2\tcleans", "line 3: word '2' is there twice; a word has one head"),
        ("4\tglasses", "5\tglasses", "line 4: expected word number 4, found '5'"),
        ("\tO\t3\tdobj", "\tO\tx\tdobj", "line 4: expected the number of the head, found 'x'"),
        ("\tdobj\tglass", "\tglass", "line 4: expected 9 fields between tabs, found 8"),
    ],
)
def test_a_damaged_sentence_is_one_sentence_with_its_line(tmp_path, old, new, message):
    assert old in SENTENCES
    folder = write(tmp_path, sentences=SENTENCES.replace(old, new))
    if message is None:
        read_scenes(folder)
        return
    with pytest.raises(InputError, match=f"kitchen.train.txt, {message}" if "line" in message else message):
        read_scenes(folder)


@pytest.mark.parametrize(
    ("triplets", "message"),
    [
        ("mug_1\t$Colour$\tblue\n", r"line 1: unknown type of triplet '\$Colour\$'; expected one of \$Agent\$"),
        ("mug_1\tLocation\ttable_1\n", "line 1: unknown type of triplet 'Location'"),
        ("mug_1\t$Location$\n", "line 1: expected argument"),
        ("\n\n", "expected triplets, found none"),
        (TRIPLETS + "\n" + TRIPLETS + "\n" + TRIPLETS, "2 sentences, but 3 blocks of triplets"),
    ],
)
def test_damaged_triplets_are_one_sentence(tmp_path, triplets, message):
    with pytest.raises(InputError, match=message):
        read_scenes(write(tmp_path, triplets=triplets))


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no such folder of scenes"):
        read_scenes(tmp_path / "absent")
    with pytest.raises(InputError, match=r"expected files NAME\.train\.txt"):
        read_scenes(tmp_path)
    (tmp_path / "kitchen.train.txt").write_text(SENTENCES)
    with pytest.raises(InputError, match=r"there is no file kitchen.train_context.txt"):
        read_scenes(tmp_path)
    (tmp_path / "all.zip").write_bytes(b"PK no archive")
    with pytest.raises(InputError, match=r"all.zip: this is no zip archive"):
        read_scenes(tmp_path)


def test_text_that_is_no_utf_8_is_one_sentence(tmp_path):
    (write(tmp_path) / "kitchen.train.txt").write_bytes(b"1\tcaf\xe9\t")
    with pytest.raises(InputError, match="expected UTF-8 text"):
        read_scenes(tmp_path)


def test_cycles_are_found_and_may_be_kept(tmp_path):
    assert cycle([2, 3, 0, 3]) == []
    assert cycle([2, 1]) == [1, 2, 1]
    assert cycle([3, 3, 2]) == [3, 2, 3]
    assert cycle([1]) == [1, 1]
    check_heads([2, 1], "here", cycles=True)
    folder = write(tmp_path, sentences=SENTENCES.replace("\tO\t0\tROOT\tclean_1", "\tO\t2\tROOT\tclean_1"))
    assert [word.head for word in read_scenes(folder, cycles=True)[0].sentences[0].words] == [2, 3, 2, 3]


def test_items_come_once_in_their_order():
    assert items_of([Triplet("b_1", "Agent", "a_1"), Triplet("c_1", "Theme", "a_1")]) == ["b_1", "a_1", "c_1"]
    assert name_of("mug_12") == "mug" and name_of("blue") == "blue"


def test_scenes_of_packed_files_without_their_wrong_sentences_and_triplets(tmp_path):
    (scene,) = read_scenes(write(tmp_path / "right"))
    folder = write(
        tmp_path / "wrong",
        sentences=f"1\tonly\n\n{SENTENCES}".replace("\n", "\r\n"),
        triplets=f"a\t$Agent$\n{TRIPLETS}b\t$Hope$\tc\n",
    )
    for path in list(folder.iterdir()):
        path.with_name(f"{path.name}.GZ").write_bytes(gzip.compress(path.read_text().encode("utf-16")))
        path.unlink()
    left_out = LeftOut("salvage")
    assert read_scenes(folder, on_error=left_out) == [scene]
    assert left_out.reasons == {"2 fields instead of 9": 1, "no triplet": 1, "an unknown type of triplet": 1}
    with pytest.raises(InputError, match=r"kitchen\.train_context\.txt\.GZ, line 1: expected argument"):
        read_scenes(folder)


def test_a_line_separator_is_no_line_end(tmp_path):
    (scene,) = read_scenes(write(tmp_path, sentences=SENTENCES.replace("woman\twoman", "wo\u2028man\two\u2028man")))
    assert scene.sentences[0].words[1].form == "wo\u2028man"
