"""The section `corpus_specificity` of params.yaml.

A part of it is what stands here beside the knobs of the function that its stage calls; the stage checks both.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from repline.parameters import Section

Number = Annotated[int, Field(ge=2)]


class Documents(Section):
    """Beside the knobs of `clean_documents`: whose list of stop words."""

    stop_words: Literal["scikit-learn", "nltk"] = "scikit-learn"


class CategoryTest(Section):
    """Beside the knobs of `usable_categories`: how many of the rarest are taken."""

    number: Number


class SynonymTest(Section):
    """Beside the knobs of `synonym_questions`: how many are made, and how many of the rarest of these are taken."""

    number: Number
    made: Number = 80


class Word2vec(Section):
    """Beside the knobs of `word2vec_scores`: the tests that it takes."""

    tests: list[Literal["categories", "synonyms"]] = Field(default=["categories", "synonyms"])


class Settings(Section):
    """The whole section."""

    corpus: str
    documents: dict[str, Any]
    categories: str
    category_test: dict[str, Any]
    synonyms: str
    synonym_test: dict[str, Any]
    lsa: dict[str, Any]
    word2vec: dict[str, Any]
