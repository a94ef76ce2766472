"""Wordnets in WN-LMF: what is read, the same as from WNDB files, and what is refused."""

import gzip
from xml.sax.saxutils import quoteattr

import pytest

from repline.errors import InputError
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet.lmf_format import read_lmf
from repline.lexicons.wordnet.synsets import Pointer
from tests.lexicons.small_wordnet import write_wndb

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
<Lexicon id="dewn" label="Deutsch" language="de" email="a@b" license="CC BY-SA 4.0" version="1">
"""
ENTRIES = """<LexicalEntry id="e1"><Lemma writtenForm="Köter" partOfSpeech="n"/>
<Sense id="s1" synset="d-1-n"><SenseRelation relType="antonym" target="s3"/>
<SenseRelation relType="other" dc:type="funny" target="s3"/></Sense></LexicalEntry>
<LexicalEntry id="e2"><Lemma writtenForm="treuer  Hund" partOfSpeech="n"><Tag category="x">y</Tag></Lemma>
<Form writtenForm="Hunde"/><Sense id="s2" synset="d-1-n"><Example>Der Hund bellt.</Example></Sense></LexicalEntry>
<LexicalEntry id="e3"><Lemma writtenForm="Tier" partOfSpeech="n"/><Sense id="s3" synset="d-2-n"/></LexicalEntry>
<LexicalEntry id="e4"><Lemma writtenForm="satt" partOfSpeech="a"/>
<Sense id="s4" synset="d-4-s" adjposition="p"/></LexicalEntry>
"""
SYNSETS = """<Synset id="d-1-n" ili="i1" partOfSpeech="n" members="s2 s1"><Definition>ein Tier,
 das &amp; bellt</Definition><Definition>another</Definition><SynsetRelation relType="hypernym" target="d-2-n"/>
<SynsetRelation relType="holo_member" target="d-2-n"/><SynsetRelation relType="agent" target="d-2-n"/></Synset>
<Synset id="d-2-n" ili="" partOfSpeech="n"><SynsetRelation relType="hypernym" target="d-3-n"/></Synset>
<Synset id="d-3-n" ili="" partOfSpeech="n" lexicalized="false"/>
<Synset id="d-4-s" ili="" partOfSpeech="s"/>
"""
TAIL = "</Lexicon></LexicalResource>\n"


def written(path, *parts):
    text = "".join(parts).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def element(name, end="", **attributes):
    return f"<{name} {' '.join(f'{key}={quoteattr(value)}' for key, value in attributes.items())}{end}>"


@pytest.mark.parametrize("name", ["de.xml", "de.xml.gz"])
@pytest.mark.parametrize("alone", [True, False])
def test_words_senses_and_relations(tmp_path, name, alone):
    path = written(tmp_path / name, HEAD, ENTRIES, SYNSETS, TAIL)
    wordnet = wordnet_files.read(path if alone else tmp_path)
    assert [synset.id for synset in wordnet] == ["d-1-n", "d-2-n", "d-4-s"]
    dog = wordnet["d-1-n"]
    assert (dog.pos, dog.lemmas, dog.gloss) == ("n", ("treuer_Hund", "Köter"), "ein Tier, das & bellt")
    assert dog.pointers == (
        Pointer("hypernym", "d-2-n"),
        Pointer("member_holonym", "d-2-n"),
        Pointer("antonym", "d-2-n", 2, 1),
    )
    above = [Pointer("hyponym", "d-1-n"), Pointer("member_meronym", "d-1-n")]  # the file states the other direction
    assert sorted(wordnet["d-2-n"].pointers) == above  # and nobody has a word for what is above this one
    assert (wordnet["d-4-s"].pos, wordnet["d-4-s"].satellite, wordnet["d-4-s"].markers) == ("a", True, ("(p)",))


def test_a_wordnet_is_the_same_from_lmf_and_from_its_own_files(tmp_path):
    expected = wordnet_files.read(write_wndb(tmp_path / "dict"))
    entries, synsets = [], []
    for synset in expected:
        pos = "s" if synset.satellite else synset.pos
        for number, lemma in enumerate(synset.lemmas, 1):
            lexical = [pointer for pointer in synset.pointers if pointer.source_word == number]
            relations = [(pointer.relation, f"{pointer.target}-{pointer.target_word}") for pointer in lexical]
            marker = synset.markers[number - 1].strip("()")
            entries += [
                element("LexicalEntry", id=f"e-{synset.id}-{number}"),
                element("Lemma", "/", writtenForm=lemma, partOfSpeech=pos),
                element("Sense", id=f"{synset.id}-{number}", synset=synset.id, adjposition=marker),
                *(element("SenseRelation", "/", relType=name, target=target) for name, target in relations),
                "</Sense></LexicalEntry>",
            ]
        semantic = [pointer for pointer in synset.pointers if not pointer.lexical]
        synsets += [
            element("Synset", id=synset.id, ili="", partOfSpeech=pos),
            f"<Definition>{synset.gloss}</Definition>",
            *(element("SynsetRelation", "/", relType=pointer.relation, target=pointer.target) for pointer in semantic),
            "</Synset>",
        ]
    read = read_lmf(written(tmp_path / "en.xml", HEAD, *entries, *synsets, TAIL))
    assert [synset._replace(pointers=()) for synset in read] == [synset._replace(pointers=()) for synset in expected]
    assert [sorted(synset.pointers) for synset in read] == [sorted(synset.pointers) for synset in expected]
    assert read.counts() == expected.counts()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            (HEAD, ENTRIES, SYNSETS, "</Lexicon><Lexicon id='enwn'/></LexicalResource>"),
            "line 19: expected one <Lexicon>",
        ),
        ((HEAD, ENTRIES, TAIL), "the sense 's1' of 'Köter' is of the synset 'd-1-n', which is not there"),
        ((HEAD, ENTRIES.replace(' target="s3"', ' target="s9"'), SYNSETS, TAIL), "points .'antonym'. to 's9'"),
        ((HEAD, ENTRIES, SYNSETS.replace('target="d-2-n"', 'target="d-9-n"'), TAIL), "points .'hypernym'. to 'd-9-n'"),
        ((HEAD, ENTRIES.replace(' synset="d-2-n"', ""), SYNSETS, TAIL), "expected synset in <Sense>, found none"),
        (
            (HEAD, ENTRIES, SYNSETS.replace('Speech="s"', 'Speech="z"'), TAIL),
            "expected partOfSpeech of d-4-s to be one",
        ),
        ((HEAD, ENTRIES, SYNSETS, SYNSETS, TAIL), "the synset 'd-1-n' is there twice"),
        ((HEAD, ENTRIES, SYNSETS), "this is not well-formed XML"),
        ((HEAD, TAIL), "expected synsets, found none"),
    ],
)
def test_what_is_no_wordnet_is_refused(tmp_path, parts, message):
    path = written(tmp_path / "de.xml", *parts)
    with pytest.raises(InputError, match=rf"de\.xml.*{message}"):
        wordnet_files.read(path)
