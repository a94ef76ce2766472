"""A bitext: sentences of two languages side by side, segmented into words, as Parquet with a card."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, read_card, write_card
from repline.corpora.annotation import tools_of
from repline.corpora.parallel.recipes import BitextCorpus, Scripts
from repline.corpora.parallel.scripts import foreign
from repline.corpora.parallel.translations import Pair, read_translations
from repline.corpora.parquet import PartWriter
from repline.errors import InputError, in_one_line, shown
from repline.files import new_folder
from repline.parameters import Json
from repline.reading.text_cleaning import clean_text
from repline.reading.wrong_records import LeftOut
from repline.segmentation.characters import converter, normalise_widths
from repline.segmentation.languages import segmenter

SCHEMA = pa.schema(
    [
        ("origin", pa.string()),
        ("pair_id", pa.string()),
        ("first_text", pa.string()),
        ("second_text", pa.string()),
        ("first", pa.list_(pa.string())),
        ("second", pa.list_(pa.string())),
    ]
)
SHOWN = 40  # characters of a text in a message


class Bitext(NamedTuple):
    """A bitext in memory: row i of every list is one pair; `first` and `second` are lists of words."""

    languages: tuple[str, str]
    origins: list[str]
    first: list[list[str]]
    second: list[list[str]]

    def of(self, origins: Sequence[str] | None) -> "Bitext":
        """The pairs of some origins, of all where None; InputError for an origin without a pair."""
        if origins is None:
            return self
        if unknown := sorted(set(origins) - set(self.origins)):
            raise InputError(
                f"the bitext has no pairs of origin {shown(unknown[0])}; there are "
                f"{', '.join(sorted(set(self.origins)))}"
            )
        return self.rows([row for row, origin in enumerate(self.origins) if origin in origins])

    def rows(self, rows: Sequence[int]) -> "Bitext":
        """Select pairs by row."""
        return Bitext(
            self.languages,
            [self.origins[row] for row in rows],
            [self.first[row] for row in rows],
            [self.second[row] for row in rows],
        )


def build(
    source: str | Path,
    folder: str | Path,
    corpus: BitextCorpus,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Write the translations of `source` as a bitext: `part-*.parquet`, a row a pair, and a card.

    Args:
        source: see `repline.corpora.parallel.translations`.
        folder: replaced if it exists; it appears whole or not at all.
        corpus: the two languages, and which pairs stay.
        progress: called with the pairs and the words so far.

    Returns:
        The card.

    Raises:
        InputError: what `read_translations` raises, a text in the wrong writing, or no pair that is left.
    """
    languages = corpus.languages
    knobs = {language: corpus.segmentation.get(language, {}) for language in languages}
    try:
        segments = [segmenter(language, **knobs[language]) for language in languages]
    except TypeError as error:
        raise InputError(f"segmentation of {' and '.join(languages)}: {error}") from None
    convert = {origin: converter(conversion) for origin, conversion in corpus.conversions.items()}
    counts: Counter[str] = Counter()
    left_out = LeftOut(corpus.on_error)
    seen: set[str] = set()
    with new_folder(folder) as partial, PartWriter(partial, SCHEMA) as writer:
        rows: list[dict[str, Json]] = []
        for pair in read_translations(source, languages, on_error=left_out, encoding=corpus.encoding, head=corpus.head):
            texts = [normalise_widths(clean_text(text, left_out.invisible)) for text in (pair.first, pair.second)]
            if pair.origin in convert:
                texts[0] = convert[pair.origin](texts[0])
            if not _kept(pair, texts, languages, corpus.scripts, source, counts):
                continue
            if texts[0] in seen and not corpus.duplicates:
                counts["duplicates"] += 1
                continue
            seen.add(texts[0])
            words = [segment(text)["tokens"] for segment, text in zip(segments, texts, strict=True)]
            values = (pair.origin, pair.key, *texts, *words)
            rows.append(dict(zip(SCHEMA.names, values, strict=True)))
            counts[f"tokens_{languages[0]}"] += len(words[0])
            counts[f"tokens_{languages[1]}"] += len(words[1])
            counts["pairs"] += 1
            if len(rows) == 1024:
                writer.write(pa.Table.from_pylist(rows, SCHEMA))
                rows = []
                if progress:
                    progress(counts["pairs"], counts[f"tokens_{languages[0]}"] + counts[f"tokens_{languages[1]}"])
        if rows:
            writer.write(pa.Table.from_pylist(rows, SCHEMA))
        writer.close()
        if not writer.rows:
            raise InputError(f"{source}: no pair of {languages[0]} and {languages[1]} text in it")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=Path(folder).name,
            description=f"Pairs of {languages[0]} and {languages[1]} text of {origin['name']}, segmented into words",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters={
                "languages": list(languages),
                "scripts": corpus.scripts,
                "duplicates": corpus.duplicates,
                "conversions": corpus.conversions,
                "segmentation": {
                    key: {name: str(value) for name, value in knobs_of_language.items()}
                    for key, knobs_of_language in knobs.items()
                },
            }
            | corpus.reading(),
            counts=dict(counts) | left_out.counts(),
            notes=left_out.notes(),
            tools=sorted({"pyarrow", "opencc", *tools_of(languages[0]), *tools_of(languages[1])}),
        )


def read_bitext(folder: str | Path) -> Bitext:
    """The pairs of a folder that `build` wrote; InputError where it is no bitext."""
    languages = read_card(folder)["parameters"].get("languages", [])
    try:
        table = pq.read_table(sorted(Path(folder).glob("part-*.parquet")), columns=["origin", "first", "second"])
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{folder}: expected a bitext ({in_one_line(error)})") from None
    if len(languages) != 2:
        raise InputError(f"{folder}: expected a bitext, whose card names two languages")
    origins, first, second = (table[name].to_pylist() for name in table.column_names)
    return Bitext(tuple(languages), origins, first, second)


def _kept(
    pair: Pair,
    texts: Sequence[str],
    languages: Sequence[str],
    scripts: Scripts,
    source: str | Path,
    counts: Counter[str],
) -> bool:
    """Whether both sides have text in the writing of their languages."""
    for text, language in zip(texts, languages, strict=True):
        if not text:
            counts["empty"] += 1
            return False
        why = foreign(text, language)
        if why is None:
            continue
        if scripts == "refuse":
            raise InputError(
                f"{source}: pair {shown(pair.key[:SHOWN])} of {shown(pair.origin)}: {why}, so it is no {language} "
                "text: "
                f"{shown(text[:SHOWN])}; `scripts: drop` leaves such pairs out"
            )
        counts["untranslated"] += 1
        return False
    return True
