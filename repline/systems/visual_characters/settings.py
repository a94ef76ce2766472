"""The section `visual_characters` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline import parameters
from repline.glyphs.recipes import Drawing
from repline.parameters import Count, Json, Name, NotNegative, Positive, Section, Seeds, Share, Values
from repline.reading.settings import LineReading
from repline.training import recipes

Kind = Literal["emb", "fc_1l", "fc_2l", "cnn_fc_relu", "cnn_sm_fc", "cnn_relu"]
Side = Literal["simplified", "traditional"]
Mode = Literal["fix", "adapt"]


class Words(Section):
    """How the words of a dictionary are chosen and split, see `glosses.dictionary_task.gloss_task`.

    Attributes:
        side: which script the words are read in.
        longest: characters that a word may have; words with anything but Chinese characters are left out.
        characters: only words of the N most frequent characters; None for all.
        words: this many of them, drawn at random; None for all.
        glosses: the N most frequent words of the definitions are predicted, if at least `minimum_count` words have
            them.
        most: glosses of a word, the first ones.
        dev, test: words that are kept out of training, and of choosing the learning rate.
        held_out: share of the characters that occur `held_out_counts` times (from, to), to keep out of training.
        seed: of all draws.
    """

    side: Side = "simplified"
    longest: Count = 5
    characters: Count | None = None
    words: Count | None = None
    glosses: Count = 4000
    minimum_count: Count = 5
    most: Count = 8
    dev: Count = 3000
    test: Count = 3000
    held_out: NotNegative = 0.08
    held_out_counts: list[Count] = Field(default_factory=lambda: [3, 60], min_length=2, max_length=2)
    seed: int = 0


class SentencePairs(Section):
    """How pairs of sentences are chosen and split, see `translation.translation_pairs.split_pairs`.

    Attributes:
        longest_source, longest_target: characters and words; longer pairs are left out.
        number: of sources, drawn at random; None for all.
        dev, test: sources of these parts.
        seed: of the draw.
    """

    longest_source: Count = 15
    longest_target: Count = 12
    number: Count | None = None
    dev: Count = 1000
    test: Count = 1000
    seed: int = 0


class TaggedCorpus(LineReading):
    """Tagged sentences, how they are read, and how they are split, see `corpus.split_tagged`.

    Attributes:
        source: a folder or file of data/.
        tag_letters: only the first N letters of a tag count; None for all.
        pku_tags: whether its tags are those that jieba uses.
        longest: characters; longer sentences are left out.
        number: of sentences, those spread evenly over the text; None for all.
        dev, test: sentences of these parts.
    """

    source: str
    tag_letters: Count | None = 1
    pku_tags: bool = False
    longest: Count = 60
    number: Count | None = None
    dev: Count = 1000
    test: Count = 1000


class Glyphs(Drawing):
    """How the characters are drawn.

    Attributes:
        font: a font file, or a folder of data/ with one.
    """

    font: str


class EncoderShape(Section):
    """Arguments of `repline.systems.visual_characters.encoders.CharacterEncoder`, except `dimensions`.

    Attributes:
        trained: whether the dictionary task trains the encoder; a control keeps random weights under a trained output.
    """

    kind: Kind
    features: int = 0
    channels: Count = 32
    trained: bool = True


class Tuning(recipes.Loop):
    """Trainings whose learning rate is the one with the lowest dev loss for the first seed.

    Attributes:
        patience: epochs without a lower loss on dev before training stops; None for all epochs.
    """

    patience: Count | None = None
    seeds: Seeds
    learning_rates: Annotated[list[Positive], Field(min_length=1)]

    def values_at(self, learning_rate: float) -> dict[str, Json]:
        """The values that a recipe with this learning rate takes."""
        tuned = {"seeds", "learning_rates"}
        return self.model_dump(exclude_unset=True, exclude=tuned) | {"learning_rate": learning_rate}


class GlossNetwork(Section):
    """Arguments of `GlossModel`, except the shape of its encoder."""

    dimensions: Count


class TaggerNetwork(Section):
    """Arguments of `Tagger`, except its encoder."""

    hidden: Count = 512
    dilations: Annotated[list[Count], Field(min_length=1)]
    iterations: Count = 1
    dropout: Share = 0.1
    output_dropout: Share = 0.5


class TranslatorNetwork(Section):
    """Arguments of `Translator`, except the shape of its encoder, and the steps of its training.

    Attributes:
        constant_epochs: before the learning rate is halved every epoch.
        pretraining_epochs: of the decoder alone, as a language model.
        minimum_count: of a target word in training; all rarer words are one symbol.
        dimensions, units, layers, decoder_units, dropout: of `Translator`.
    """

    dimensions: Count
    units: Count = 512
    layers: Count = 2
    decoder_units: Annotated[list[Count], Field(min_length=1)]
    dropout: Share = 0.2
    constant_epochs: Count = 4
    pretraining_epochs: Annotated[int, Field(ge=0)] = 20
    minimum_count: Count = 2


class GlossRecipe(recipes.Recipe, EncoderShape, GlossNetwork):
    """A dictionary model and its training."""


class TaggerRecipe(recipes.Recipe, TaggerNetwork):
    """A tagger and its training.

    Attributes:
        mode: fix the characters' vectors, or adapt the encoder.
    """

    mode: Mode


class TranslatorRecipe(recipes.Recipe, EncoderShape, TranslatorNetwork):
    """A translator and its training."""


class GlossTraining(Tuning, GlossNetwork):
    """What the dictionary models of all encoders share."""


class TaggerTraining(Tuning, TaggerNetwork):
    """What the taggers of all encoders share."""


class TranslatorTraining(Tuning, TranslatorNetwork):
    """What the translators of all encoders share."""


class Tagging(Section):
    """Taggers: one for each corpus, encoder and mode."""

    encoders: Annotated[list[Name], Field(min_length=1)]
    modes: Annotated[list[Mode], Field(min_length=1)]
    training: TaggerTraining


class Translation(Section):
    """Translators, one for each encoder."""

    encoders: Annotated[list[Name], Field(min_length=1)]
    training: TranslatorTraining


class Decoding(Section):
    """How sentences are translated, see `repline.layers.generation.beam_search`.

    Attributes:
        beam: hypotheses; 1 is greedy, and the default is that of the paper.
        longest: most symbols of a translation, counting that of the end; not stated in the paper.
        length_power: α of the paper.
    """

    beam: Count = 10
    longest: Count = 100
    length_power: float = 0.9


class Settings(LineReading):
    """The whole section; a wrong line of the dictionary, the pairs or the scored pairs is treated by `on_error`.

    Attributes:
        dictionary, pairs: files of data/, or folders with one, see `corpus.write_words`.
        similarity: a folder of data/ with scored pairs of words.
        tagged: corpora of tagged sentences by name.
        encoders: shapes by name; each has a dictionary model.
        shown: characters whose neighbours the figure shows.
    """

    dictionary: str
    pairs: str
    similarity: str
    words: Words
    sentence_pairs: SentencePairs
    tagged: Annotated[dict[Name, TaggedCorpus], Field(min_length=1)]
    glyphs: Glyphs
    encoders: Annotated[dict[Name, EncoderShape], Field(min_length=1)]
    glosses: GlossTraining
    tagging: Tagging
    translation: Translation
    decoding: Decoding
    shown: str

    @model_validator(mode="after")
    def _encoders_have_shapes(self) -> "Settings":
        for task, names in (("tagging", self.tagging.encoders), ("translation", self.translation.encoders)):
            for name in names:
                if name not in self.encoders:
                    nearest = parameters.nearest(name, self.encoders)
                    raise ValueError(f"{task}.encoders names an unknown encoder {name!r}{nearest}")
                if not self.encoders[name].trained:
                    raise ValueError(
                        f"{task}.encoders names {name!r}, which is not trained; only the dictionary task takes it"
                    )
        return self

    def gloss_recipe(self, encoder: str, learning_rate: float) -> GlossRecipe:
        """The dictionary model of an encoder, with one of the learning rates."""
        return parameters.overlaid(
            GlossRecipe,
            {
                "visual_characters.glosses": self.glosses.values_at(learning_rate),
                f"visual_characters.encoders.{encoder}": self.encoders[encoder],
            },
        )

    def tagger_recipe(self, mode: Mode, learning_rate: float) -> TaggerRecipe:
        """The tagger of a mode, with one of the learning rates."""
        values = self.tagging.training.values_at(learning_rate) | {"mode": mode}
        return parameters.check(TaggerRecipe, values, "visual_characters.tagging.training")

    def translator_recipe(self, encoder: str, learning_rate: float) -> TranslatorRecipe:
        """The translator of an encoder, with one of the learning rates."""
        return parameters.overlaid(
            TranslatorRecipe,
            {
                "visual_characters.translation.training": self.translation.training.values_at(learning_rate),
                f"visual_characters.encoders.{encoder}": self.encoders[encoder],
            },
        )


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "visual_characters", values)
