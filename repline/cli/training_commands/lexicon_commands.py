"""`repline train` for vectors and ratings of words that are learned with a lexicon."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from repline.cli.specialisation import Specialisation
from repline.cli.training_commands.training_options import (
    Dimensions,
    LearningRate,
    OnError,
    Out,
    Seed,
    Vectors,
    WrongRecords,
    account,
    print_left_out,
    print_notes,
    workspace,
)
from repline.cli.written_options import refuse_unread
from repline.errors import InputError

Words = Annotated[
    int | None, typer.Option(min=2, help="Number of words that are read, the first ones.", show_default="all")
]
Relations = Annotated[
    list[str] | None,
    typer.Option("--relation", help="Relation of the lexicon that counts; may be repeated.", show_default="all"),
]


class Enrichment(StrEnum):
    """How extrofitting and its peers bring a lexicon into vectors."""

    edges = "edges"
    notebook = "notebook"
    retrofitting = "retrofitting"


def extrofitting(
    context: typer.Context,
    data: Vectors,
    out: Out,
    lexicon: Annotated[Path, typer.Option(help="Neighbour lists, a graph, or a wordnet.", show_default=False)],
    relations: Relations = None,
    method: Annotated[
        Enrichment,
        typer.Option(
            help="Extrofitting by pairs (edges) or by the classes of its authors (notebook), or retrofitting."
        ),
    ] = Enrichment.edges,
    words: Words = None,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Word vectors enriched with a lexicon: those of related words come near each other.

    DATA are word vectors. LEXICON has a word and its neighbours between blanks a line, which are read in lower case, or
    is a folder with edges.parquet (columns source and target), or a wordnet: WordNet's own files, or XML. Relations are
    those of a graph or a wordnet, as synonym and hypernyms. The method edges whitens all vectors by the covariance of
    the differences of neighbours; notebook by that within the classes of the authors' program, the neighbours of a
    word, so words need several; retrofitting moves both words of a pair towards each other.
    """
    import shutil

    import pyarrow.parquet as pq

    from repline.cards import read_card
    from repline.files import new_folder
    from repline.systems.extrofitting.corpus import write_start
    from repline.systems.extrofitting.settings import Lexicon, Settings
    from repline.systems.extrofitting.training import EDGES, EXTROFITTING, train
    from repline.vectors.recipes import Retrofitting
    from repline.vectors.store import load_vocabulary

    if method is not Enrichment.notebook:
        refuse_unread(context, f"--method {method.value}", "seed")
    with workspace(data, wordnet=lexicon) as folder:
        stored = str(_stored_lexicon(lexicon, folder))
        source = Lexicon(place=stored, relations=relations or None, any_case=True, on_error=on_error.value)
        settings = Settings(
            vectors={"mine": str(data)},
            words=words,
            lexicons={"mine": source},
            plain_words=True,
            benchmarks=["none"],
            orders=[seed],
            retrofitting=Retrofitting(),
            sample=1,
        )
        write_start(folder / "start", "mine", settings, data="")
        name = EXTROFITTING if method is Enrichment.notebook else method.value
        train("mine", folder / "start", settings, folder / "fitted", data="", methods=[name], plain_pairs=True)
        print_notes(read_card(folder / "fitted" / name)["notes"])
        edges = pq.read_metadata(folder / "fitted" / EDGES).num_rows
        with new_folder(out) as partial:
            shutil.copytree(folder / "fitted" / name, partial, dirs_exist_ok=True)
    typer.echo(f"{out}: {len(load_vocabulary(out)):,} words, {edges:,} pairs of neighbours")


