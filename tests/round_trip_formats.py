"""Formats of files and what they may hold, for Hypothesis: records are written as a format's page says, and read."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from repline.corpora.captions.caption_table import read_table as read_captions
from repline.corpora.dialogue.turns import read_own as read_conversations
from repline.corpora.entities import gazetteers
from repline.corpora.entities.entity_types import TYPES
from repline.corpora.entities.gold_entities import read_gold
from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.translations import read_translations
from repline.corpora.scenes.scene import RELATIONS
from repline.corpora.scenes.scene_files import read_scenes
from repline.corpora.sentence_pairs import pair_tables
from repline.corpora.sentence_pairs.community_questions import read_questions
from repline.corpora.srl.role_files import read_role_files
from repline.evaluation.word_vectors import benchmark_files
from repline.evaluation.word_vectors.own_tests import read_own
from repline.graphs.graph_files import read_graph
from repline.lexicons import bilingual_dictionary, character_table, constraints, definitions
from repline.lexicons.hanzi.cc_cedict import read_cc_cedict
from repline.lexicons.hanzi.components import read_components
from repline.lexicons.neighbour_lists import read_neighbours
from repline.lexicons.unigrams import read_unigrams
from repline.lexicons.word_lists import read_word_list
from repline.reading import conllu
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import numbered_lines
from repline.segmentation.morphology import segmentation_files
from repline.systems.concreteness.ratings import read_ratings
from repline.systems.image_lexicon.image_words import read_lists
from repline.systems.visual_characters.tagging.tagged_text import read_tagged
from repline.systems.visual_characters.translation.translation_pairs import read_pairs
from repline.vectors.formats.readers import read as read_vectors

LETTERS = st.characters(categories=("Lu", "Ll", "Lo", "Nd"), exclude_characters="\u3164\uffa0")
WORDS = st.text(LETTERS | st.sampled_from("-'.é詩"), min_size=1, max_size=8).map(clean_text)  # as they are read
LOWER = st.text(st.sampled_from("abcdefgéßñ詩-"), min_size=1, max_size=8).filter(lambda word: word.strip("-"))
HAN = st.text(st.sampled_from("詩人我来好国東京"), min_size=1, max_size=4)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
MARKUP = st.text(st.sampled_from("ab<>&'\"é詩;,[]{}#"), min_size=1, max_size=8)
MARKED_TEXTS = st.lists(MARKUP, min_size=1, max_size=3).map(" ".join)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
EN_DE = ["en", "de"]


class Format(NamedTuple):
    """A format of files.

    Attributes:
        records: what its files may hold.
        files: the files of some records, name -> text.
        read: the records of a folder.
    """

    records: SearchStrategy[list[Any]]
    files: Callable[[list[Any]], Mapping[str, str]]
    read: Callable[[Path], list[Any]]


def rows(*columns: SearchStrategy[Any], unique_by: Callable[[Any], Any] | None = None) -> SearchStrategy[list[Any]]:
    return st.lists(st.tuples(*columns), min_size=1, max_size=5, unique_by=unique_by)


def first_of(row: Sequence[Any]) -> Any:
    return row[0]


def a_line_each(
    name: str,
    records: SearchStrategy[list[Any]],
    write: Callable[[Any], str],
    read: Callable[[Path], Any],
    head: str = "",
) -> Format:
    """One file with a record on each line, perhaps below a head."""
    return Format(
        records,
        lambda records: {name: head + "".join(f"{write(record)}\n" for record in records)},
        lambda folder: list(read(folder / name)),
    )


def tabs(record: Any) -> str:
    return "\t".join(map(str, record))


def blanks(record: Any) -> str:
    return " ".join(map(str, record))


def comma_separated(record: Any) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(record)
    return line.getvalue()


def json_of(*names: str) -> Callable[[Any], str]:
    return lambda record: json.dumps(dict(zip(names, record, strict=True)))


def sides(records: list[Any]) -> dict[str, str]:
    return {f"a.{code}.txt": "".join(f"{pair[side]}\n" for pair in records) for side, code in enumerate(EN_DE)}


def memory(records: list[Any]) -> dict[str, str]:
    units = "".join(
        f"<tu tuid={quoteattr(str(number))}>"
        + "".join(
            f"<tuv xml:lang='{code}'><seg>{escape(text)}</seg></tuv>" for code, text in zip(EN_DE, pair, strict=True)
        )
        + "</tu>\n"
        for number, pair in enumerate(records, 1)
    )
    return {"a.tmx": f"<tmx version='1.4'><body>\n{units}</body></tmx>\n"}


def translated(folder: Path) -> list[Any]:
    return [(pair.first, pair.second) for pair in read_translations(folder, EN_DE, head="no")]


def documents(folder: Path) -> list[Any]:
    texts = read_aligned(folder, EN_DE, "documents")
    return [(code, row.document, row.label, text) for row in texts for code, text in row.texts.items()]


def treebank(records: list[Any]) -> dict[str, str]:
    def word(number: int, form: str, tag: str) -> str:
        return f"{number}\t{form}\t{form}\t{tag}\t_\t_\t{number - 1}\tdep\t_\t_\n"

    sentences = ("".join(word(number, *pair) for number, pair in enumerate(words, 1)) for words in records)
    return {"a.conllu": "".join(f"{sentence}\n" for sentence in sentences)}


def sentences_of_treebank(folder: Path) -> list[Any]:
    sentences = conllu.read([folder / "a.conllu"])
    assert all(sentence["head"] == list(range(-1, len(sentence["tokens"]) - 1)) for sentence in sentences)
    return [list(zip(row["tokens"], row["pos"], strict=True)) for row in conllu.read([folder / "a.conllu"])]


def columns_of_entities(records: list[Any]) -> dict[str, str]:
    lines = ("".join(f"{number}\t{word}\tB-PER\n" for number, word in enumerate(words, 1)) for words in records)
    return {"a.iob2": "\n".join(lines)}


def graph_names(folder: Path) -> list[Any]:
    graph = read_graph(folder, head="no")
    names = graph.entities, graph.relations, graph.entities
    return [tuple(part[number] for part, number in zip(names, row, strict=True)) for row in graph.triples.tolist()]


def graph_numbers(folder: Path) -> list[Any]:
    numbers, graph = read_graph(folder, head="no").numbers, read_graph(folder, head="no")
    return [
        (graph.entities[entity], graph.attributes[attribute], value)
        for entity, attribute, value in zip(
            numbers.entity.tolist(), numbers.attribute.tolist(), numbers.value.tolist(), strict=True
        )
    ]


def numbers_of_a_graph(records: list[Any]) -> dict[str, str]:
    triples = "".join(f"{name}\tis\t{name}\n" for name, _, _ in records)
    return {"train.tsv": triples, "numbers.tsv": "".join(f"{tabs(record)}\n" for record in records)}


def numbered_graph(records: list[Any]) -> dict[str, str]:
    def counted(lines: list[str]) -> str:
        return f"{len(lines)}\n" + "".join(f"{line}\n" for line in lines)

    names = [*dict.fromkeys(name for head, _, tail in records for name in (head, tail))]
    relations = [*dict.fromkeys(relation for _, relation, _ in records)]
    ids = [f"{names.index(head)} {names.index(tail)} {relations.index(name)}" for head, name, tail in records]
    return {
        "entity2id.txt": counted([f"{name}\t{number}" for number, name in enumerate(names)]),
        "relation2id.txt": counted([f"{name}\t{number}" for number, name in enumerate(relations)]),
        "train2id.txt": counted(ids),
    }


def captioned(records: list[Any]) -> dict[str, str]:
    return {
        "captions.tsv": "".join(f"{tabs(record)}\n" for record in records),
        "train.txt": "".join(f"{name}\n" for name, _ in records),
        "dev.txt": "",
        "test.txt": "",
    }


def scene(records: list[Any]) -> dict[str, str]:
    words = "".join(
        f"{row}\t{word}\t{word}\tNN\tNN\tO\t{row - 1}\tdep\t{word}\n" for row, word in enumerate(records, 1)
    )
    triplets = "".join(f"{word}\t${next(iter(RELATIONS))}$\t{records[0]}\n" for word in records)
    return {"a.train.txt": words, "a.train_context.txt": triplets}


def words_of_scene(folder: Path) -> list[Any]:
    (only,) = read_scenes(folder)
    assert [(argument, predicate) for argument, _, predicate in only.triplets] == [
        (word.references[0], only.sentences[0].words[0].form) for word in only.sentences[0].words
    ]
    return [word.form for word in only.sentences[0].words]


def role_sentences(records: list[Any]) -> dict[str, str]:
    lines = (
        json.dumps({"id": f"a-{number}", "words": words, "props": [{"args": [["V", 0, 0]]}]})
        for number, words in enumerate(records, 1)
    )
    return {"train.jsonl": "".join(f"{line}\n" for line in lines)}


def role_columns(records: list[Any]) -> dict[str, str]:
    sentences = (
        "".join(f"{word} {'-' if row else word} {'*' if row else '(V*)'}\n" for row, word in enumerate(words))
        for words in records
    )
    return {"train.props": "\n".join(sentences)}


def words_with_roles(folder: Path) -> list[Any]:
    return [list(sentence.tokens) for sentence in read_role_files(folder)]


def question_threads(records: list[Any]) -> dict[str, str]:
    threads = "".join(
        f'<OrgQuestion ORGQ_ID="{number}"><OrgQSubject>{escape(first)}</OrgQSubject><Thread><RelQuestion '
        f'RELQ_ID="{number}" RELQ_RELEVANCE2ORGQ="Relevant"><RelQSubject>{escape(second)}</RelQSubject></RelQuestion>'
        "</Thread></OrgQuestion>\n"
        for number, (first, second) in enumerate(records)
    )
    return {"a.xml": f"<xml>\n{threads}</xml>\n"}


def pairs_of(read: Callable[..., Any], *columns: str) -> Callable[[Path], list[Any]]:
    return lambda path: [tuple(getattr(pair, column) for column in columns) for pair in read(path)]


FORMATS = {
    "lines": a_line_each("a.txt", st.lists(TEXTS), str, lambda path: (line for _, line in numbered_lines(path))),
    "labelled texts": a_line_each(
        "a.tsv", rows(WORDS, TEXTS), tabs, lambda path: ((row.label, row.text) for row in read_table(path, head="no"))
    ),
    "labelled texts below a head": a_line_each(
        "a.tsv",
        rows(TEXTS, st.sampled_from(["train", "dev", "test"]), WORDS),
        tabs,
        lambda path: ((row.text, row.part, row.label) for row in read_table(path)),
        "text\tpart\tlabel\n",
    ),
    "labelled texts as JSON": a_line_each(
        "a.jsonl",
        rows(WORDS, MARKED_TEXTS),
        json_of("label", "text"),
        lambda path: ((row.label, row.text) for row in read_table(path)),
    ),
    "translations": Format(
        rows(TEXTS, TEXTS),
        lambda records: {"a.tsv": "".join(f"{n}\t{tabs(pair)}\n" for n, pair in enumerate(records, 1))},
        translated,
    ),
    "translations as JSON": Format(
        rows(MARKED_TEXTS, MARKED_TEXTS),
        lambda records: {"a.jsonl": "".join(f"{json_of(*EN_DE)(pair)}\n" for pair in records)},
        translated,
    ),
    "translations side by side": Format(rows(TEXTS, TEXTS), sides, translated),
    "translation memories": Format(rows(MARKED_TEXTS, MARKED_TEXTS), memory, translated),
    "documents in several languages": Format(
        rows(st.sampled_from(EN_DE), WORDS, WORDS, TEXTS),
        lambda records: {"a.tsv": "".join(f"{tabs(record)}\n" for record in records)},
        documents,
    ),
    "treebanks": Format(
        st.lists(rows(WORDS, st.sampled_from(["NOUN", "VERB"])), min_size=1, max_size=4),
        treebank,
        sentences_of_treebank,
    ),
    "entities in columns": Format(
        st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=4),
        columns_of_entities,
        lambda folder: read_gold(folder).tokens,
    ),
    "gazetteers": a_line_each(
        "a.tsv",
        rows(WORDS, st.sampled_from(sorted(TYPES)), unique_by=first_of),
        tabs,
        lambda path: ((entry.name, entry.label) for entry in gazetteers.read(path)),
    ),
    "pairs of sentences": a_line_each(
        "a.tsv",
        rows(TEXTS, TEXTS, WORDS, NUMBERS),
        tabs,
        pairs_of(pair_tables.read_own, "first", "second", "label", "score"),
        "sentence1\tsentence2\tlabel\tscore\n",
    ),
    "SICK": a_line_each(
        "a.txt",
        rows(WORDS, TEXTS, TEXTS, NUMBERS, st.sampled_from(pair_tables.INFERENCE)),
        lambda row: tabs([*row[:4], row[4].upper()]),
        pairs_of(pair_tables.read_sick, "id", "first", "second", "score", "label"),
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n",
    ),
    "questions as CSV": a_line_each(
        "a.csv",
        rows(MARKED_TEXTS, MARKED_TEXTS),
        lambda pair: comma_separated([1, 2, 3, *map(escape, pair), 1]),
        pairs_of(read_questions, "first", "second"),
        "id,question1_id,question2_id,question1,question2,relevance\n",
    ),
    "questions as XML": Format(
        rows(MARKED_TEXTS, MARKED_TEXTS),
        question_threads,
        lambda folder: pairs_of(read_questions, "first", "second")(folder / "a.xml"),
    ),
    "scores of pairs of words": a_line_each(
        "a.tsv",
        rows(WORDS, WORDS, NUMBERS),
        tabs,
        lambda path: ((*words, score) for words, score in zip(*read_own(path, "similarity")[1], strict=True)),
    ),
    "scores of pairs of words as CSV": a_line_each(
        "a.csv",
        rows(WORDS, WORDS, NUMBERS),
        comma_separated,
        lambda path: ((*words, score) for words, score in zip(*benchmark_files.read_pairs(path), strict=True)),
        "word1,word2,similarity\n",
    ),
    "analogies": a_line_each(
        "a.txt",
        rows(WORDS, WORDS, WORDS, WORDS),
        blanks,
        lambda path: benchmark_files.read_analogies(path)[0],
        ": section\n",
    ),
    "synonym questions": a_line_each("a.txt", rows(TEXTS, TEXTS, TEXTS), tabs, benchmark_files.read_synonyms),
    "triples": Format(
        rows(WORDS, WORDS, WORDS, unique_by=tuple),
        lambda records: {"train.tsv": "".join(f"{tabs(record)}\n" for record in records)},
        graph_names,
    ),
    "triples of ids": Format(rows(WORDS, WORDS, WORDS, unique_by=tuple), numbered_graph, graph_names),
    "numbers of a graph": Format(rows(WORDS, WORDS, NUMBERS, unique_by=first_of), numbers_of_a_graph, graph_numbers),
    "dictionaries": a_line_each(
        "a.tsv", rows(LOWER, LOWER, unique_by=tuple), tabs, bilingual_dictionary.read_dictionary
    ),
    "definitions": a_line_each(
        "a.tsv",
        rows(LOWER, st.lists(LOWER, min_size=1, max_size=3), unique_by=first_of),
        lambda row: f"{row[0]}\t{' '.join(row[1])}",
        lambda path: definitions.read_definitions(path, str.split).items(),
    ),
    "constraints": a_line_each(
        "a.txt",
        rows(LOWER, LOWER, unique_by=lambda pair: frozenset(pair)).filter(lambda pairs: all(a < b for a, b in pairs)),
        blanks,
        constraints.read_pairs,
    ),
    "neighbour lists": a_line_each(
        "a.txt",
        rows(LOWER, st.lists(st.text("xyz", min_size=1), min_size=1, max_size=3, unique=True), unique_by=first_of),
        lambda row: blanks([row[0], *row[1]]),
        lambda path: read_neighbours(path).items(),
    ),
    "word lists": a_line_each("a.txt", st.lists(WORDS, min_size=1, unique=True), str, read_word_list),
    "counts": a_line_each(
        "a.txt",
        rows(WORDS, st.integers(1, 10**9), unique_by=first_of),
        blanks,
        lambda path: ((row["word"], row["count"]) for row in read_unigrams(path).to_pylist()),
    ),
    "corresponding characters": a_line_each(
        "a.tsv",
        rows(*[st.sampled_from("詩人我来好国東京")] * 3, unique_by=first_of),
        tabs,
        lambda path: ((row.kanji, *row.traditional, *row.simplified) for row in character_table.read_table(path)),
    ),
    "components of characters": a_line_each(
        "a.txt",
        rows(st.sampled_from("詩人我来"), st.sampled_from("言寺"), st.sampled_from("言寺"), unique_by=first_of),
        blanks,
        lambda path: ((character, *parts) for character, parts in read_components(path).items()),
    ),
    "CC-CEDICT": a_line_each(
        "a.txt",
        rows(HAN, HAN, st.sampled_from(["ai4", "guo2 jia1"]), LOWER),
        lambda row: "{} {} [{}] /{}/".format(*row),
        lambda path: ((*entry[:3], *entry.meanings) for entry in read_cc_cedict(path)),
    ),
    "segmented words": a_line_each(
        "a.txt",
        rows(st.sampled_from(["dog", "cat", "cow", "ape"]), unique_by=first_of),
        lambda row: f"{row[0]}s\t{row[0]} s",
        lambda path: ((morphs[0],) for (morphs, *_) in segmentation_files.read(path, "en").values()),
    ),
    "ratings": a_line_each(
        "a.csv",
        rows(WORDS, NUMBERS, NUMBERS),
        comma_separated,
        lambda path: (
            (row["word"], row["concreteness"], row["imageability"]) for row in read_ratings(path).to_pylist()
        ),
        "word,concreteness,imageability\n",
    ),
    "captions": Format(
        rows(LOWER, TEXTS, unique_by=first_of),
        captioned,
        lambda folder: [(row.name, *row.captions) for row in read_captions(folder, (0.1, 0.1), 0)],
    ),
    "scenes": Format(st.lists(LOWER, min_size=1, max_size=4, unique=True), scene, words_of_scene),
    "roles": Format(
        st.lists(st.lists(MARKUP, min_size=1, max_size=4), min_size=1, max_size=4), role_sentences, words_with_roles
    ),
    "roles in columns": Format(
        st.lists(st.lists(LOWER, min_size=1, max_size=4), min_size=1, max_size=4), role_columns, words_with_roles
    ),
    "conversations": a_line_each(
        "a.jsonl",
        st.lists(st.lists(MARKED_TEXTS, min_size=2, max_size=3), min_size=1, max_size=3),
        lambda turns: json.dumps({"turns": turns}),
        lambda path: ([turn.text for turn in talk.turns] for talk in read_conversations(path)),
    ),
    "conversations of text": a_line_each(
        "a.txt",
        st.lists(st.lists(TEXTS, min_size=2, max_size=3), min_size=1, max_size=3),
        lambda turns: "".join(f"{turn}\n" for turn in turns),
        lambda path: ([turn.text for turn in talk.turns] for talk in read_conversations(path)),
    ),
    "words of pictures": Format(
        rows(LOWER.map(str.casefold), LOWER.map(str.casefold), st.sampled_from(["N", "V", "A"])),
        lambda records: {"de_en.txt": "".join(f"{tabs(record)}\n" for record in records)},
        lambda folder: [(*entry[:2], entry.pos[0].upper()) for entry in read_lists(folder)["en"].entries],
    ),
    "tagged text": a_line_each(
        "a.txt",
        st.lists(rows(HAN, st.sampled_from("nv")), min_size=1, max_size=3),
        lambda sentence: blanks("/".join(pair) for pair in sentence),
        read_tagged,
    ),
    "pairs of English and Chinese": a_line_each(
        "a.tsv",
        rows(st.text(st.sampled_from("abcdefgé"), min_size=1), HAN),
        tabs,
        lambda path: ((" ".join(pair.target), pair.source) for pair in read_pairs(path)),
    ),
    "vectors": a_line_each(
        "a.txt",
        rows(WORDS, st.floats(-9, 9, width=32), st.floats(-9, 9, width=32), unique_by=first_of),
        blanks,
        lambda path: ((word, *row) for word, row in zip(*map(list, vector_rows(path)), strict=True)),
    ),
}


def vector_rows(path: Path) -> tuple[Sequence[str], list[list[float]]]:
    words, vectors = read_vectors(path)[:2]
    return words, vectors.tolist()
