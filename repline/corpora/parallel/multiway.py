"""A corpus of several languages side by side: a row a text, in Parquet with a card.

Rows of the same `origin` and `key` say the same in different languages. Rows of one `document` belong together; they
share their `label`, where there is one.
"""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, read_card, write_card
from repline.corpora.parallel.aligned_texts import read_aligned
from repline.corpora.parallel.recipes import MultiwayCorpus, Tokens
from repline.corpora.parquet import PartWriter
from repline.errors import InputError, in_one_line, shown
from repline.files import new_folder
from repline.parameters import Json
from repline.reading.settings import recipe_values
from repline.reading.text_cleaning import clean_text
from repline.reading.wrong_records import LeftOut
from repline.segmentation.characters import normalise_widths
from repline.segmentation.combining_marks import MARKS, composed
from repline.segmentation.languages import segmenter
from repline.segmentation.morphology.letters import lower_case
from repline.segmentation.primary_language import primary_language

WORD = re.compile(rf"\w[\w{MARKS}]*(?:['’]\w[\w{MARKS}]*)*|[^\w\s]")
SCHEMA = pa.schema(
    [
        ("origin", pa.string()),
        ("key", pa.string()),
        ("document", pa.string()),
        ("label", pa.string()),
        ("language", pa.string()),
        ("text", pa.string()),
        ("tokens", pa.list_(pa.string())),
    ]
)


class Tokenised(NamedTuple):
    """One text in the languages that have it, as tokens; see `repline.corpora.parallel.aligned_texts.Aligned`."""

    origin: str
    key: str
    texts: dict[str, list[str]]
    document: str
    label: str | None


def build(
    source: str | Path,
    folder: str | Path,
    corpus: MultiwayCorpus,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Write the texts of `source` as a corpus: `part-*.parquet` and a card.

    Args:
        source: see `repline.corpora.parallel.aligned_texts`.
        folder: replaced if it exists; it appears whole or not at all.
        corpus: the languages, and what a text is a sequence of.
        progress: called with the texts and the tokens so far.

    Returns:
        The card.

    Raises:
        InputError: what `read_aligned` raises, a language without a text, or two texts of one origin and key.
    """
    languages = corpus.languages
    split = {language: text_splitter(language, corpus.tokens.get(language), corpus.lower) for language in languages}
    counts: Counter[str] = Counter()
    left_out = LeftOut(corpus.on_error)
    keys: set[tuple[str, str]] = set()
    with new_folder(folder) as partial, PartWriter(partial, SCHEMA) as writer:
        rows: list[dict[str, Json]] = []
        for aligned in read_aligned(
            source, languages, corpus.form, on_error=left_out, encoding=corpus.encoding, head=corpus.head
        ):
            counts["texts"] += 1
            if (aligned.origin, aligned.key) in keys:
                texts = f"the texts {shown(aligned.key)} of {shown(aligned.origin)}"
                raise InputError(f"{source}: {texts} are there twice; give its files other names")
            keys.add((aligned.origin, aligned.key))
            for language, raw_text in aligned.texts.items():
                text = clean_text(raw_text, left_out.invisible)
                tokens = split[language](text)
                counts[f"texts_{language}"] += 1
                counts[f"tokens_{language}"] += len(tokens)
                rows.append(
                    {
                        "origin": aligned.origin,
                        "key": aligned.key,
                        "document": aligned.document,
                        "label": aligned.label,
                        "language": language,
                        "text": text,
                        "tokens": tokens,
                    }
                )
            if len(rows) >= 1024:
                writer.write(pa.Table.from_pylist(rows, SCHEMA))
                rows = []
                if progress:
                    progress(counts["texts"], sum(counts[f"tokens_{language}"] for language in languages))
        if rows:
            writer.write(pa.Table.from_pylist(rows, SCHEMA))
        writer.close()
        if missing := [language for language in languages if not counts[f"tokens_{language}"]]:
            raise InputError(f"{source}: no text of language {missing[0]} in it")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=Path(folder).name,
            description=f"Texts of {origin['name']} in {', '.join(languages)}, side by side",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=recipe_values(corpus, exclude={"source"}),
            counts=dict(counts) | left_out.counts(),
            notes=left_out.notes(),
        )


def read_multiway(folder: str | Path) -> list[Tokenised]:
    """The texts of a folder that `build` wrote, as tokens, in their order; InputError where it is no such corpus."""
    columns = ["origin", "key", "document", "label", "language", "tokens"]
    read_card(folder)
    try:
        table = pq.read_table(sorted(Path(folder).glob("part-*.parquet")), columns=columns)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{folder}: expected texts of several languages ({in_one_line(error)})") from None
    texts_by_key: dict[tuple[str, str], Tokenised] = {}
    for origin, key, document, label, language, tokens in zip(
        *(table[name].to_pylist() for name in columns), strict=True
    ):
        aligned = texts_by_key.setdefault((origin, key), Tokenised(origin, key, {}, document, label))
        if language in aligned.texts:
            key_and_origin = f"{shown(key)} of {shown(origin)}"
            raise InputError(f"{folder}: two {language} texts have the key {key_and_origin}; make the corpus again")
        aligned.texts[language] = tokens
    return list(texts_by_key.values())


def text_splitter(language: str, kind: Tokens | None = None, lower: bool = True) -> Callable[[str], list[str]]:
    """The function that makes tokens of a raw text as `build` does: lower-cased if asked for, normalised, split."""
    split = splitter(language, kind)
    return lambda text: split(normalise_widths(clean_text(composed(lower_case(text, language) if lower else text))))


def splitter(language: str, kind: Tokens | None) -> Callable[[str], list[str]]:
    """The function that splits a text into tokens; see `build`."""
    if kind is None:
        kind = "characters" if primary_language(language) in ("zh", "ja") else "words"
    if kind == "segmenter":
        words = segmenter(language)
        return lambda text: words(text)["tokens"]
    splitters: dict[str, Callable[[str], list[str]]] = {
        "words": WORD.findall,
        "blanks": str.split,
        "characters": lambda text: list("".join(text.split())),
    }
    return splitters[kind]