def lexical_contrast(
    context: typer.Context,
    data: Vectors,
    out: Out,
    synonyms: Annotated[
        Path | None, typer.Option(help="A file of two words a line that attract each other.", show_default="none")
    ] = None,
    antonyms: Annotated[
        Path | None, typer.Option(help="A file of two words a line that repel each other.", show_default="none")
    ] = None,
    method: Annotated[
        Specialisation, typer.Option(help="Method that moves the vectors.")
    ] = Specialisation.attract_repel,
    words: Words = None,
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="Number of passes over the pairs.", show_default="15, or 20 of counter-fitting"),
    ] = None,
    batch: Annotated[int, typer.Option(min=2, help="Number of pairs in a batch, with attract-repel.")] = 50,
    learning_rate: LearningRate = 0.05,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Word vectors specialised for synonyms and antonyms.

    DATA are word vectors. SYNONYMS and ANTONYMS have two words a line between blanks; give one file of them or both.
    A word is looked up as it is written, then in lower case. Pairs of a word without a vector are left out. The batch,
    the learning rate and the seed are those of attract-repel; counter-fitting has none.
    """
    from repline.cards import card_or_files
    from repline.lexicons.constraints import read_pairs
    from repline.systems.lexical_contrast.settings import AttractRepel, CounterFitting
    from repline.systems.lexical_contrast.use import attract_repel_words, counter_fit_words
    from repline.use.word_space import describe_vectors
    from repline.vectors import store
    from repline.vectors.formats import readers
    from repline.vectors.word_pairs import pair_rows

    if method is Specialisation.counter_fitting:
        refuse_unread(context, f"--method {method.value}", "batch", "learning_rate", "seed")
    if synonyms is None and antonyms is None:
        raise InputError("expected --synonyms, --antonyms, or both, found neither")
    files = {"synonyms": synonyms, "antonyms": antonyms}
    with account(on_error) as left_out:
        pairs = {
            name: read_pairs(path, lower=False, on_error=left_out) for name, path in files.items() if path is not None
        }
        names, matrix = readers.read(data, limit=words, on_error=left_out)
    if method is Specialisation.counter_fitting:
        counter_fitting = CounterFitting(epochs=epochs) if epochs else CounterFitting()
        parameters = counter_fitting.model_dump()
        fitted = counter_fit_words(names, matrix, **pairs, recipe=counter_fitting)
    else:
        attract_repel = AttractRepel(batch=batch, learning_rate=learning_rate)
        if epochs:
            attract_repel = attract_repel.model_copy(update={"epochs": epochs})
        parameters = attract_repel.model_dump() | {"seed": seed}
        fitted = attract_repel_words(
            names, matrix, **pairs, recipe=attract_repel, seed=seed, notice=_print_note, report=_print_epoch
        )
    store.save(
        out,
        names,
        fitted,
        description=f"Vectors specialised by {method.value}",
        licence="that of the vectors, and of the pairs",
        sources=[card_or_files(path) for path in (data, synonyms, antonyms) if path is not None],
        parameters={"method": method.value} | parameters,
        totals={name: len(listed) for name, listed in pairs.items()},
        tools=["scipy"],
    )
    describe_vectors(out, "lexical_contrast")
    counts = ", ".join(
        f"{len(pair_rows(names, listed)):,} of {len(listed):,} pairs of {name}" for name, listed in pairs.items()
    )
    typer.echo(f"{out}: {len(names):,} words, {counts}")


def wordnet_embeddings(
    data: Annotated[Path, typer.Option(help="A wordnet, a graph, or neighbour lists.", show_default=False)],
    out: Out,
    relations: Relations = None,
    words: Annotated[
        int | None, typer.Option(min=1, help="Number of words, the most related ones.", show_default="all")
    ] = None,
    alpha: Annotated[float, typer.Option(min=0, max=1, help="Decay of a walk with each step.")] = 0.75,
    dimensions: Dimensions = 850,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Word vectors of a lexicon alone: words that walks in its graph lead to are near.

    DATA is a lexicon as of `repline train extrofitting`: neighbour lists are read in lower case, so Polish and polish
    are one word. There are as many dimensions as words at most.
    """
    from repline.cards import card_or_files
    from repline.lexicons.vocabulary_edges import graph_tables
    from repline.systems.wordnet_embeddings.settings import Recipe
    from repline.systems.wordnet_embeddings.training import word_affinities, word_vectors
    from repline.use.word_space import describe_vectors
    from repline.vectors import store

    recipe = Recipe(words=words, relations=relations or None, alpha=alpha, dimensions=dimensions, seed=seed)
    with workspace(data) as folder, account(on_error) as left_out:
        affinities = word_affinities(graph_tables(_stored_lexicon(data, folder), on_error=left_out), recipe)
    matrix = word_vectors(affinities, recipe)
    store.save(
        out,
        affinities.words,
        matrix,
        description="Word vectors from a lexical graph: decayed walks, positive PMI, principal components",
        licence="that of the lexicon",
        sources=[card_or_files(data)],
        parameters=recipe.model_dump(exclude_unset=True),
        totals=affinities.totals,
        tools=["scipy"],
    )
    describe_vectors(out, "wordnet_embeddings", blank="_")
    typer.echo(f"{out}: {len(affinities.words):,} words, {matrix.shape[1]} dimensions")


