"""How sentences become a corpus for language modelling: a typed section of params.yaml."""

from typing import Annotated

from pydantic import Field, model_validator

from repline.reading.settings import Reading

LONGEST = (1 << 15) - 1  # tokens of a sentence whose places int16 can number

PartOfTokens = Annotated[float, Field(gt=0, lt=1)]


class StreamCorpus(Reading):
    """What `repline.corpora.language_modeling.corpus.build` makes of a text, and how its files are read.

    Text in Mikolov's form is taken as it is; `lowercase`, `numbers` and `punctuation` are for other sources.

    Attributes:
        lowercase: words in lower case.
        numbers: tokens of digits (with signs, points, commas and the like between them) become `N`.
        punctuation: keep punctuation: tokens whose `pos` is PUNCT, or, where there is no `pos`, without a letter,
            digit, currency sign, or one of < > % & #. Sentences without any other token are left out.
        maximum_tokens: sentences with more words (punctuation that was dropped does not count) are left out, and
            counted in the card; None for no limit.
        validation_share, test_share: of the tokens; not used where the source has a split.
        seed: of the hash that orders documents.
        train_tokens: cut train after the last whole sentence within this many ids, `<eos>` included; None for all.
    """

    lowercase: bool = True
    numbers: bool = True
    punctuation: bool = False
    maximum_tokens: Annotated[int, Field(ge=1, le=LONGEST)] | None = None
    validation_share: PartOfTokens = 0.1
    test_share: PartOfTokens = 0.1
    seed: int = 0
    train_tokens: Annotated[int, Field(ge=2)] | None = None

    @model_validator(mode="after")
    def _leaves_words_to_train_on(self) -> "StreamCorpus":
        if self.validation_share + self.test_share >= 1:
            raise ValueError("validation_share and test_share leave nothing to train on")
        return self
