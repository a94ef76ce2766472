"""The sections of params.yaml that say how text becomes a corpus of sentences and words."""

from pydantic import Field

from repline.parameters import Section, Values
from repline.reading.wrong_records import OnError
from repline.segmentation.recipes import Sentences


class Segmentation(Section):
    """How text is normalised, and segmented into words.

    Attributes:
        language: its code, which chooses the segmenter (`repline.segmentation.languages`).
        widths: full-width letters and digits become ASCII, half-width katakana full-width.
        conversion: of OpenCC, as t2s from traditional to simplified characters.
        segmentation: knobs of the language's segmenter.
    """

    language: str
    widths: bool = True
    conversion: str | None = None
    segmentation: Values = Field(default_factory=dict)


class RawText(Segmentation):
    """How raw lines are segmented, see `segmented_text.segment`.

    Attributes:
        sentences: lines, each a sentence, or full_stops: a line is cut after 。！？ and their like, in a language with
            spaces after . ! ? and theirs.
        on_error: stop at a line outside the encoding; or salvage: leave it out, and count it on the card.
        encoding: of files without a byte order mark.
    """

    sentences: Sentences = "full_stops"
    on_error: OnError = "stop"
    encoding: str = "utf-8"


class SegmentedLines(Section):
    """How lines are read whose words are separated already, see `segmented_lines.write_corpus`.

    Attributes:
        language: its code, for the card.
        tags: whether every word has its tag behind the last `separator` in it; it becomes the column `tag`.
        separator: between a word and its tag.
        on_error: stop at a wrong line; or salvage: leave it out, and count it on the card.
        encoding: of files without a byte order mark.
    """

    language: str
    tags: bool = True
    separator: str = "/"
    on_error: OnError = "stop"
    encoding: str = "utf-8"
