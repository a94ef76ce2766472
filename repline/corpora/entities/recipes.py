"""The sections of params.yaml that say how named entities are found, and how they are rewritten."""

from typing import Literal, get_args

from pydantic import Field

from repline.parameters import Section

RuleSet = Literal["countries", "cities", "wordnet", "own", "company_suffixes", "titles", "untyped"]
RULE_SETS: tuple[RuleSet, ...] = get_args(RuleSet)
Base = Literal["spacy", "given", "none"]  # what the rules lie over
Mode = Literal["type", "name", "split-name", "split-name+common", "drop"]


class EntityCorpus(Section):
    """How the entities of a corpus are found, see `entity_corpus.write_entities`.

    Attributes:
        rules: names of rule sets; an empty list leaves the recogniser alone.
        base: what the rules lie over: spaCy's recogniser, given entities (the source's own column `entity`), or none.
        lemmas: add spaCy's column `lemma` where the source has none.
    """

    rules: list[RuleSet] = Field(default_factory=lambda: list(RULE_SETS))
    base: Base = "spacy"
    lemmas: bool = False


class RewrittenCorpus(Section):
    """How names are written, see `name_rewriting.rewrite`.

    Attributes:
        mode: type, one token a name for its type; name, one token with `_` between its words; split-name, a token a
            word; split-name+common, the same with `_NE` after each; drop, no token.
        marks: keep tokens without a letter or digit.
    """

    mode: Mode
    marks: bool = False
