"""Every reader of text files with files that it reads, for tests of what they all have in common, and for fuzzing."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.captions.caption_table import read_table, read_tags
from repline.corpora.dialogue.turns import read_own as read_conversations
from repline.corpora.entities import gazetteers
from repline.corpora.entities.gold_entities import read_gold as read_gold_entities
from repline.corpora.freebase.type_map import WORDNET, read_type_map
from repline.corpora.gold_words import read_gold
from repline.corpora.labelled.collections.benchmarks import read_benchmarks
from repline.corpora.labelled.collections.labelled_tsv import read_table as read_labelled_table
from repline.corpora.labelled.collections.newsgroups import read_newsgroups
from repline.corpora.labelled.collections.reviews import read_cad_sentiment, read_chinese_reviews
from repline.corpora.labelled.labelled_sentences import read_labelled
from repline.corpora.language_modeling.text_sources import read_sentences
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.tmx import read_tmx
from repline.corpora.parallel.translations import read_translations
from repline.corpora.segmented_text import groups_of_lines, text_files
from repline.corpora.sentence_pairs import pair_tables
from repline.corpora.sentence_pairs.community_questions import read_questions
from repline.corpora.sentence_pairs.scored_pairs import read_pairs as read_scored_pairs
from repline.corpora.srl.role_files import read_role_files
from repline.evaluation.sentences.task_files import read_tasks
from repline.evaluation.word_vectors import benchmark_files, own_tests
from repline.graphs.graph_files import read_graph
from repline.lexicons import (
    bilingual_dictionary,
    character_table,
    constraints,
    definitions,
    neighbour_lists,
    unigrams,
    word_lists,
)
from repline.lexicons.hanzi.cc_cedict import read_cc_cedict
from repline.lexicons.wordnet import storage as wordnet_files
from repline.reading import conllu
from repline.reading.wrong_records import LeftOut
from repline.segmentation.morphology import segmentation_files
from repline.systems.concreteness.ratings import read_ratings
from repline.systems.image_lexicon.image_words import read_lists
from repline.systems.jet.name_sources import table_names
from repline.systems.rnn_cnn.ordered_text import read_documents
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.urn import dyck
from repline.systems.visual_characters.tagging.tagged_text import read_tagged
from repline.systems.visual_characters.translation.translation_pairs import read_pairs as read_translation_pairs
from repline.vectors.formats.readers import read as read_vectors
from repline.vectors.formats.table_format import read_words as read_words_of_table


class Reader(NamedTuple):
    """A reader of text: its files, the function that reads their folder, and what the files are made of.

    Attributes:
        files: name -> content; no word or number stands in two records, where the format lets it.
        read: gives the records that are read, as values that can be compared. The record of a line, or of lines that
            belong together, hangs on these lines alone.
        separator: between the fields of a line, where a line is a row of a table; None elsewhere.
        by_blank_lines: whether a blank line parts what is read.
        comments: what a line begins with that says nothing; empty where every line says something.
    """

    files: dict[str, str]
    read: Callable[[Path], list[Any]]
    separator: str | None = None
    by_blank_lines: bool = False
    comments: str = ""

    def contents(self) -> dict[str, bytes]:
        return {name: text.encode() for name, text in self.files.items()}


def file_reader(name: str, text: str, read: Callable[[Path], Any], *more: Any) -> Reader:
    return Reader({name: text}, lambda folder: records(read(next(folder.iterdir()))), *more)


def records(value: pa.Table | Mapping[str, Any] | Iterable[Any]) -> list[Any]:
    """The rows of a table, the items of a mapping, or what there is to iterate."""
    if isinstance(value, pa.Table):
        return value.to_pylist()
    return list(value.items() if isinstance(value, Mapping) else value)


def with_notes(read: Callable[[LeftOut], Any]) -> list[Any]:
    """The records, and what the account of those that are left out says of them."""
    left_out = LeftOut()
    return [*records(read(left_out)), *notes_of_records(left_out.notes())]


def notes_of_records(notes: Iterable[str]) -> list[str]:
    """What notes say of records, without the characters that were taken out of these."""
    return [note for note in notes if not note.startswith("taken out: ")]


def rows_of_columns(columns: Iterable[Sequence[Any]]) -> list[Any]:
    return list(zip(*columns, strict=True))


def records_of_labelled_table(path: Path) -> list[Any]:
    return [row[1:] for row in read_labelled_table(path)]


def records_of_lines(folder: Path) -> list[Any]:
    return [line for group in groups_of_lines(text_files(folder)) for line in group]


def records_of_graph(folder: Path) -> list[Any]:
    graph = read_graph(folder)
    names = [graph.entities, graph.relations, graph.entities]
    triples = [tuple(part[number] for part, number in zip(names, row, strict=True)) for row in graph.triples.tolist()]
    numbers = zip(graph.numbers.entity.tolist(), graph.numbers.attribute.tolist(), graph.numbers.value, strict=True)
    values = [(graph.entities[entity], graph.attributes[number], float(value)) for entity, number, value in numbers]
    return [*triples, *values, *notes_of_records(graph.notes)]


def records_of_vectors(path: Path) -> list[Any]:
    words, rows = read_vectors(path)[:2]
    return [(word, row.tolist()) for word, row in zip(words, rows, strict=True)]


def records_of_stream(folder: Path) -> list[Any]:
    batches = read_sentences(folder).batches()
    return [(split, tokens) for split, batch in batches for tokens in batch["tokens"].to_pylist()]


def records_of_translations(folder: Path) -> list[Any]:
    return with_notes(lambda left_out: read_translations(folder, LANGUAGES, on_error=left_out))


def records_of_documents(folder: Path) -> list[Any]:
    rows = with_notes(lambda left_out: read_aligned(folder, LANGUAGES, "documents", on_error=left_out))
    return [row if isinstance(row, str) else row[2:] for row in rows]


def records_of_topics(folder: Path) -> list[Any]:
    rows = read_aligned(folder, LANGUAGES, "topics")
    return [(row.key, row.label, language, text) for row in rows for language, text in row.texts.items()]


def records_of_dictionary(path: Path) -> list[Any]:
    translations: dict[str, list[str]] = {}
    left_out = LeftOut()
    for source, target in bilingual_dictionary.read_dictionary(path, on_error=left_out):
        translations.setdefault(source, []).append(target)
    return [*translations.items(), *notes_of_records(left_out.notes())]


def records_of_segmentations(path: Path) -> list[Any]:
    return with_notes(lambda left_out: segmentation_files.read(path, "de", on_error=left_out))


def records_of_numbered_graph(folder: Path) -> list[Any]:
    graph = read_graph(folder)
    return [
        *enumerate(graph.entities),
        *enumerate(graph.relations),
        *graph.triples.tolist(),
        *notes_of_records(graph.notes),
    ]


def records_of_brackets(path: Path) -> list[Any]:
    return ["".join(dyck.ALPHABET[symbol] for symbol in row).strip() for row in dyck.read_own_strings(path).tolist()]


def records_of_written(write_own: Callable[[Path, Path], int]) -> Callable[[Path], list[Any]]:
    def read(path: Path) -> list[Any]:
        with TemporaryDirectory() as folder:
            write_own(path, Path(folder))
            return pq.read_table(Path(folder) / "train.parquet").to_pylist()

    return read


def records_of_benchmarks(folder: Path) -> list[Any]:
    benchmarks = read_benchmarks(sorted(folder.iterdir())).items()
    return [
        (name, part, row.text, row.label)
        for name, benchmark in benchmarks
        for part, rows in benchmark.parts.items()
        for row in rows
    ]


def records_of_tasks(folder: Path) -> list[Any]:
    tasks = read_tasks(sorted(folder.iterdir()))
    parts = [(task.name, part) for task in tasks for part in task.parts.values()]
    return [(name, *row) for name, part in parts for row in zip(part.first, part.second, part.scores, strict=True)]


WORDS = "1\t{}\t{}\tINTJ\t_\t_\t0\troot\t_\t_\n2\t{}\t{}\tPROPN\t_\t_\t1\tvocative\t_\t_\n\n"
TREEBANK = (
    f"# newdoc id = first\n# sent_id = first-1\n# text = Hi Bob\n{WORDS.format('Hi', 'hi', 'Bob', 'Bob')}"
    f"# newdoc id = second\n# sent_id = second-1\n# text = Bye Eve!\n{WORDS.format('Bye', 'bye', 'Eve', 'Eve')}"
)
UNIT = '<tu tuid="{}"><tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="de"><seg>{}</seg></tuv></tu>\n'
MEMORY = f"""<tmx version="1.4"><body>
{UNIT.format(1, "Hello", "Grüße")}{UNIT.format(2, "Bye", "Tschüß")}{UNIT.format(3, "Thanks", "Danke")}</body></tmx>
"""
ENTRY = (
    '<LexicalEntry id="w{0}"><Lemma writtenForm="{1}" partOfSpeech="n"/><Sense id="s{0}" synset="n{0}"/>'
    "</LexicalEntry>\n"
)
SYNSET = '<Synset id="n{}" partOfSpeech="n"><Definition>{}</Definition></Synset>\n'
LEXICON = (
    f'<LexicalResource><Lexicon id="own" language="de">{ENTRY.format(1, "Bär")}{ENTRY.format(2, "Füße")}'
    f"{SYNSET.format(1, 'ein Tier')}{SYNSET.format(2, 'zum Gehen')}</Lexicon></LexicalResource>\n"
)
QUESTION = (
    '<OrgQuestion ORGQ_ID="{}"><OrgQSubject>{}</OrgQSubject><Thread><RelQuestion RELQ_ID="{}" '
    'RELQ_RELEVANCE2ORGQ="{}"><RelQSubject>{}</RelQSubject></RelQuestion></Thread></OrgQuestion>\n'
)
QUESTIONS = (
    f"<xml>{QUESTION.format(1, 'Café?', 2, 'Relevant', 'Café!')}"
    f"{QUESTION.format(3, 'Tea?', 4, 'Irrelevant', 'Bus?')}</xml>\n"
)
LANGUAGES = ["en", "de"]
READERS: dict[str, list[Reader]] = {
    "repline.reading.conllu": [file_reader("a.conllu", TREEBANK, lambda path: conllu.read([path]), "\t", True)],
    "repline.corpora.captions.caption_table": [
        Reader(
            {"captions.tsv": "1.jpg\tA café.\n2.jpg\tA dog.\n3.jpg\tA cat.\n", "tags.tsv": "1.jpg\tcafé\n2.jpg\tdog\n",
             "train.txt": "1.jpg\n", "dev.txt": "2.jpg\n", "test.txt": "3.jpg\n"},
            lambda folder: [*read_table(folder, (0.1, 0.1), 0), *read_tags(folder, ["1.jpg", "2.jpg"]).items()],
        )
    ],
    "repline.corpora.dialogue.turns": [
        Reader({"a.txt": "Hello\nGrüße\n\nBye\nBye\n\nYes\nNo\n"},
               lambda folder: [part.turns for part in read_conversations(folder)], None, True),
        Reader({"a.jsonl": f'{json.dumps({"turns": ["Hello", "Grüße"]})}\n{{"turns": ["Yes", "No"]}}\n'},
               lambda folder: [part.turns for part in read_conversations(folder)]),
    ],
    "repline.corpora.entities.gazetteers": [
        file_reader("names.tsv", "Zürich\tGPE\nBob\tPERSON\nAcme\tORG\n", gazetteers.read, "\t", False, "#"),
    ],
    "repline.corpora.entities.gold_entities": [
        file_reader("a.iob2", "1\tZürich\tB-LOC\n2\tis\tO\n\n1\tBob\tB-PER\n\n1\tEve\tO\n",
                    lambda path: rows_of_columns(vars(read_gold_entities(path)).values()), "\t", True, "#"),
    ],
    "repline.corpora.freebase.type_map": [
        file_reader("map.tsv", "wordnet:00001740-n\t/person/author\nwordnet:00002852-n\t/person\n",
                    lambda path: read_type_map(path, WORDNET), "\t"),
    ],
    "repline.corpora.gold_words": [file_reader("a.conllu", TREEBANK, read_gold, "\t", True)],
    "repline.corpora.labelled.collections.benchmarks": [
        Reader({"mine.train.tsv": "good\tSüß\nbad\tBitter\n", "mine.test.tsv": "good\tWarm\nbad\tKalt\n"},
               records_of_benchmarks, "\t"),
    ],
    "repline.corpora.labelled.collections.labelled_tsv": [
        file_reader("a.tsv", "good\tSüß\nbad\tBitter\ngood\tWarm\n", records_of_labelled_table, "\t"),
        file_reader("a.tsv", "text\tlabel\nSüß\tgood\nBitter\tbad\n", records_of_labelled_table, "\t"),
    ],
    "repline.corpora.labelled.collections.newsgroups": [
        Reader({f"20news-bydate-{part}.jsonl": "".join(
                    json.dumps({"id": 1, "label": "rec.autos", "text": f"A: b\n\n{text}"}) + "\n" for text in texts)
                for part, texts in {"train": ("Süß", "Bitter"), "test": ("Warm", "Kalt")}.items()},
               lambda folder: list(read_newsgroups(folder))),
    ],
    "repline.corpora.labelled.collections.reviews": [
        Reader({f"orig_{part}.tsv": "Sentiment\tText\nPositive\tSüß.\nNegative\tBitter.\n"
                for part in ("train", "dev", "test")},
               lambda folder: [review[1:] for review in read_cad_sentiment(folder)], "\t"),
        Reader({"neg.txt": "差\n坏\n", "pos.txt": "好\n美\n"}, 
               lambda folder: [review[1:] for review in read_chinese_reviews(folder)]),
    ],
    "repline.corpora.labelled.labelled_sentences": [
        Reader({f"mine.{part}.tsv": "good\tSüß\nbad\tBitter\n" for part in ("train", "dev", "test")},
               lambda folder: records(read_labelled(sorted(folder.iterdir()), str.split)), "\t"),
    ],
    "repline.corpora.language_modeling.text_sources": [
        Reader({f"{part}.txt": "der süße hund\nbellt\n" for part in ("train", "valid", "test")}, records_of_stream),
        Reader({"a.conllu": TREEBANK}, records_of_stream, "\t", True),
    ],
    "repline.corpora.parallel.aligned_texts": [
        Reader({"a.en.txt": "Hello\nBye\n", "a.de.txt": "Grüße\nTschüß\n"},
               lambda folder: list(read_aligned(folder, LANGUAGES))),
        Reader({"a.tsv": "en\td\tgood\tHello\nde\td\tgood\tGrüße\nen\te\tbad\tBye\nde\te\tbad\tTschüß\n"},
               records_of_documents, "\t"),
        Reader({"a.tsv": "language\tdocument\tlabel\ttext\nen\td\tgood\tHello\nde\td\tgood\tGrüße\n"},
               records_of_documents, "\t"),
        Reader({"deu_Latn.train.tsv": "index_id\tcategory\ttext\n1\ta\tGrüße\n2\tb\tTschüß\n",
                "eng_Latn.train.tsv": "index_id\tcategory\ttext\n1\ta\tHello\n2\tb\tBye\n"}, records_of_topics, "\t"),
    ],
    "repline.corpora.parallel.tmx": [
        file_reader("a.tmx", MEMORY, lambda path: [unit.texts for unit in read_tmx(path)]),
    ],
    "repline.corpora.parallel.translations": [
        Reader({"a.en.txt": "Hello\nBye\n", "a.de.txt": "Grüße\nTschüß\n"},
               records_of_translations),
        Reader({"a.tsv": "1\tHello\tGrüße\n2\tBye\tTschüß\n3\tThanks\tDanke\n"}, records_of_translations, "\t"),
        Reader({"a.tsv": "id\ten\tde\n1\tHello\tGrüße\n2\tBye\tTschüß\n"}, records_of_translations, "\t"),
        Reader({"a.jsonl": '{"id": 1, "en": "Hello", "de": "Grüße"}\n{"id": 2, "en": "Bye", "de": "Tschüß"}\n'},
               records_of_translations),
        Reader({"a.en.conllu": TREEBANK, "a.de.conllu": TREEBANK},
               records_of_translations, None, True),
    ],
    "repline.corpora.segmented_text": [
        Reader({"a.txt": "Süße Hunde.\nBellen.\n"}, records_of_lines),
    ],
    "repline.corpora.sentence_pairs.community_questions": [
        file_reader("a.xml", QUESTIONS, read_questions),
        file_reader("a.csv", "id,question1_id,question2_id,question1,question2,relevance\n1,1,2,Café?,Café!,1\n"
                    "2,3,4,Tea?,Bus?,0\n",
                    read_questions, ","),
    ],
    "repline.corpora.sentence_pairs.pair_tables": [
        file_reader("a.tsv", "sentence1\tsentence2\tlabel\nSüß.\tBitter.\tno\nWarm.\tKalt.\tyes\n",
                    lambda path: [pair[1:] for pair in pair_tables.read_own(path)], "\t"),
        file_reader("a.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
                    "1\tSüß.\tBitter.\t1.5\tNEUTRAL\n2\tWarm.\tKalt.\t2.5\tCONTRADICTION\n",
                    pair_tables.read_sick, "\t"),
        file_reader("a.txt", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t1\t2\tSüß.\tBitter.\n"
                    "0\t3\t4\tWarm.\tKalt.\n",
                    pair_tables.read_mrpc, "\t"),
        file_reader("a.tsv", "sentence1\tsentence2\tgold_label\nSüß.\tBitter.\tneutral\nWarm.\tKalt.\tcontradiction\n",
                    lambda path: [pair[1:] for pair in pair_tables.read_counterfactual(path)], "\t"),
        file_reader("a.csv", "main-news\ta\t2012\t1\t4.5\tSüß.\tBitter.\nmain-news\ta\t2012\t2\t3.5\tWarm.\tKalt.\n",
                    lambda path: [pair[1:] for pair in pair_tables.read_sts_benchmark(path)]),
    ],
    "repline.corpora.sentence_pairs.scored_pairs": [
        Reader({"mine.pairs.tsv": "Süß.\tBitter.\t1.5\nWarm.\tKalt.\t2.5\n"},
               lambda folder: records(read_scored_pairs(sorted(folder.iterdir()), str.split)), "\t"),
    ],
    "repline.corpora.srl.role_files": [
        Reader({"train.props": "Zürich - (A0*)\nbellt bellen.01 (V*)\n\nBern - (A0*)\nruht ruhen.01 (V*)\n\n"},
               lambda folder: list(read_role_files(folder)), None, True),
        Reader({"train.jsonl": '{"id": "a-1", "words": ["süß"], "props": []}\n'
                               '{"id": "a-2", "words": ["warm"], "props": []}\n'},
               lambda folder: list(read_role_files(folder))),
    ],
    "repline.evaluation.sentences.task_files": [
        Reader({"mine.pairs.tsv": "Süß.\tBitter.\t1.5\nWarm.\tKalt.\t2.5\n"},
               records_of_tasks, "\t"),
    ],
    "repline.evaluation.word_vectors.benchmark_files": [
        file_reader("a.txt", "süß bitter 1.5\nhund katze 2.5\nbrot wein 0.25\n",
                    lambda path: rows_of_columns(benchmark_files.read_pairs(path)), None, False, "#"),
        file_reader("a.csv", "word1,word2,similarity\nsüß,bitter,1.5\nhund,katze,2.5\nbrot,wein,0.25\n",
                    lambda path: rows_of_columns(benchmark_files.read_pairs(path)), ","),
        file_reader("a.csv", "type,word1,word2,word3,target\ncity,Rom,Italien,Bern,Schweiz\npast,bin,war,gehe,ging\n",
                    lambda path: rows_of_columns(benchmark_files.read_analogies(path)), ","),
        file_reader("a.txt", ": city\nRom Italien Bern Schweiz\n: past\nbin war gehe ging\n",
                    lambda path: rows_of_columns(benchmark_files.read_analogies(path))),
        file_reader("a.csv", "category,word\ntier,hund\nobst,apfel\nfarbe,rot\n",
                    lambda path: rows_of_columns(benchmark_files.read_categories(path)), ","),
        file_reader("a.csv", "type,word1,word2,word3,target\n1a,Rom,Italien,Bern,Schweiz\n2b,bin,war,gehe,ging\n",
                    benchmark_files.read_relations, ","),
        file_reader("a.txt", "süß\tlieblich\tkalt\nhund\tköter\tbrot\n", benchmark_files.read_synonyms),
        file_reader("a.txt", "rot\nblau\n\nhund\n\nbrot\nwein\n\ntisch\n", benchmark_files.read_outliers, None, True),
    ],
    "repline.evaluation.word_vectors.own_tests": [
        file_reader("a.tsv", "süß\tbitter\t1.5\nhund\tkatze\t2.5\nbrot\twein\t0.25\n",
                    lambda path: rows_of_columns(own_tests.read_own(path)[1]), "\t", False, "#"),
        file_reader("a.tsv", "word1\tword2\tsimilarity\nsüß\tbitter\t1.5\nhund\tkatze\t2.5\n",
                    lambda path: rows_of_columns(own_tests.read_own(path)[1]), "\t", False, "#"),
        file_reader("a.csv", "category,word\ntier,hund\nobst,apfel\nfarbe,rot\n",
                    lambda path: rows_of_columns(own_tests.read_own(path)[1]), ",", False, "#"),
        file_reader("a.txt", "rom italien bern schweiz\nbin war gehe ging\n",
                    lambda path: rows_of_columns(own_tests.read_own(path)[1]), None, False, "#"),
    ],
    "repline.graphs.graph_files": [
        Reader({"train.tsv": "Zürich\tin\tSchweiz\nBern\tin\tSchweiz\nBern\tnear\tZürich\n",
                "numbers.tsv": "Bern\tpeople\t1\nZürich\tpeople\t2\n"}, records_of_graph, "\t"),
        Reader({"entity2id.txt": "2\nZürich\t0\nBern\t1\n", "relation2id.txt": "1\nnear\t0\n",
                "train2id.txt": "2\n0 1 0\n1 0 0\n"}, records_of_numbered_graph, "\t"),
        Reader({"train.tsv": "head\trelation\ttail\nZürich\tin\tSchweiz\nBern\tin\tSchweiz\n"}, records_of_graph, "\t"),
    ],
    "repline.lexicons.bilingual_dictionary": [
        file_reader("a.tsv", "süß\tsweet\nhund\tdog\nbrot\tbread\n", records_of_dictionary, "\t"),
        file_reader("a.tsv", "source\ttarget\nsüß\tsweet\nhund\tdog\n", records_of_dictionary, "\t"),
    ],
    "repline.lexicons.character_table": [
        file_reader("a.tsv", "亜\t亞\t亚\n悪\t惡\t恶\n国\t國\t国\n", character_table.read_table, "\t"),
    ],
    "repline.lexicons.constraints": [
        file_reader("a.txt", "süß cute\nhund dog\nbrot bread\n", constraints.read_pairs, " "),
        file_reader("a.txt", "word1 word2\nsüß cute\nhund dog\n", constraints.read_pairs, " "),
    ],
    "repline.lexicons.definitions": [
        file_reader("a.tsv", "süß\twie Zucker\nhund\tein Tier\nbrot\tein Gebäck\n",
                    lambda path: definitions.read_definitions(path, str.split), "\t"),
        file_reader("a.tsv", "word\tdefinition\nsüß\twie Zucker\nhund\tein Tier\n",
                    lambda path: definitions.read_definitions(path, str.split), "\t"),
    ],
    "repline.lexicons.hanzi.cc_cedict": [
        file_reader("cedict.txt", "傳統 传统 [chuan2 tong3] /tradition/\n愛 爱 [ai4] /love/\n", read_cc_cedict),
    ],
    "repline.lexicons.neighbour_lists": [
        file_reader("a.txt", "süß cute\nhund dog\nbrot bread toast\n", neighbour_lists.read_neighbours),
    ],
    "repline.lexicons.unigrams": [file_reader("a.txt", "süß 3\nhund 20\nbrot 100\n", unigrams.read_unigrams, " ")],
    "repline.lexicons.wordnet.lmf_format": [file_reader("a.xml", LEXICON, wordnet_files.read)],
    "repline.lexicons.word_lists": [file_reader("a.txt", "süß\nhund\nbrot\n", word_lists.read_word_list)],
    "repline.segmentation.morphology.segmentation_files": [
        file_reader("a.txt", "süßer\tsüß er\nhunde\thund e\nbrote\tbrot e\n",records_of_segmentations),
    ],
    "repline.systems.concreteness.ratings": [
        file_reader("a.csv", "word,concreteness\nsüß,3.5\nhund,4.5\nbrot,5\n", read_ratings, ","),
    ],
    "repline.systems.image_lexicon.image_words": [
        Reader({"words_de_en.txt": "süß\tcute\tA\nhund\tdog\tN\nbrot\tbread\tN\n"},
               lambda folder: [entry for part in read_lists(folder).values() for entry in part.entries], "\t"),
    ],
    "repline.systems.jet.name_sources": [
        file_reader("a.tsv", "süß\tQ1\nhund\tQ2\nbrot\tQ30\n",
                    lambda path: table_names(path).texts.to_pylist(), None, False, "#"),
    ],
    "repline.systems.rnn_cnn.ordered_text": [
        file_reader("a.txt", "Der süße Hund bellt. Er ruht.\n\nEin Brot.\n",
                    lambda path: [list(text) for _, text in read_documents(path)], None, True),
    ],
    "repline.systems.rrnet.math_expressions": [
        file_reader("a.txt", "((9+8)-3)\t14\n((9*9)-8)\n", records_of_written(math_expressions.write_own_expressions)),
    ],
    "repline.systems.rrnet.propositional_logic": [
        file_reader("a.txt", "a\t( a ( or b ) )\nc\td\n", records_of_written(propositional_logic.write_own_pairs)),
    ],
    "repline.systems.urn.dyck": [
        file_reader("a.txt", "([])\n{<>}+-\n()\n", records_of_brackets),
    ],
    "repline.systems.visual_characters.tagging.tagged_text": [
        file_reader("a.txt", "我/r 来/v\n好/a\n大/a 国/n\n", read_tagged),
    ],
    "repline.systems.visual_characters.translation.translation_pairs": [
        file_reader("a.tsv", "café\t咖啡\ndog\t狗\ncat\t猫\n", read_translation_pairs),
    ],
    "repline.vectors.formats.table_format": [
        file_reader("a.txt", "süß\nhund\nbrot\n", read_words_of_table),
    ],
    "repline.vectors.formats.readers": [
        file_reader("a.txt", "süß 0.5 1.5\nhund 2.5 3.5\nbrot -1 4e1\n", records_of_vectors),
    ],
}  # fmt: skip
PUBLISHED = "reads one published source, whose files have checksums"
ELSEWHERE = "its files are read by a module that has an entry"
WITHOUT = {  # modules that read text and have no entry, and why
    "repline.corpora.line_groups": ELSEWHERE,
    "repline.reading.xml_text": ELSEWHERE,
    "repline.corpora.parallel.message_catalogues": "reads catalogues of programs, which are binary or JSON",
    "repline.corpora.parallel.moses_escapes": ELSEWHERE,
    "repline.corpora.segmented_lines": ELSEWHERE,
    "repline.corpora.scenes.scene_files": "a sentence hangs on lines of two files: tests/corpora/scenes tries these",
    "repline.corpora.scenes.stated_triplets": "parses the lines with spaCy's model",
    "repline.evaluation.sentences.sentence_encoders": "reads what a program of the user prints",
    "repline.segmentation.chinese": "checks lists of words before jieba reads them",
    "repline.vectors.formats.rows": ELSEWHERE,
    "repline.vectors.formats.text_format": ELSEWHERE,
} | dict.fromkeys(
    (
        "repline.corpora.captions.flickr8k",
        "repline.corpora.captions.multi30k",
        "repline.corpora.chunks.chunked_sentences",
        "repline.corpora.freebase.label_sets",
        "repline.corpora.labelled.collections.bible_chapters",
        "repline.corpora.labelled.collections.dialogues",
        "repline.corpora.labelled.collections.reuters_sgml",
        "repline.corpora.pictures.emoji",
        "repline.lexicons.hanzi.components",
        "repline.lexicons.hanzi.place_questions",
        "repline.lexicons.wordnet.wndb_format",
        "repline.systems.corpus_specificity.running_text",
        "repline.systems.hrrlm.extrinsic.tasks",
        "repline.systems.jet.entity_pairs",
        "repline.systems.jet.gold_mentions",
        "repline.systems.lexical_contrast.corpus",
        "repline.systems.morph2vec.export",
        "repline.systems.morph2vec.running_text",
        "repline.systems.morph2vec.word_tests",
        "repline.systems.urn.agreement.marked_sentences",
    ),
    PUBLISHED,
)
BY_NAME = {
    f"{module.removeprefix('repline.')}-{number}": reader
    for module, readers in READERS.items()
    for number, reader in enumerate(readers)
}


def write(folder: Path, files: dict[str, bytes], suffix: str = "") -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / f"{name}{suffix}").write_bytes(content)
    return folder
