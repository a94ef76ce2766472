"""How texts and their translations become corpora: typed sections of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline.parameters import Values
from repline.reading.settings import Reading

Form = Literal["translations", "bible", "topics", "documents"]
Scripts = Literal["drop", "refuse"]
Tokens = Literal["words", "characters", "blanks", "segmenter"]


class BitextCorpus(Reading):
    """What `repline.corpora.parallel.bitext.build` makes of translations.

    Attributes:
        languages: codes of the first and of the second side.
        scripts: what happens to a pair with a side that is not in its language's writing: drop (catalogues are full of
            untranslated messages; the card counts them), or refuse the whole source, naming the pair.
        duplicates: keep pairs whose first side occurred before; else the first of them stays.
        conversions: origin -> a conversion of the first side by OpenCC (t2s for traditional Chinese).
        segmentation: language -> knobs of its segmenter.
    """

    languages: Annotated[list[str], Field(min_length=2, max_length=2)]
    scripts: Scripts = "refuse"
    duplicates: bool = False
    conversions: dict[str, str] = Field(default_factory=dict)
    segmentation: dict[str, Values] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_two_languages(self) -> "BitextCorpus":
        if self.languages[0] == self.languages[1]:
            raise ValueError(f"expected two languages, found {', '.join(self.languages)}")
        return self


class MultiwayCorpus(Reading):
    """What `repline.corpora.parallel.multiway.build` makes of texts in several languages.

    Attributes:
        languages: codes, two or more.
        form: of the source, see `repline.corpora.parallel.aligned_texts`.
        tokens: by language, of what a text is a sequence: words and marks by a pattern (the default), characters (the
            default of zh and ja), what stands between blanks, or the words of the language's segmenter.
        lower: whether tokens are in lower case.
    """

    languages: Annotated[list[str], Field(min_length=2)]
    form: Form = "translations"
    tokens: dict[str, Tokens] = Field(default_factory=dict)
    lower: bool = True

    @model_validator(mode="after")
    def _names_its_languages(self) -> "MultiwayCorpus":
        if len(set(self.languages)) < len(self.languages):
            raise ValueError(f"expected two or more languages, found {', '.join(self.languages)}")
        if unknown := sorted(self.tokens.keys() - set(self.languages)):
            raise ValueError(f"tokens names {unknown[0]!r}, which is none of {', '.join(self.languages)}")
        return self
