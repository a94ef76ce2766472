"""`repline train` called in a test, and small files for it."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import gettempdir

import numpy as np
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.cli.outputs import result_folder
from tests.raw_input import check

TOPICS = {
    "animals": ["cat", "dog", "horse", "cow", "sheep", "goat"],
    "cars": ["wheel", "engine", "road", "brake", "tyre", "fuel"],
}
OTHER_WORDS = ["the", "a", "and", "near"]


def train(system: str, *options: str) -> str:
    """Run `repline train SYSTEM --out model ...`; what it printed. Mistakes of the user are raised."""
    result = CliRunner().invoke(app, ["train", system, "--out", "model", *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def notes_of(system: str, *options: str) -> str:
    """What `train` printed to the standard error."""
    result = CliRunner().invoke(app, ["train", system, "--out", "model", *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stderr


def trained(folder, system: str, *options: str):
    """The model of `train`, loaded, after a look that nothing else was left in the folder; it takes any raw input."""
    before = {path.name for path in folder.iterdir()}
    assert train(system, *options).splitlines()[-1].startswith("model: ")
    assert {path.name for path in folder.iterdir()} == before | {"model"}
    temporary = f"{gettempdir()}/repline-".encode()  # the work of `workspace`, which is gone
    assert [path for path in (folder / "model").rglob("*") if path.is_file() and temporary in path.read_bytes()] == []
    assert result_folder(Path("model")) == Path("model")  # the next training may replace it
    model = repline.load("model")
    check(model, folder / "model")
    return model


def write_topic_vectors(path, dimensions: int = 16) -> None:
    """Word vectors as text: those of a topic are near each other."""
    rng = np.random.default_rng(0)
    lines = []
    for words in [*TOPICS.values(), OTHER_WORDS]:
        centre = 3 * rng.normal(size=dimensions)
        lines += vector_lines(words, [centre + rng.normal(size=dimensions) for _ in words])
    path.write_text("".join(lines))


def vector_lines(words: Iterable[str], matrix: Iterable[np.ndarray]) -> list[str]:
    """Lines of a file of vectors, in GloVe's format."""
    return [f"{word} {' '.join(f'{value:.4f}' for value in row)}\n" for word, row in zip(words, matrix, strict=True)]


def topic_sentences(number: int, seed: int = 0) -> list[str]:
    """Sentences of one topic each; ten after each other have the same."""
    rng = np.random.default_rng(seed)
    topics = list(TOPICS.values())
    return [" ".join(rng.choice([*topics[position // 10 % 2], *OTHER_WORDS], 6)) for position in range(number)]
