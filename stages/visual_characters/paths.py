"""Where the data of this system lie."""

from pathlib import Path

CORPORA = Path("data/corpora/visual_characters")
WORDS = CORPORA / "words"  # words with glosses, pairs of sentences, scored pairs
GLYPHS = Path("data/corpora/glyphs")
MODELS = Path("data/models/visual_characters")


def tagged(name: str) -> Path:
    """A corpus of tagged sentences."""
    return CORPORA / "tagged" / name


def glosses(encoder: str) -> Path:
    """The dictionary models of an encoder."""
    return MODELS / "glosses" / encoder


def tagger(corpus: str, encoder: str, mode: str) -> Path:
    """The taggers of an encoder."""
    return MODELS / "tagging" / corpus / f"{encoder}_{mode}"


def translator(encoder: str) -> Path:
    """The translators of an encoder."""
    return MODELS / "translation" / encoder


def first_run(folder: Path) -> Path:
    """The folder of the lowest seed."""
    return runs(folder)[0]


def runs(folder: Path) -> list[Path]:
    """The folders of all seeds, the lowest first."""
    return sorted(folder.glob("seed-*"), key=lambda run: int(run.name.removeprefix("seed-")))
