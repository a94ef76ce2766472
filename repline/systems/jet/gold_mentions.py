"""Mentions with their gold entities: links of a Wikipedia, definitions of entities, or a user's table."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.corpora.wikipedia.linked_text import PARTS, REDIRECTS
from repline.errors import shown
from repline.reading.table_heads import below_head, is_head
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.systems.jet.disambiguation import Instances
from repline.systems.jet.model import Space
from repline.systems.jet.name_sources import entity_of, resolved, unquoted_fields, without_comments
from repline.systems.jet.plain_text import plain_tokens


class Link(NamedTuple):
    """A link of a Wikipedia: rows of its term and its target, the text before and after it, and its label."""

    term: int
    entity: int
    before: str
    after: str
    label: str


def linked(folder: str | Path, space: Space, *, context: int, limit: int, seed: int = 0) -> Instances:
    """Links with an ambiguous label, whose candidate entities include the link's target.

    Args:
        folder: of `repline.corpora.wikipedia.linked_text`.
        context: tokens on either side, within the paragraph.
        limit: instances at most, drawn at random if there are more.
    """
    folder = Path(folder)
    redirects = pq.read_table(folder / REDIRECTS).to_pydict()
    leads = dict(zip(map(entity_of, redirects["title"]), map(entity_of, redirects["target"]), strict=True))
    mentions: list[Link] = []
    for path in sorted(folder.glob(PARTS)):
        for batch in pq.ParquetFile(path).iter_batches(1024):
            links = batch.column("links")
            labels = links.flatten().field("label").to_pylist()
            terms = space.rows_of_terms(labels)
            targets = links.flatten().field("target").to_pylist()
            gold = [space.entity_rows.get(resolved(target, leads), -1) for target in targets]
            parents = pc.list_parent_indices(links).to_pylist()
            spans = zip(*(links.flatten().field(side).to_pylist() for side in ("start", "end")), strict=True)
            texts = batch.column("text")
            for term, entity, parent, (start, end), label in zip(terms, gold, parents, spans, labels, strict=True):
                if term >= 0 and entity >= 0 and _is_candidate(space, term, entity):
                    text = texts[parent].as_py()
                    reach = 16 * context  # characters: more than `context` words have
                    before, after = text[max(0, start - reach) : start], text[end : end + reach]
                    mentions.append(Link(term, entity, before, after, label))
    if len(mentions) > limit:
        sample = np.sort(np.random.default_rng(seed).choice(len(mentions), limit, replace=False))
        mentions = [mentions[number] for number in sample]
    words_before = _nearest_tokens([link.before for link in mentions], context, True)
    words_after = _nearest_tokens([link.after for link in mentions], context, False)
    sides = zip(mentions, words_before, words_after, strict=True)
    return _instances([(link.term, link.entity, f"{before} {after}", link.label) for link, before, after in sides])


def defined(space: Space, definitions: Sequence[str]) -> Instances:
    """The definition of each entity as the context of each of its ambiguous terms.

    Every entity of a term is the gold one once, so a choice that ignores the context is right as often as chance,
    where all have a definition.

    Args:
        definitions: [E], "" where an entity has none.
    """
    return _instances(
        [
            (term, entity, definitions[entity], name)
            for term, name in enumerate(space.terms)
            if len(space.meanings(term)) > 1
            for entity in space.meanings(term).tolist()
            if definitions[entity]
        ]
    )


def read_mentions(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> list[tuple[str, str, str]]:
    """The mentions of a user's table, plain or `.gz`: term, entity and context between tabs, perhaps below a head.

    Lines that begin with # are comments; a term that does stands in quotation marks.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, or a line without these three, with its number.
    """
    rows, left_out = [], LeftOut.of(on_error)
    lines = without_comments(visible_lines(path, encoding, left_out), left_out)
    for line, text in below_head(path, lines, left_out, _is_head):
        fields = unquoted_fields(text)
        with left_out:
            if len(fields) != 3 or not all(fields):
                problem = f"expected term, entity and context between tabs, found {shown(text)}"
                raise WrongRecord(path, f"line {line}", problem, "no term, entity and context")
            rows.append((fields[0], fields[1], fields[2]))
    return rows


def _is_head(line: str) -> bool:
    return is_head("auto", unquoted_fields(line), {("term", "entity", "context")})


def tabled(rows: Sequence[tuple[str, str, str]], space: Space) -> Instances:
    """The mentions of `read_mentions` whose entity has a vector and is one of several that the term may mean."""
    terms = space.rows_of_terms([name for name, _, _ in rows])
    mentions = []
    for term, (name, identifier, context) in zip(terms.tolist(), rows, strict=True):
        entity = space.entity_rows.get(identifier, -1)
        if term >= 0 and entity >= 0 and _is_candidate(space, term, entity):
            mentions.append((term, entity, context, name))
    return _instances(mentions)


def _is_candidate(space: Space, term: int, entity: int) -> bool:
    """Whether a term is ambiguous and an entity is among its candidates."""
    rows = space.meanings(term)
    return len(rows) > 1 and bool((rows == entity).any())


def _nearest_tokens(texts: list[str], number: int, last: bool) -> list[str]:
    flat, lengths = plain_tokens(pa.array(texts, pa.string()))
    tokens, nearest, start = flat.to_pylist(), [], 0
    for length in lengths.tolist():
        row = tokens[start : start + length]
        nearest.append(" ".join(row[-number:] if last else row[:number]))
        start += length
    return nearest


def _instances(rows: list[tuple[int, int, str, str]]) -> Instances:
    terms, gold, contexts, names = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Instances(np.array(terms, np.int64), np.array(gold, np.int64), list(contexts), list(names))
