"""A small corpus and terminology, as files and as what training reads."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.systems.jet import corpus, terminology
from repline.systems.jet.name_sources import table_names
from repline.systems.jet.settings import Grouping

CARD = {"name": "made", "licence": "CC0"}
TERMS = (
    "New York\tstate\tplace\tthe state of the old city\n"
    "new york\tcity\tplace\tthe city today\n"
    "New York City\tcity\n"
    "today\tnow\ttime\tnow\n"
    "the\tarticle\tword\n"
)
SENTENCES = ["in New York City today", "the old city of new york", "today , New-York is old", "in the city today"]


def write_sentences(folder, sentences):
    """Sentences with blanks between tokens as a corpus; the folder."""
    folder.mkdir(parents=True)
    pq.write_table(pa.table({"tokens": [sentence.split() for sentence in sentences]}), folder / "part-00000.parquet")
    return folder


def write_terminology(folder, text=TERMS, **options):
    """A table as a terminology; the folder."""
    table = folder.parent / f"{folder.name}.tsv"
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text(text, encoding="utf-8")
    terminology.write(table_names(table), folder, Grouping(**options), origin=CARD)
    return folder


def made(folder, sentences=SENTENCES, text=TERMS, minimum_count=1, **options):
    """The corpus of these sentences with these terms."""
    terms = write_terminology(folder / "terms", text, **options)
    corpus.write(write_sentences(folder / "text", sentences), terms, folder / "jet", minimum_count=minimum_count)
    return corpus.read(folder / "jet")


def topics(folder, sentences=400, seed=0):
    """A corpus in which animals and tools are in different company: what training should find; two terms a topic mean
    two entities of that topic each."""
    rng = np.random.default_rng(seed)
    names = {kind: [f"{kind}{number}" for number in range(8)] for kind in ("animal", "tool")}
    company = {kind: [f"{kind}word{number}" for number in range(12)] for kind in names}
    lines, kinds = [], list(names)
    for _ in range(sentences):
        kind = kinds[rng.integers(2)]
        words = list(rng.choice(company[kind], 6))
        words.insert(3, names[kind][rng.integers(8)])
        lines.append(" ".join(words))
    rows = [f"{name}\t{name}_{sense}\t{kind}" for kind, some in names.items() for name in some for sense in "ab"]
    return made(folder, lines, "\n".join(rows))
