"""The section `corpus_specificity` of params.yaml.

Each part has the fields below and the parameters of the function that its stage calls; the stage checks both.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from repline.parameters import Section

Number = Annotated[int, Field(ge=2)]


class Documents(Section):
    """The list of stop words, and the parameters of `clean_documents`."""

    stop_words: Literal["scikit-learn", "nltk"] = "scikit-learn"


class CategoryTest(Section):
    """How many of the rarest categories are taken, and the parameters of `usable_categories`."""

    number: Number


class SynonymTest(Section):
    """How many questions are made, how many of the rarest are taken, and the parameters of `synonym_questions`."""

    number: Number
    made: Number = 80


class Word2vec(Section):
    """The tests that word2vec is scored on, and the parameters of `word2vec_scores`."""

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
