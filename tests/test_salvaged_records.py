"""`on_error` in readers of text: a wrong record stops the reading, or is left out, counted and named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from repline.corpora.captions.caption_table import read_table as read_captions
from repline.corpora.captions.caption_table import read_tags
from repline.corpora.captions.flickr8k import read_flickr8k
from repline.corpora.captions.multi30k import read_multi30k
from repline.corpora.dialogue.turns import read_own as read_conversations
from repline.corpora.entities import gazetteers
from repline.corpora.entities.gold_entities import read_gold
from repline.corpora.labelled.collections.benchmarks import read_benchmarks
from repline.corpora.labelled.collections.labelled_tsv import read_table as read_labelled
from repline.corpora.labelled.labelled_sentences import read_labelled as read_classes
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.translations import read_translations
from repline.corpora.sentence_pairs.pair_tables import read_own as read_own_pairs
from repline.corpora.sentence_pairs.scored_pairs import read_pairs as read_scored_pairs
from repline.corpora.srl.role_files import read_role_files
from repline.errors import InputError
from repline.evaluation.sentences.task_files import read_tasks
from repline.evaluation.word_vectors import benchmark_files
from repline.evaluation.word_vectors.own_tests import read_own as read_own_test
from repline.lexicons import bilingual_dictionary, character_table, constraints, definitions
from repline.lexicons.neighbour_lists import read_neighbours
from repline.lexicons.unigrams import read_unigrams
from repline.lexicons.word_lists import read_word_list
from repline.segmentation.morphology import segmentation_files
from repline.systems.concreteness.ratings import read_ratings
from repline.systems.jet.name_sources import table_names
from repline.wrong_records import LeftOut

ROLES = json.dumps({"id": "a-1", "split": "train", "words": ["Dogs"], "props": [{"args": [["V", 0, 0]]}]})
ROLES_TWICE = json.dumps({"id": "a-2", "split": "train", "words": ["Dogs"], "props": [{"args": []}]})


class Case(NamedTuple):
    """A reader, the name of its file, right records, and one that is wrong with the line of it that is named.

    Attributes:
        wrong: empty where any line is a record.
        records: the first of them stands before the wrong one, the others behind it.
        by_line: whether a record is a line, so that one outside the encoding is left out alone.
        files: others in the folder.
    """

    name: str
    records: tuple[str, ...]
    wrong: str
    read: Callable[..., Any]
    by_line: bool = True
    files: tuple[tuple[str, str], ...] = ()


def of_file(read: Callable[..., Any], *arguments: Any, **settings: Any) -> Callable[..., Any]:
    return lambda path, **reading: read(path, *arguments, **settings, **reading)


def tokens_of_roles(path: Path, **reading: Any) -> list[Any]:
    return [sentence.tokens for sentence in read_role_files(path, **reading)]


def rows_of(read: Callable[..., Any]) -> Callable[..., Any]:
    """Rows without their numbers, which are those of lines."""
    return lambda path, **reading: [row[1:] for row in read(path, **reading)]


def of_folder(read: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    return lambda path, **reading: list(read(path.parent, *arguments, **reading))


def examples(path: Path, **reading: Any) -> list[Any]:
    return [example[:2] for example in read_benchmarks([path], ["mine"], **reading)["mine"].parts["all"]]


def counted(path: Path, **reading: Any) -> list[Any]:
    return read_unigrams(path, **reading).to_pylist()


def tags(path: Path, **reading: Any) -> dict[str, list[str]]:
    return read_tags(path.parent, ["a.png", "b.png"], **reading)


def classes(path: Path, **reading: Any) -> list[Any]:
    return read_classes(sorted(path.parent.iterdir()), str.split, **reading).to_pylist()


def ratings(path: Path, **reading: Any) -> list[Any]:
    return read_ratings(path, **reading).to_pylist()


def turns(path: Path, **reading: Any) -> list[Any]:
    return [conversation.turns for conversation in read_conversations(path, **reading)]


def gold_entities(path: Path, **reading: Any) -> list[Any]:
    return read_gold(path, **reading).tokens


def entity_names(path: Path, **reading: Any) -> list[Any]:
    return table_names(path, **reading).texts.to_pylist()


def translated(path: Path, **reading: Any) -> list[Any]:
    return [(pair.first, pair.second) for pair in read_translations(path, ["en", "de"], **reading)]


def aligned(path: Path, **reading: Any) -> list[Any]:
    return [text.texts for text in read_aligned(path.parent, ["en", "de"], "documents", **reading)]


def scored(path: Path, **reading: Any) -> list[Any]:
    table = read_scored_pairs(sorted(path.parent.iterdir()), str.split, **reading)
    return table.select(["tokens_a", "tokens_b", "score"]).to_pylist()


def tasks(path: Path, **reading: Any) -> list[Any]:
    return [
        (task.name, part.first, part.scores) for task in read_tasks([path], **reading) for part in task.parts.values()
    ]


CASES = {
    "definitions": Case(
        "a.tsv", ("dog\tan animal", "cat\ta pet"), "bird", of_file(definitions.read_definitions, str.split)
    ),
    "constraints": Case("a.txt", ("happy glad", "big large"), "one", constraints.read_pairs),
    "constraints of a language": Case(
        "a.txt",
        ("en_happy en_glad", "en_big en_large"),
        "happy en_glad",
        of_file(constraints.read_pairs, language="en"),
    ),
    "dictionary": Case("a.tsv", ("Hund\tdog", "Haus\thouse, home"), "Katze", bilingual_dictionary.read_dictionary),
    "neighbours": Case("a.txt", ("dog cat", "car bus"), "", read_neighbours),
    "words": Case("a.txt", ("dog", "cat"), "two words", read_word_list),
    "counted words": Case("a.txt", ("dog 3", "cat 5"), "bird many", read_word_list),
    "unigrams": Case("a.txt", ("dog 3", "cat 5"), "bird 0", counted),
    "characters": Case("a.tsv", ("国\t國\t国", "学\t學\t学"), "気\t氣", character_table.read_table),
    "morphs": Case("a.tsv", ("dogs\tdog s", "cats\tcat s"), "birds", of_file(segmentation_files.read, "en")),
    "candidates": Case("a.txt", ("dogs:dog-s", "cats: cat-s"), "birds", of_file(segmentation_files.read, "en")),
    "labels of morphs": Case(
        "a.tsv", ("evler\tev:ev ler:+PL", "ata\tat:at a:+DAT"), "kitap", segmentation_files.labels
    ),
    "word pairs": Case("a.txt", ("dog cat 3", "car bus 4.5"), "big large", benchmark_files.read_pairs),
    "word pairs as CSV": Case(
        "a.csv", ("word1,word2,similarity\ndog,cat,3", "car,bus,4.5"), "big,large,much", benchmark_files.read_pairs
    ),
    "analogies": Case("a.txt", (": s\na b c d", "e f g h"), "i j k", benchmark_files.read_analogies),
    "categories": Case(
        "a.csv", ("category,word\nanimal,dog", "animal,cat"), "animal,cat,more", benchmark_files.read_categories
    ),
    "synonyms": Case("a.tsv", ("big\tlarge\tred", "glad\thappy\tblue"), "sad\tunhappy", benchmark_files.read_synonyms),
    "outliers": Case("a.txt", ("a\nb\n\nc\n", "d\ne\n\nf\n"), "g\n\nh\n", benchmark_files.read_outliers, False),
    "own word pairs": Case(
        "a.tsv", ("dog\tcat\t3", "car\tbus\t4.5"), "big\tlarge", of_file(read_own_test, "similarity")
    ),
    "own word pairs with a head": Case(
        "a.csv", ("word1,word2,score\ndog,cat,3", "car,bus,4.5"), "big,large,much", read_own_test
    ),
    "own analogies": Case("a.txt", (": s\na b c d", "e f g h", "i j k l"), "i j k", read_own_test),
    "roles": Case("a.jsonl", (ROLES, ROLES.replace("a-1", "a-3")), ROLES_TWICE, tokens_of_roles),
    "roles in columns": Case(
        "train.props", ("Dogs bark (V*)\n", "They - (A0*)\nrun run (V*)\n"), "He run (A0*)\n", tokens_of_roles, False
    ),
    "captions": Case(
        "captions.tsv", ("a.png\tA dog .", "b.png\tA cat ."), "c.png", of_folder(read_captions, (0, 0), 0)
    ),
    "lists of pictures": Case(
        "train.txt",
        ("a.png", "b.png"),
        "c.png",
        of_folder(read_captions, (0, 0), 0),
        True,
        (("captions.tsv", "a.png\tA dog .\nb.png\tA cat .\n"), ("dev.txt", ""), ("test.txt", "")),
    ),
    "tags of pictures": Case("tags.tsv", ("a.png\tdog", "b.png\tcat"), "a.png\tcow", tags),
    "Flickr8k": Case(
        "Flickr8k.token.txt",
        ("a.jpg#0\tA dog .", "a.jpg#1\tA hound ."),
        "a.jpg\tA cat .",
        of_folder(read_flickr8k),
        True,
        (("Flickr_8k.trainImages.txt", "a.jpg\n"), ("Flickr_8k.devImages.txt", ""), ("Flickr_8k.testImages.txt", "")),
    ),
    "lists of Flickr8k": Case(
        "Flickr_8k.trainImages.txt",
        ("a.jpg", "b.jpg"),
        "a.jpg",
        of_folder(read_flickr8k),
        True,
        (
            ("Flickr8k.token.txt", "a.jpg#0\tA .\nb.jpg#0\tB .\n"),
            ("Flickr_8k.devImages.txt", ""),
            ("Flickr_8k.testImages.txt", ""),
        ),
    ),
    "labelled texts": Case("a.tsv", ("pos\tgood", "neg\tbad"), "pos", rows_of(read_labelled)),
    "labelled sentences": Case("mine.tsv", ("pos\tgood", "neg\tbad", "pos\tfine"), "neg\t", examples),
    "classes of sentences": Case(
        "mine.train.tsv",
        ("pos\tgood", "neg\tbad"),
        "pos",
        classes,
        True,
        (("mine.dev.tsv", "pos\tgood\n"), ("mine.test.tsv", "neg\tbad\n")),
    ),
    "ratings": Case("a.csv", ("word,concreteness\ndog,4.5", "love,1.5"), "cat,much", ratings),
    "conversations": Case(
        "a.jsonl", ('{"turns": ["Hi", "Hello"]}', '{"turns": ["So", "Yes"]}'), '{"turns": [""]}', turns
    ),
    "conversations of text": Case("a.txt", ("Hi\nHello\n", "So\nYes\n"), "", turns, False),
    "gold entities": Case(
        "a.iob2", ("1\tAnn\tB-PER\n", "1\tBob\tB-PER\n2\tran\tO\n"), "1\tCat\tB-PET\n", gold_entities, False
    ),
    "gazetteer": Case("a.tsv", ("Ann\tPERSON", "Bonn\tGPE"), "Bob\tPET", gazetteers.read),
    "names of entities": Case("a.tsv", ("bass\tbass_(fish)", "perch\tperch"), "a\tb\tc\td\te", entity_names),
    "translations": Case("a.tsv", ("1\ta\tA", "2\tb\tB"), "3\tc", translated),
    "translations as JSON": Case("a.jsonl", ('{"en": "a", "de": "A"}', '{"en": "b", "de": "B"}'), "[]", translated),
    "documents": Case("a.tsv", ("en\t1\tx\ta", "de\t1\tx\tA"), "de\t1\tx", aligned),
    "own pairs": Case(
        "train.tsv", ("sentence1\tsentence2\tlabel\na\tb\tyes", "c\td\tno"), "e\tf", rows_of(read_own_pairs)
    ),
    "scored pairs": Case("mine.pairs.tsv", ("a\tb\t3", "c\td\t4"), "e\tf\tmuch", scored),
    "scored pairs with an empty sentence": Case("mine.pairs.tsv", ("a\tb\t3", "c\td\t4"), "\tf\t5", scored),
    "pairs of a task": Case("mine.pairs.tsv", ("a\tb\t3", "c\td\t4"), "e\tf", tasks),
}


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    case = CASES[request.param]
    for name, text in case.files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return case, tmp_path / case.name


def test_a_wrong_record_stops_the_reading_or_is_left_out(case):
    case, path = case
    if not case.wrong:
        pytest.skip("any line is a record")
    path.write_text("\n".join([*case.records, ""]), encoding="utf-8")
    right = case.read(path)
    first, *others = case.records
    path.write_text("\n".join([first, case.wrong, *others, ""]), encoding="utf-8")
    line = 1 + len(first.split("\n"))
    with pytest.raises(InputError, match=rf"{path.name}, line {line}: "):
        case.read(path)
    left_out = LeftOut("salvage")
    assert case.read(path, on_error=left_out) == right
    assert left_out.counts() == {"wrong_records": 1}
    assert left_out.named[0].startswith(f"{path.name}, line {line}: ")
    assert case.read(path, on_error="salvage") == right


def test_a_line_outside_the_encoding_stops_the_reading_or_is_left_out(case):
    case, path = case
    if not case.by_line:
        pytest.skip("a record is several lines")
    path.write_text("\n".join([*case.records, ""]), encoding="utf-8")
    right = case.read(path)
    first, *others = case.records
    path.write_bytes(b"\n".join([first.encode(), b"caf\xe9", *(record.encode() for record in others), b""]))
    with pytest.raises(
        InputError, match=rf"line {1 + len(first.splitlines())}: expected UTF-8 text, found the byte 0xe9"
    ):
        case.read(path)
    left_out = LeftOut("salvage")
    assert case.read(path, on_error=left_out) == right
    assert left_out.reasons == {"no UTF-8 text": 1}


def test_every_reader_reads_other_encodings(case):
    case, path = case
    text = "\n".join([*case.records, ""])
    path.write_text(text, encoding="utf-8")
    right = case.read(path)
    for name, content in (*case.files, (path.name, text)):
        (path.parent / name).write_text(content, encoding="utf-16-le")
    assert case.read(path, encoding="utf-16-le") == right


@pytest.mark.parametrize("name", ["conversations of text", "gold entities", "roles in columns"])
def test_a_record_of_several_lines_is_left_out_where_one_is_outside_the_encoding(tmp_path, name):
    case = CASES[name]
    path = tmp_path / case.name
    path.write_text("\n".join(case.records), encoding="utf-8")
    right = case.read(path)
    first, *others = case.records
    wrong = first.encode() + b"caf\xe9\n"
    path.write_bytes(b"\n".join([first.encode(), wrong, *(record.encode() for record in others), wrong]))
    with pytest.raises(InputError, match=r"line \d: expected UTF-8 text"):
        case.read(path)
    left_out = LeftOut("salvage")
    assert case.read(path, on_error=left_out) == right
    assert left_out.reasons == {"no UTF-8 text": 2}


def test_semeval_pairs_with_a_wrong_line_or_score_are_left_out(tmp_path):
    sentences, scores = tmp_path / "STS.input.news.txt", tmp_path / "STS.gs.news.txt"
    sentences.write_bytes(b"a\tb\nonly one\ncaf\xe9\tx\nc\td\ne\tf\n")
    scores.write_text("1\n2\n3\nmuch\n5\n")
    with pytest.raises(InputError, match=r"STS\.input\.news\.txt, line 2: expected 2 fields"):
        scored(sentences)
    left_out = LeftOut("salvage")
    rows = scored(sentences, on_error=left_out)
    assert [(row["tokens_a"], row["score"]) for row in rows] == [(["a"], 1.0), (["e"], 5.0)]
    assert left_out.reasons.total() == 3
    assert [problem.partition(": ")[0] for problem in left_out.named] == [
        "STS.input.news.txt, line 2", "STS.input.news.txt, line 3", "STS.gs.news.txt, line 4"
    ]  # fmt: skip


def test_pictures_of_multi30k_without_a_name_are_left_out(tmp_path):
    for stem, names in (("train", "a\n\nc\n"), ("val", "d\n"), ("test_2016", "e\n")):
        listed = "test_2016_flickr.txt" if stem == "test_2016" else f"{stem}.txt"
        (tmp_path / listed).write_text(names)
        for number in range(1, 6):
            (tmp_path / f"{stem}.{number}.en").write_text("A dog .\n" * len(names.splitlines()))
    left_out = LeftOut("salvage")
    assert [picture.name for picture in read_multi30k(tmp_path, on_error=left_out)] == ["a", "c", "d", "e"]
    assert left_out.named == ["train.txt, line 2: expected the name of a picture, found nothing"]


def test_an_entry_of_freedict_outside_its_dictionary_is_left_out(tmp_path):
    (tmp_path / "a.dict").write_bytes("Hund\ndog\nKälte\ncold\n".encode("latin-1"))
    (tmp_path / "a.index").write_text("Haus\tB\t/\nHund\tA\tI\nKälte\tJ\tK\n", encoding="utf-8")
    left_out = LeftOut("salvage")
    assert bilingual_dictionary.read_dictionary(tmp_path, on_error=left_out) == [("hund", "dog")]
    assert left_out.reasons == {"an entry beyond the end": 1, "no UTF-8 text": 1}
    with pytest.raises(InputError, match=r"a\.index, line 1: the entry of 'Haus' lies beyond the end"):
        bilingual_dictionary.read_dictionary(tmp_path)


@pytest.mark.parametrize("wrong_side", ["en", "de"])
@pytest.mark.parametrize("wrong_line", [0, 1, 2])
def test_a_pair_of_lines_with_one_outside_the_encoding_is_left_out(tmp_path, wrong_side, wrong_line):
    for side in ("en", "de"):
        lines = [f"{side} {number}".encode() for number in range(3)]
        if side == wrong_side:
            lines[wrong_line] = b"caf\xe9"
        (tmp_path / f"a.{side}.txt").write_bytes(b"\n".join([*lines, b""]))
    right = [(f"en {number}", f"de {number}") for number in range(3) if number != wrong_line]
    left_out = LeftOut("salvage")
    assert translated(tmp_path, on_error=left_out) == right
    texts = [text.texts for text in read_aligned(tmp_path, ["en", "de"], on_error=left_out)]
    assert [(text["en"], text["de"]) for text in texts] == right
    assert left_out.reasons == {"no UTF-8 text": 2}
    for read in (read_translations, read_aligned):
        with pytest.raises(InputError, match=rf"line {wrong_line + 1}: expected UTF-8 text"):
            list(read(tmp_path, ["en", "de"]))


def test_a_table_of_scored_pairs_may_have_a_head(tmp_path):
    path = tmp_path / "mine.pairs.tsv"
    path.write_text("score\tsentence1\tsentence2\n3\ta\tb\n", encoding="utf-8")
    assert scored(path) == [{"tokens_a": ["a"], "tokens_b": ["b"], "score": 3.0}]
    path.write_text("label\tsentence1\tsentence2\nyes\ta\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected a head with sentence1, sentence2 and score"):
        scored(path)
