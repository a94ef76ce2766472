"""Readers of text, each with a file of right records and one that is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from repline.corpora.captions.caption_table import read_table as read_captions
from repline.corpora.captions.caption_table import read_tags
from repline.corpora.captions.flickr8k import read_flickr8k
from repline.corpora.dialogue.turns import read_own as read_conversations
from repline.corpora.entities import gazetteers
from repline.corpora.entities.gold_entities import read_gold
from repline.corpora.labelled.collections.benchmarks import read_benchmarks
from repline.corpora.labelled.collections.bible_chapters import BOOKS, GENRES, VERSES, read_verses
from repline.corpora.labelled.collections.dialogues import SGD, read_sgd
from repline.corpora.labelled.collections.labelled_tsv import read_table as read_labelled
from repline.corpora.labelled.collections.newsgroups import read_newsgroups
from repline.corpora.labelled.collections.reviews import read_cad_sentiment
from repline.corpora.labelled.labelled_sentences import read_labelled as read_classes
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.translations import read_translations
from repline.corpora.sentence_pairs.pair_tables import read_own as read_own_pairs
from repline.corpora.sentence_pairs.scored_pairs import read_pairs as read_scored_pairs
from repline.corpora.srl.role_files import read_role_files
from repline.evaluation.sentences.task_files import read_tasks
from repline.evaluation.word_vectors import benchmark_files
from repline.evaluation.word_vectors.own_tests import read_own as read_own_test
from repline.lexicons import bilingual_dictionary, character_table, constraints, definitions
from repline.lexicons.hanzi.cc_cedict import read_cc_cedict
from repline.lexicons.hanzi.components import read_components
from repline.lexicons.neighbour_lists import read_neighbours
from repline.lexicons.unigrams import read_unigrams
from repline.lexicons.word_lists import read_word_list
from repline.segmentation.morphology import segmentation_files
from repline.systems.concreteness.ratings import read_ratings
from repline.systems.image_lexicon.image_words import read_lists
from repline.systems.jet.entity_pairs import read_entity_pairs
from repline.systems.jet.gold_mentions import read_mentions
from repline.systems.jet.name_sources import table_names
from repline.systems.rrnet.math_expressions import write_own_expressions
from repline.systems.rrnet.propositional_logic import write_own_pairs
from repline.systems.urn.dyck import read_own_strings
from repline.systems.visual_characters.tagging.tagged_text import read_tagged
from repline.systems.visual_characters.translation.translation_pairs import read_pairs as read_translation_pairs

ROLES = json.dumps({"id": "a-1", "split": "train", "words": ["Dogs"], "props": [{"args": [["V", 0, 0]]}]})
ROLES_TWICE = json.dumps({"id": "a-2", "split": "train", "words": ["Dogs"], "props": [{"args": []}]})


TURN = {"speaker": "USER", "utterance": "Hi", "frames": []}
DIALOGUE = json.dumps({"dialogue_id": "1", "turns": [TURN, {"speaker": "SYSTEM"}]})


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


def texts(read: Callable[..., Any]) -> Callable[..., Any]:
    return lambda path, **reading: [document.text for document in read(path.parent, **reading)]


def strings_of_brackets(path: Path, **reading: Any) -> list[Any]:
    return read_own_strings(path, **reading).tolist()


def written(write: Callable[..., int]) -> Callable[..., Any]:
    def read(path: Path, **reading: Any) -> list[Any]:
        with TemporaryDirectory() as folder:
            write(path, Path(folder), **reading)
            return pq.read_table(Path(folder) / "train.parquet").to_pylist()

    return read


def entries(path: Path, **reading: Any) -> list[Any]:
    return list(read_cc_cedict(path, **reading))


def words_of_pictures(path: Path, **reading: Any) -> list[Any]:
    return read_lists(path.parent, **reading)["en"].entries


def verses(path: Path, **reading: Any) -> list[Any]:
    return list(read_verses(path.parent, **reading))


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
    "reviews": Case(
        "orig_train.tsv",
        ("Positive\tgood", "Negative\tbad"),
        "Neutral\tso",
        texts(read_cad_sentiment),
        True,
        (("orig_dev.tsv", ""), ("orig_test.tsv", "")),
    ),
    "newsgroups": Case(
        "20news-bydate-train.jsonl",
        ('{"label": "a.b", "text": "x\\n\\ny"}', '{"label": "a.c", "text": "x\\n\\nz"}'),
        '{"label": "a.b"}',
        texts(read_newsgroups),
        True,
        (("20news-bydate-test.jsonl", ""),),
    ),
    "dialogues": Case(SGD, (DIALOGUE, DIALOGUE), '{"turns": 3}', texts(read_sgd)),
    "own pairs": Case(
        "train.tsv", ("sentence1\tsentence2\tlabel\na\tb\tyes", "c\td\tno"), "e\tf", rows_of(read_own_pairs)
    ),
    "scored pairs": Case("mine.pairs.tsv", ("a\tb\t3", "c\td\t4"), "e\tf\tmuch", scored),
    "scored pairs with an empty sentence": Case("mine.pairs.tsv", ("a\tb\t3", "c\td\t4"), "\tf\t5", scored),
    "brackets": Case("a.txt", ("([])", "{<>}"), "([)]", strings_of_brackets),
    "expressions": Case("a.txt", ("((9+8)-3)", "((9*9)-8)"), "((9+8)", written(write_own_expressions)),
    "values of expressions": Case("a.txt", ("((9+8)-3)\t14", "((9*9)-8)"), "(9+8)\t18", written(write_own_expressions)),
    "formulas": Case("a.txt", ("a\t( a ( or b ) )", "c\td"), "c\t( d", written(write_own_pairs)),
    "entries of CC-CEDICT": Case("a.txt", ("愛 爱 [ai4] /love/", "國 国 [guo2] /land/"), "愛 爱 love", entries),
    "components": Case("a.txt", ("明 日 月", "林 木 木"), "林木", read_components),
    "compositions": Case("a.txt", ("明:a(日,月)", "林:a(木,木)"), "林木 木", read_components),
    "words of pictures": Case("de_en.txt", ("hund\tdog\tN", "rot\tred\tA"), "brot\tbread\tX", words_of_pictures),
    "tagged text": Case("a.txt", ("我/r 来/v", "好/a"), "好 a", read_tagged),
    "English and Chinese": Case("a.tsv", ("dog\t狗", "cat\t猫"), "bird", read_translation_pairs),
    "verses": Case(
        VERSES,
        ("id,b,c,v,t\n1001001,1,1,1,In the beginning", "1001002,1,1,2,And the earth"),
        "1001003,1,1",
        verses,
        True,
        ((BOOKS, "b,n,t,g\n1,Genesis,OT,1\n"), (GENRES, "g,n\n1,Law\n")),
    ),
    "entities with scores": Case(
        "a.tsv",
        ("Term1\tTerm2\tString1\tString2\tMean\nQ1\tQ2\tbass\tperch\t4", "Q1\tQ3\tbass\tdrum\t1"),
        "Q1\tQ4\tbass\tcat\tmuch",
        lambda path, **reading: read_entity_pairs(path, **reading).names,
    ),
    "mentions": Case("a.tsv", ("bass\tQ1\tin the sea", "bass\tQ2\ton a stage"), "bass\tQ1", read_mentions),
    "pairs of a task": Case("mine.pairs.tsv", ("a\tb\t3", "c\td\t4"), "e\tf", tasks),
}
