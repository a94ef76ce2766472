"""`repline vectors`: fit lexicons into word vectors, convert them, and write them for other programs."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repline.cards import Source
from repline.cli.outputs import result_file, result_folder
from repline.cli.specialisation import Specialisation
from repline.cli.written_options import refuse_unread
from repline.errors import InputError
from repline.parameters import JsonObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

app = typer.Typer(
    no_args_is_help=True, help="Fit a lexicon into word vectors, convert vectors, or write them for other programs."
)
SMOOTHING = 1e-5  # of the length, as the programs of retrofitting and extrofitting divide
TEXT, BINARY = (".vec", ".txt"), (".bin",)  # names of files that vectors are written to; any other name is a folder


class Fitting(StrEnum):
    """Methods that take one lexicon of related words."""

    retrofitting = "retrofitting"
    extrofitting = "extrofitting"


Vectors = Annotated[
    Path,
    typer.Argument(
        help="Word vectors: .vec, .txt, .bin (plain or packed), .npy with words, a spaCy model, or a folder of them.",
        show_default=False,
    ),
]
Out = Annotated[
    Path,
    typer.Argument(
        help="A .vec or .txt file, a .bin file, or a folder for `repline.load`.",
        show_default=False,
        callback=lambda out: result_file(out) if out.suffix in (*TEXT, *BINARY) else result_folder(out),
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Read the first words only.", show_default="all")]
Epochs = Annotated[
    int | None, typer.Option(min=1, help="Number of passes over the pairs.", show_default="as published")
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same vectors.")]
Pairs = Annotated[Path | None, typer.Option(help="File of pairs: two words a line, or Parquet of constraints.")]


@app.command()
def specialise(
    context: typer.Context,
    vectors: Vectors,
    out: Out,
    synonyms: Pairs = None,
    antonyms: Pairs = None,
    method: Annotated[
        Specialisation,
        typer.Option(help="Method that moves the vectors; counter-fitting compares every two words."),
    ] = Specialisation.attract_repel,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Number of passes over the pairs.", show_default="as published")
    ] = None,
    limit: Limit = None,
    seed: Seed = 0,
) -> None:
    """Bring synonyms near each other and drive antonyms apart.

    The vectors that are written have unit length. Where there are fewer pairs than a batch of Attract-Repel, the batch
    shrinks, and a line says so.
    """
    from repline.systems.lexical_contrast.settings import AttractRepel, CounterFitting
    from repline.systems.lexical_contrast.use import attract_repel_words, counter_fit_words

    if method is Specialisation.counter_fitting:
        refuse_unread(context, f"--method {method.value}", "seed")
    if synonyms is None and antonyms is None:
        raise InputError("expected pairs of words: --synonyms FILE, --antonyms FILE, or both")
    words, matrix = _read(vectors, limit)
    near, far = (_pairs(path) if path else [] for path in (synonyms, antonyms))
    knobs: dict[str, int] = {} if epochs is None else {"epochs": epochs}
    if method is Specialisation.counter_fitting:
        counter_fitting = CounterFitting() if epochs is None else CounterFitting(epochs=epochs)
        fitted = counter_fit_words(words, matrix, near, far, recipe=counter_fitting)
    else:
        recipe = AttractRepel() if epochs is None else AttractRepel(epochs=epochs)
        fitted = attract_repel_words(
            words, matrix, near, far, recipe=recipe, seed=seed, notice=_notice, report=_progress(recipe.epochs)
        )
    sources = [vectors, *(path for path in (synonyms, antonyms) if path)]
    _write(out, words, fitted, f"{vectors.name} specialised by {method}", sources, {"seed": seed} | knobs)


@app.command()
def retrofit(
    context: typer.Context,
    vectors: Vectors,
    out: Out,
    lexicon: Annotated[
        Path,
        typer.Option(
            help="A word and its neighbours a line, read in lower case (also .gz), a Parquet file of source and "
            "target, or a wordnet.",
            show_default=False,
        ),
    ],
    method: Annotated[Fitting, typer.Option(help="Method that fits the lexicon.")] = Fitting.retrofitting,
    sweeps: Annotated[int, typer.Option(min=1, help="Passes of retrofitting over the lexicon.")] = 10,
    unit_length: Annotated[
        bool, typer.Option(help="Scale vectors to unit length first, as the published programs do.")
    ] = True,
    limit: Limit = None,
) -> None:
    """Fit a lexicon of related words into vectors.

    Retrofitting pulls both words of a pair towards each other. Extrofitting whitens all vectors by the covariance of
    related words, so that words outside the lexicon move, too.
    """
    import numpy as np

    from repline.lexicons.vocabulary_edges import vocabulary_edges
    from repline.reading.wrong_records import LeftOut
    from repline.systems.extrofitting.model import extrofit
    from repline.vectors.normalisation import unit_length as scaled
    from repline.vectors.recipes import Retrofitting
    from repline.vectors.retrofitting import retrofit as retrofitted

    if method is Fitting.extrofitting:
        refuse_unread(context, f"--method {method.value}", "sweeps")
    words, matrix = _read(vectors, limit)
    matrix = scaled(np.asarray(matrix, np.float32), SMOOTHING) if unit_length else matrix
    left_out = LeftOut("stop")
    edges = vocabulary_edges(_existing(lexicon), words, any_case=True, on_error=left_out)
    for note in left_out.notes():
        typer.echo(note, err=True)
    if method is Fitting.extrofitting:
        try:
            fitted = extrofit(matrix, edges, labels="edges")
        except ValueError as error:
            raise InputError(f"{lexicon}: {error}") from None
    else:
        edges = np.concatenate([edges, edges[:, ::-1]])
        fitted = retrofitted(matrix, edges, Retrofitting(sweeps=sweeps))
    knobs = {"unit_length": unit_length} | ({"sweeps": sweeps} if method is Fitting.retrofitting else {})
    _write(out, words, fitted, f"{vectors.name} with a lexicon, by {method}", [vectors, lexicon], knobs)


@app.command()
def convert(
    vectors: Vectors,
    out: Annotated[
        Path,
        typer.Argument(
            help="A folder for `repline.load` and for the stages.", show_default=False, callback=result_folder
        ),
    ],
    limit: Limit = None,
    first_of_repeated: Annotated[
        bool, typer.Option("--first-of-repeated", help="Keep the first vector of a word that occurs twice.")
    ] = False,
    salvage: Annotated[bool, typer.Option("--salvage", help="Leave out wrong lines, and say how many.")] = False,
) -> None:
    """Turn vectors of any format into a folder that is mapped into memory."""
    from repline.reading.wrong_records import LeftOut
    from repline.vectors.conversion import convert as converted

    left_out = LeftOut("salvage" if salvage else "stop")
    card = converted(
        _existing(vectors),
        out,
        duplicates="first" if first_of_repeated else "stop",
        limit=limit,
        on_error=left_out,
    )
    for note in left_out.notes():
        typer.echo(note, err=True)
    _say(out, card["counts"]["words"], card["counts"]["dimensions"])


@app.command()
def export(
    vectors: Vectors,
    out: Annotated[
        Path,
        typer.Argument(
            help="The file to write: .vec or .txt for text, .bin for binary.", show_default=False, callback=result_file
        ),
    ],
    limit: Limit = None,
) -> None:
    """Write vectors of any format in word2vec's formats, which other programs read."""
    if out.suffix not in (*TEXT, *BINARY):
        raise InputError(f"{out}: expected a name that ends in {', '.join((*TEXT, *BINARY))}")
    words, matrix = _read(vectors, limit)
    _write_file(out, words, matrix)
    _say(out, len(words), matrix.shape[1])