def concreteness(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="A table of rated words.", show_default=False)],
    out: Out,
    vectors: Vectors,
    words: Annotated[
        int | None,
        typer.Option(min=1, help="Number of words whose ratings are listed, the first ones.", show_default="all"),
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=1, help="Number of rated words that are learned from.", show_default="all")
    ] = None,
    gamma: Annotated[
        float | None, typer.Option(min=1e-9, help="Width gamma of the kernel.", show_default="1 / dimensions")
    ] = None,
    c: Annotated[float, typer.Option("--c", min=1e-9, help="Weight of the errors.")] = 1.0,
    epsilon: Annotated[float, typer.Option(min=0, help="Size of an error that costs nothing.")] = 0.1,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Ratings of words, concreteness and imageability, learned from their vectors.

    DATA has a head and a word a line, separated by tabs, commas or semicolons: word and concreteness, imageability or
    both; Brysbaert's and the MRC database's files are read as they are. ratings.parquet lists the ratings of all words.
    """
    from repline.systems.concreteness.rated_words import match_ratings
    from repline.systems.concreteness.settings import Lexicon, SupportVectors
    from repline.systems.concreteness.training import MEASURED, train_lexicon
    from repline.vectors.formats import readers

    if most is None:
        refuse_unread(context, "a training from all rated words", "seed")
    with account(on_error) as left_out:
        names, matrix = readers.read(vectors, on_error=left_out)
        matched = match_ratings(data, names, matrix, any_case=True, on_error=left_out)
    _print_unused_ratings(data, matched.words)
    rated = matched.sample(most, seed)
    lexicon = Lexicon(ratings=str(data), words=words, most=most)
    support = SupportVectors(gamma=gamma, c=c, epsilon=epsilon)
    train_lexicon(lexicon, support, rated, names, matrix, out, vectors=str(vectors), data="")
    targets = [target for target in MEASURED if target in rated.ratings]
    typer.echo(f"{out}: learned from {len(rated.words):,} rated words, {', '.join(targets)}")


def _print_unused_ratings(data: Path, words: Sequence[str]) -> None:
    """Print how many rated words are not learned from; `words`: those that are, as the vectors write them."""
    from repline.lexicons.letter_case import as_listed
    from repline.systems.concreteness.ratings import rated_words, read_ratings

    table = read_ratings(data, on_error="salvage")  # wrong lines are told already
    single_words = rated_words(table)
    spelled = {word.strip().lower() for word in table["word"].to_pylist()}
    print_left_out(
        {
            "rated words without a vector": len(single_words.keys() - set(as_listed(words, single_words))),
            "rated expressions of several words": sum(len(word.split()) > 1 for word in spelled),
        }
    )


def _stored_lexicon(lexicon: Path, folder: Path) -> Path:
    """A lexicon that can be read as a graph: itself, or a stored wordnet in `folder` of WordNet's own files or XML."""
    from repline.cards import card_or_files
    from repline.lexicons.wordnet import storage
    from repline.reading.file_names import unpacked_name

    is_graph = any((lexicon / name).exists() for name in ("edges.parquet", "synsets.parquet"))
    if is_graph or (not unpacked_name(lexicon).endswith(".xml") and not lexicon.is_dir()):
        return lexicon
    card = card_or_files(lexicon)
    storage.save(storage.read(lexicon), folder / "wordnet", name=card["name"], licence=card["licence"], sources=[card])
    return folder / "wordnet"


def _print_note(note: str) -> None:
    typer.echo(note, err=True)


def _print_epoch(epoch: int, cost: float) -> None:
    typer.echo(f"epoch {epoch}: cost of a pair {cost:.4f}", err=True)
