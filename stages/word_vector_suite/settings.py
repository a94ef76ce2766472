"""The section `word_vector_suite` of params.yaml."""

from typing import Annotated

from pydantic import Field

from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.parameters import Section, signature


class Table(Section):
    """Which folders of data/vectors are judged, on the tests of which folders of data/raw."""

    vectors: Annotated[list[str], Field(min_length=1)]
    sources: Annotated[list[str], Field(min_length=1)]


Settings = signature(suite.evaluate, base=signature(Embedding.of, base=Table))
