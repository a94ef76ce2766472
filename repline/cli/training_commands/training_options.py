"""What the commands of `repline train` share: options, and accounts of wrong records."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from repline.cards import Card
from repline.cli.outputs import result_folder
from repline.errors import InputError, shown
from repline.reading.wrong_records import LeftOut

if TYPE_CHECKING:
    from repline.segmentation.recipes import Splitting

Data = Annotated[Path, typer.Option(help="The folder of your files.", show_default=False)]
Out = Annotated[
    Path,
    typer.Option(help="The folder of the model; an old one is replaced.", show_default=False, callback=result_folder),
]
Table = Annotated[Path, typer.Option(help="A table of labels and texts.", show_default=False)]
SplittingName = Annotated[
    str, typer.Option("--splitting", help="Rule that splits texts into sentences and words, see stages/labelled.")
]
Sentences = Annotated[int, typer.Option(min=1, help="Most sentences of a text that are read.")]
Length = Annotated[int, typer.Option(min=1, help="Most words of a sentence that are read.")]
Epochs = Annotated[int, typer.Option(min=1, help="Number of passes over the data.")]
LearningRate = Annotated[float, typer.Option(min=1e-9, help="Learning rate.")]
Vectors = Annotated[Path, typer.Option(help="Word vectors, a file or a folder in any format.", show_default=False)]
Dimensions = Annotated[int, typer.Option(min=1, help="Number of dimensions of a vector.")]
Text = Annotated[Path, typer.Option(help="A text file, or a folder of them.", show_default=False)]
Vocabulary = Annotated[int, typer.Option(min=2, help="Number of words that are learned, the most frequent ones.")]
ScaledBatch = Annotated[
    int, typer.Option(min=2, help="Number of items in a batch; fewer by default where there are few items.")
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same model.")]


class OnError(StrEnum):
    """What to do at a broken record."""

    stop = "stop"
    salvage = "salvage"


WrongRecords = Annotated[
    OnError,
    typer.Option(
        "--on-error", help="What to do at a wrong record of your files: stop, or salvage the others and say so."
    ),
]


@contextmanager
def account(on_error: OnError) -> Iterator[LeftOut]:
    """An account of wrong records, which is printed at the end."""
    left_out = LeftOut(on_error.value)
    yield left_out
    print_notes(left_out.notes())


def counts_of(card: Card) -> dict[str, int]:
    """The counts of a corpus that was just written; what its card says of records that were left out is printed."""
    print_notes(note for note in card["notes"] if note.startswith(("salvaged: ", "left out: ")))
    return card["counts"]


def print_notes(notes: Iterable[str]) -> None:
    """Print notes of a card or an account to standard error, a line each."""
    for note in notes:
        typer.echo(note, err=True)


def print_left_out(counts: Mapping[str, int]) -> None:
    """Print how many records are left out, a line for each kind of which there are some."""
    print_notes(f"left out: {number:,} {kind}" for kind, number in counts.items() if number)


def check_folder(data: Path, contents: str) -> None:
    """Raise InputError where `data` is no folder; `contents` says what one should have in it."""
    if data.is_file():
        raise InputError(f"{data}: this is a file; name the folder that it lies in, with {contents}")
    if not data.is_dir():
        raise InputError(f"{data}: there is no such folder; expected one with {contents}")


@contextmanager
def workspace(data: Path, **sources: Path | None) -> Iterator[Path]:
    """A temporary folder for what is made of `data`; a message that names a file in it names `data` instead.

    Args:
        data: a file or a folder of the user.
        sources: other files of the user, by the name of the folder in the temporary one that is made of each.
    """
    with TemporaryDirectory(prefix="repline-") as name:
        try:
            yield Path(name)
        except InputError as error:
            copied_name = "" if data.is_dir() else rf"(/{re.escape(data.name)})?"
            pattern = rf"{re.escape(name)}(?:/(\w+))?{copied_name}"
            raise InputError(re.sub(pattern, lambda path: str(sources.get(path[1]) or data), str(error))) from None


def vectors_folder(vectors: Path, folder: Path, left_out: LeftOut) -> Path:
    """Word vectors of any format as a folder of the store: themselves where they are one, else a copy in `folder`."""
    from repline.vectors.conversion import convert
    from repline.vectors.formats.readers import detect, find

    source = find(vectors)
    if detect(source) == "store":
        return source
    convert(vectors, folder, on_error=left_out)
    return folder


def vectors_of_text(vectors: Path, folder: Path, counts: Mapping[str, int], left_out: LeftOut) -> Path:
    """Word vectors for a text in lower case, as a folder of the store; prints how much of the text has no vector.

    A word with capitals stands there in lower case, unless another word does or the text has it as it is.

    Args:
        vectors, folder, left_out: of `vectors_folder`.
        counts: of the words of the text.

    Raises:
        InputError: no word of the text has a vector.
    """
    from repline.cards import read_card
    from repline.lexicons.letter_case import as_listed
    from repline.vectors import store

    stored = vectors_folder(vectors, folder, left_out)
    words, matrix = store.words_and_matrix(stored)
    forms = as_listed(words, {*counts, *(word.lower() for word in words)})
    without_vector = counts.keys() - set(forms)
    if len(without_vector) == len(counts):
        raise InputError(
            f"{vectors}: none of the {len(counts):,} words of the text has a vector; take vectors of its language"
        )
    if without_vector:
        share = sum(counts[word] for word in without_vector) / sum(counts.values())
        print_notes(
            [f"{len(without_vector):,} of {len(counts):,} words ({100 * share:.1f} % of the text) have no vector"]
        )
    if forms == words:
        return stored
    card = read_card(stored)
    store.save(
        folder,
        forms,
        matrix,
        name=card["name"],
        description="Word vectors whose words are in lower case",
        licence=card["licence"],
        sources=[{"vectors": card}],
    )
    return folder


def splitting_named(name: str) -> "Splitting":
    """The splitting of this name; InputError where there is none."""
    from repline.segmentation.recipes import Splitting

    for splitting in get_args(Splitting):
        if splitting == name:
            return splitting
    raise InputError(f"--splitting: expected one of {', '.join(get_args(Splitting))}, found {shown(name)}")
