"""The section `vectors` of params.yaml: what its stages share."""

from repline import parameters
from repline.parameters import Count, Section, Values
from repline.reading.wrong_records import OnError
from repline.vectors.formats.rows import Duplicates
from repline.vectors.recipes import LSA, FastText, Word2Vec


class Source(Section):
    """Vectors of any format.

    Attributes:
        path: a file or folder, relative to the project or absolute.
        duplicates, limit, on_error: of `repline.vectors.conversion.convert`.
    """

    path: str
    duplicates: Duplicates = "stop"
    limit: Count | None = None
    on_error: OnError = "stop"


class Settings(Section):
    """The section `vectors` of params.yaml.

    Attributes:
        imports: vectors that are converted, by name.
        corpus: a folder of data/, which the three recipes train on.
    """

    imports: dict[str, Source]
    corpus: str
    word2vec: Word2Vec
    fasttext: FastText
    lsa: LSA


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "vectors", values)