def _read(path: Path, limit: int | None) -> tuple[list[str], "np.ndarray"]:
    from repline.vectors.formats.readers import read

    return read(path, limit=limit)


def _pairs(path: Path) -> list[tuple[str, str]]:
    from repline.lexicons.constraints import read_constraints, read_pairs

    return read_constraints(path) if path.suffix == ".parquet" else read_pairs(path, lower=False)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    return path


def _write(
    out: Path,
    words: Sequence[str],
    matrix: "NDArray",
    description: str,
    sources: Sequence[Path],
    parameters: JsonObject,
) -> None:
    from repline.vectors import store

    if out.suffix in (*TEXT, *BINARY):
        _write_file(out, words, matrix)
    else:
        names: list[Source] = [{"name": path.name} for path in sources]
        store.save(out, words, matrix, description=description, sources=names, parameters=parameters)
    _say(out, len(words), matrix.shape[1])


def _write_file(out: Path, words: Sequence[str], matrix: "NDArray") -> None:
    from repline.vectors import store

    (store.write_text if out.suffix in TEXT else store.write_binary)(words, matrix, out)


def _say(out: Path, words: int, dimensions: int) -> None:
    typer.echo(f"{out}: {words:,} words, {dimensions} dimensions")


def _notice(text: str) -> None:
    typer.echo(text, err=True)


def _progress(epochs: int) -> Callable[[int, float], None]:
    def report(epoch: int, cost: float) -> None:
        typer.echo(f"epoch {epoch} of {epochs}: cost of a pair {cost:.4f}", err=True)

    return report
