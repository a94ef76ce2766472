import gzip
import os
from pathlib import Path

import pytest

from repline.errors import InputError
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet.synsets import Pointer
from repline.lexicons.wordnet.xml_format import read_xml
from tests.lexicons.small_wordnet import XML, write_wndb


@pytest.fixture
def wndb(tmp_path):
    return write_wndb(tmp_path / "dict")


def written(tmp_path, text):
    path = tmp_path / "wordnet.xml"
    path.write_text(text)
    return path


def test_wndb_gives_synsets_lemmas_pointers_and_glosses(wndb):
    wordnet = wordnet_files.read(wndb)
    animal, dog, laika = (wordnet[f"0000000{number}-n"] for number in (1, 2, 3))
    assert animal.lemmas == ("animal", "Beast")
    assert animal.gloss == "a living organism"
    assert animal.pointers == (
        Pointer("hyponym", "00000002-n"),
        Pointer("instance_hyponym", "00000003-n"),
        Pointer("derivation", "00000001-v", 2, 1),
    )
    assert [pointer.lexical for pointer in animal.pointers] == [False, False, True]
    assert len(dog.lemmas) == 10  # "0a" is hexadecimal
    assert dog.gloss == '"a | b"'
    assert laika.pointers == (Pointer("instance_hypernym", "00000001-n"),)


def test_wndb_may_be_compressed_and_end_in_a_blank_line(wndb):
    expected = list(wordnet_files.read(wndb))
    for path in list(wndb.iterdir()):
        Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes() + b"\n"))
        path.unlink()
    assert list(wordnet_files.read(wndb)) == expected


def test_adjective_markers_are_apart_and_satellites_are_adjectives(wndb):
    wordnet = wordnet_files.read(wndb)
    arid = wordnet["00000003-a"]
    assert (arid.lemmas, arid.markers, arid.satellite, arid.pos) == (("arid", "waterless"), ("", "(ip)"), True, "a")
    assert wordnet["00000002-a"].lemmas == ("wet",)
    assert not wordnet["00000001-a"].satellite


def test_counts(wndb):
    counts = wordnet_files.read(wndb).counts()
    expected = {"synsets": 7, "senses": 18, "lemmas": 18, "entries": 18, "pointers": 10, "lexical_pointers": 4}
    assert {key: counts[key] for key in expected} == expected
    assert counts["pointers_antonym"] == counts["pointers_similar_to"] == counts["pointers_derivation"] == 2


def test_lookup_ignores_case_and_blanks(wndb):
    wordnet = wordnet_files.read(wndb)
    assert [synset.id for synset in wordnet.synsets("Canis familiaris")] == ["00000002-n"]
    assert [synset.id for synset in wordnet.synsets("beast", "n")] == ["00000001-n"]
    assert wordnet.synsets("beast", "v") == wordnet.synsets("unicorn") == []
    assert wordnet.lemmas()[:2] == ["animal", "arid"]


def test_below_a_root_are_hyponyms_and_instances(wndb):
    wordnet = wordnet_files.read(wndb)
    assert [synset.id for synset in wordnet.below("00000001-n")] == ["00000001-n", "00000002-n", "00000003-n"]
    with pytest.raises(InputError, match="there is no synset '1-n'"):
        wordnet.below("1-n")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"noun": ("n 02 animal", "n 0x animal")}, "data.noun, line 2: expected offset, file, type, words"),
        ({"noun": ("n 02 animal", "n 00 animal")}, "data.noun, line 2: expected"),
        ({"noun": ("0a dog", "0f dog")}, "data.noun, line 3: expected"),
        ({"noun": ("003 ~", "009 ~")}, "data.noun, line 2: expected 2 words and 9 pointers, found fewer fields"),
        ({"noun": ("| first in orbit", "")}, "data.noun, line 4: expected a gloss after |"),
        ({"noun": ("18 n 01", "18 v 01")}, "data.noun, line 4: expected a synset of type n, found 'v'"),
        ({"noun": ("@i", "@x")}, "data.noun, line 4: unknown pointer symbol '@x'"),
        ({"noun": ("v 0201", "v 02")}, "data.noun, line 2: expected a target"),
        ({"noun": ("~ 00000002", "~ 0000002")}, "data.noun, line 2: expected a target"),
        ({"noun": ("00000003 18", "0003 18")}, "data.noun, line 4: expected an offset of eight digits, found '0003'"),
        ({"noun": ("00000003 18", "00000002 18")}, "the synset '00000002-n' is there twice"),
        ({"adj": ("! 00000002", "! 00000009")}, "'00000001-a' points ('antonym') to '00000009-a', which is not there"),
        ({"adj": ("a 0101 &", "a 0102 &")}, "points ('antonym') from word 1 to word 2 of '00000002-a'"),
    ],
)
def test_malformed_wndb_is_named(tmp_path, changes, message):
    with pytest.raises(InputError) as caught:
        wordnet_files.read(write_wndb(tmp_path / "dict", **changes))
    assert message in str(caught.value)


def test_every_cut_of_a_file_is_an_error_or_fewer_synsets(tmp_path):
    folder = write_wndb(tmp_path / "dict")
    whole = (folder / "data.verb").read_bytes()
    for length in range(len(whole) - 2):
        (folder / "data.verb").write_bytes(whole[:length])
        if b"|" not in whole[:length]:
            with pytest.raises(InputError):
                wordnet_files.read(folder)


