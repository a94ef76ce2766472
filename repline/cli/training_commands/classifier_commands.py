"""`repline train` for classifiers of texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from repline.cli.training_commands.training_options import (
    Epochs,
    LearningRate,
    Length,
    OnError,
    Out,
    Seed,
    Sentences,
    SplittingName,
    Table,
    WrongRecords,
    account,
    print_notes,
    splitting_named,
)
from repline.cli.written_options import batch_of

if TYPE_CHECKING:
    from repline.corpora.labelled.classified_texts import Texts


def hcan(
    data: Table,
    out: Out,
    splitting: SplittingName = "marks",
    sentences: Sentences = 20,
    length: Length = 30,
    size: Annotated[int, typer.Option(min=2, help="Number of features of a word and of a sentence.")] = 64,
    heads: Annotated[int, typer.Option(min=1, help="Number of attention heads, which divides the size.")] = 4,
    epochs: Epochs = 10,
    learning_rate: LearningRate = 0.002,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A classifier of texts: convolutions and attention over words and sentences.

    DATA is a table: label, tab, text; or a head that names the columns label, text and part (train, dev, test). The
    epoch that is best on dev is kept, and the accuracy on the texts of test printed.
    """
    from repline.evaluation.classification.own_texts import read_own_texts
    from repline.systems.hcan.settings import HCAN, Recipe
    from repline.systems.hcan.training import train
    from repline.training.training_run import training_run

    with account(on_error) as left_out:
        texts = read_own_texts(data, splitting_named(splitting), on_error=left_out)
    _note_what_is_cut(texts, sentences, length)
    recipe = Recipe(
        **_classifier_recipe(len(texts.ids["train"]), epochs, learning_rate, sentences, length),
        dimensions=size,
        features=size,
        heads=heads,
    )
    with training_run(out, seed) as this_run:
        train(recipe, HCAN(kind="hcan"), texts, this_run)
    _print_test_accuracy(out, texts)


def lmtgru(
    data: Table,
    out: Out,
    splitting: SplittingName = "marks",
    sentences: Sentences = 5,
    length: Length = 30,
    units: Annotated[int, typer.Option(min=1, help="Number of units of the recurrence.")] = 60,
    filters: Annotated[int, typer.Option(min=1, help="Number of filters of each width of the convolutions.")] = 50,
    epochs: Epochs = 10,
    learning_rate: LearningRate = 0.001,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A classifier of short texts: convolutions, and a recurrence whose units have timescales.

    DATA is a table as of `repline train hcan`.
    """
    from repline.evaluation.classification.own_texts import read_own_texts
    from repline.systems.lmtgru.settings import CNNLMTGRU, Recipe
    from repline.systems.lmtgru.training import train
    from repline.training.training_run import training_run

    with account(on_error) as left_out:
        texts = read_own_texts(data, splitting_named(splitting), on_error=left_out)
    _note_what_is_cut(texts, sentences, length)
    recipe = Recipe(
        **_classifier_recipe(len(texts.ids["train"]), epochs, learning_rate, sentences, length),
        dimensions=units,
        units=units,
        filters=filters,
    )
    with training_run(out, seed) as this_run:
        train(recipe, CNNLMTGRU(kind="lmtgru"), texts, this_run)
    _print_test_accuracy(out, texts)


def complex_embedding(
    data: Table,
    out: Out,
    splitting: SplittingName = "marks",
    sentences: Sentences = 20,
    length: Length = 120,
    dimensions: Annotated[
        int, typer.Option(min=1, help="Dimensions of a word's complex vector, at least as many as labels.")
    ] = 50,
    superposition: Annotated[
        bool, typer.Option(help="Make a sentence a superposition of its words, instead of a mixture.")
    ] = False,
    epochs: Epochs = 10,
    learning_rate: LearningRate = 0.002,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A classifier of texts: words as quantum states, a sentence as their mixture or superposition.

    DATA is a table as of `repline train hcan`.
    """
    from repline.evaluation.classification.own_texts import read_own_texts
    from repline.evaluation.classification.recipes import Recipe
    from repline.systems.complex_embedding.settings import ComplexEmbedding
    from repline.systems.complex_embedding.training import train
    from repline.training.training_run import training_run

    network = ComplexEmbedding(kind="complex", sentence="superposition" if superposition else "mixture")
    with account(on_error) as left_out:
        texts = read_own_texts(data, splitting_named(splitting), on_error=left_out)
    _note_what_is_cut(texts, sentences, length)
    shared = _classifier_recipe(len(texts.ids["train"]), epochs, learning_rate, sentences, length)
    with training_run(out, seed) as this_run:
        train(Recipe(**shared, dimensions=dimensions), network, texts, this_run)
    _print_test_accuracy(out, texts)


class SharedRecipe(TypedDict):
    """What the recipes of all classifiers have."""

    epochs: int
    learning_rate: float
    batch: int
    sentences: int
    length: int
    minimum_count: int


def _classifier_recipe(texts: int, epochs: int, learning_rate: float, sentences: int, length: int) -> SharedRecipe:
    """What the recipes of classifiers share; few texts make small batches and a large vocabulary."""
    return {
        "epochs": epochs,
        "learning_rate": learning_rate,
        "batch": batch_of(32, texts),
        "sentences": sentences,
        "length": length,
        "minimum_count": 1 if texts < 1000 else 2,
    }


def _note_what_is_cut(texts: "Texts", sentences: int, length: int) -> None:
    """Print of how many texts a part is read: the first sentences, and the first words of each."""
    everything = [text for part in texts.sentences.values() for text in part]
    cut = sum(len(text) > sentences or any(len(words) > length for words in text) for text in everything)
    if cut:
        print_notes(
            [
                f"of {cut:,} of {len(everything):,} texts a part is read: the first {sentences} sentences, and "
                f"{length} words of each (--sentences, --length)"
            ]
        )


def _print_test_accuracy(out: Path, texts: "Texts") -> None:
    import numpy as np

    from repline.evaluation.classification.training import SCORES

    with np.load(out / SCORES) as scores:
        accuracy = float((scores["test"].argmax(axis=1) == texts.gold["test"]).mean())
    typer.echo(f"{out}: accuracy {accuracy:.3f} on {len(texts.gold['test']):,} texts of test")
