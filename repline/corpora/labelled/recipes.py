"""The sections of params.yaml that say what documents a labelled corpus has, and how it is split."""

from typing import Annotated, Literal

from pydantic import Field

from repline.parameters import Count, Section
from repline.reading.settings import Head
from repline.reading.wrong_records import OnError
from repline.segmentation.recipes import Splitting

Benchmark = Literal["MR", "CR", "MPQA", "SUBJ", "SST-2", "SST-5", "TREC", "TREC-50"]
Form = Literal[
    "reuters",
    "wordnet_places",
    "bible_chapters",
    "newsgroups",
    "cad_sentiment",
    "movie_reviews",
    "chinese_reviews",
    "sgd",
    "clinc",
    "chat_or_task",
    "tsv",
    Benchmark,
]
Size = Annotated[int, Field(ge=1)] | Annotated[float, Field(gt=0, lt=1)]  # of a part: documents, or a share of them


class LabelledCorpus(Section):
    """Which documents of a source are taken, see `labelled_corpus.write_labelled`.

    Attributes:
        form: what the source is.
        shortest: documents have at least this many words, counted by blanks.
        needed: kinds of labels that a document must have.
        number: of the documents left this many are drawn; None for all of them.
        seed: of the drawing.
        on_error: stop at a document that cannot be read; or salvage: leave it out, and say so on the card.
        encoding: of text files without a byte order mark.
        head: whether the first line of a table names its columns.
    """

    form: Form
    shortest: Annotated[int, Field(ge=0)] = 1
    needed: list[str] = Field(default_factory=list)
    number: Count | None = None
    seed: int = 0
    on_error: OnError = "stop"
    encoding: str = "utf-8"
    head: Head = "auto"


class PartSizes(Section):
    """How texts with one label each are split in three, see `classified_texts.split_texts`.

    Attributes:
        dev, test: documents, or a share of all; unused where the corpus has the part.
        least: labels of fewer documents are left out.
        number: of each label this many documents at most, drawn.
        seed: of all draws.
    """

    dev: Size = 0.1
    test: Size = 0.1
    least: Count = 3
    number: Count | None = None
    seed: int = 0


class SplitCorpus(PartSizes):
    """The labels of a corpus that classifiers distinguish, see `split_corpus.write_split`.

    Attributes:
        label: the kind of labels; documents with none or several of it are left out.
        splitting: how a text becomes sentences and words.
        only: labels that fit one of these patterns ("rec.*"); None for all.
    """

    label: str
    splitting: Splitting
    only: list[str] | None = None