def test_xml_gives_the_same_kind_of_object(tmp_path):
    wordnet = wordnet_files.read(written(tmp_path, XML))
    assert [synset.id for synset in wordnet] == ["X-1-n", "X-2-n", "X-1-v", "X-3-a", "X-4-a", "X-5-r"]
    animal = wordnet["X-1-n"]
    assert animal.lemmas == ("animal", "Beast")
    assert animal.gloss == "a living & thing"
    assert animal.pointers == (Pointer("derivation", "X-1-v", 2, 1), Pointer("hyponym", "X-2-n"))
    assert wordnet["X-2-n"].lemmas == ("Canis_familiaris",)
    assert wordnet["X-3-a"].satellite
    assert wordnet["X-5-r"].pos == "r"  # its part of speech in the file is b


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</SYNSETS>", "", "this is not well-formed XML"),
        ("<SYNSETS>", "<LEXICON>", "line 1: expected <SYNSETS>, found <LEXICON>"),
        ("<SYNSETS>", '<!DOCTYPE a [<!ENTITY b "c">]><SYNSETS>', "expected no document type declaration"),
        ("HYPERNYM", "HYPERNYN", "line 3: unknown relation 'HYPERNYN'; did you mean 'HYPERNYM'?"),
        ("<TO>1</TO>", "<TO>one</TO>", "line 2: expected the number of a word in <TO>, found 'one'"),
        ("<TO>1</TO>", "<TO>3</TO>", "'X-1-n' points ('derivation') from word 2 to word 3 of 'X-1-v'"),
        ("<TYPE>HYPONYM</TYPE>", "", "line 2: expected a target and its <TYPE> in <SR>"),
        ("<POS>v</POS>", "<POS>z</POS>", "line 4: expected the <POS> of X-1-v"),
        ("<ID>X-2-n</ID>", "", "line 3: expected an <ID> in <SYNSET>, found none"),
        ("<ID>X-2-n</ID>", "<ID>X-7-n</ID>", "'X-1-n' points ('hyponym') to 'X-2-n', which is not there"),
        ("<LITERAL>dry<", "<LITERAL> <", "line 6: expected a word in <LITERAL>, found none"),
    ],
)
def test_malformed_xml_is_named(tmp_path, old, new, message):
    assert old in XML
    with pytest.raises(InputError) as caught:
        wordnet_files.read(written(tmp_path, XML.replace(old, new, 1)))
    assert message in str(caught.value)


DECLARED = f'<?xml version="1.0" encoding="{{}}"?>\n{XML.replace("animal", "動物")}'


@pytest.mark.parametrize("encoding", ["utf-8", "utf8", "GB18030", "shift_jis", "utf-16"])
@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress)])
def test_xml_is_in_any_encoding_plain_or_packed(tmp_path, encoding, suffix, pack):
    (tmp_path / f"wordnet.xml{suffix}").write_bytes(pack(DECLARED.format(encoding).encode(encoding)))
    for path in (tmp_path, tmp_path / "wordnet.xml"):
        assert (wordnet_files.read if path.is_dir() else read_xml)(path)["X-1-n"].lemmas == ("動物", "Beast")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (DECLARED.format("foo").encode(), r"\.xml, line 1: expected XML in the declared encoding 'foo', found another"),
        (
            DECLARED.format("gb2312").encode("latin-1", "replace") + b"\xff",
            r"line 10 or below: expected gb2312 text, found",
        ),
        (None, "expected a file, found a folder"),
    ],
)
def test_what_is_no_xml_is_one_sentence(tmp_path, content, message):
    path = tmp_path / "wordnet.xml"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_xml(path)


def test_saved_and_loaded_again_it_is_the_same_and_so_are_the_bytes(wndb, tmp_path):
    wordnet = wordnet_files.read(wndb)
    for name in ("a", "b"):
        wordnet_files.save(wordnet, tmp_path / name, name="small", licence="CC0", sources=[])
    assert list(wordnet_files.read(tmp_path / "a")) == list(wordnet)
    for file in ("synsets.parquet", "card.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_damaged_store_and_an_empty_folder_are_named(tmp_path):
    (tmp_path / "synsets.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="this is not a stored wordnet"):
        wordnet_files.read(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"expected data.noun and the like, .* found 0 XML files"):
        wordnet_files.read(tmp_path / "empty")
    with pytest.raises(InputError, match="no such file or folder"):
        wordnet_files.read(tmp_path / "absent")


PRINCETON = Path(os.environ.get("REPLINE_WNDB", "/usr/share/wordnet"))


@pytest.mark.skipif(not (PRINCETON / "data.noun").exists(), reason="needs WordNet 3.0 (wordnet-base, or REPLINE_WNDB)")
def test_the_counts_of_wordnet_3_0():
    counts = wordnet_files.read(PRINCETON).counts()
    assert counts["synsets"] == 117_659
    assert counts["senses"] == 206_978
    assert counts["lemmas"] == 147_306
    assert counts["entries"] == 155_287
    assert counts["pointers"] == 377_592
    assert counts["lexical_pointers"] == 92_244
    assert counts["pointers_hypernym"] == counts["pointers_hyponym"] == 89_089
    assert sum(name.startswith("pointers_") for name in counts) == 26
