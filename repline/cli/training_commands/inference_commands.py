"""`repline train` for the relation of two sentences."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Data,
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    Vectors,
    WrongRecords,
    account,
    counts_of,
    vectors_of_text,
    workspace,
)
from repline.cli.written_options import scaled_batch


def definition_nli(
    context: typer.Context,
    data: Data,
    out: Out,
    vectors: Vectors,
    dictionary: Annotated[
        Path, typer.Option(help="A .tsv of words and definitions, or a wordnet.", show_default=False)
    ],
    epochs: Epochs = 4,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.002,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """The relation of two sentences, with definitions of their words.

    DATA holds train.tsv, dev.tsv and test.tsv; a head names the columns sentence1, sentence2 and label. A tenth of
    train is dev where there is none. DICTIONARY has a word, a tab and its definition a line, or is a wordnet: a folder
    of WordNet's own files, or XML. A pair with a sentence of which no word has a vector or a definition is wrong. A
    label of dev or test that train lacks ends the training, with --on-error salvage, too.
    """
    from repline.corpora.sentence_pairs.pair_corpus import write_pairs
    from repline.corpora.sentence_pairs.recipes import PairCorpus
    from repline.systems.definition_nli.corpus import read_data, write_data
    from repline.systems.definition_nli.settings import Corpus, Recipe
    from repline.systems.definition_nli.training import PREDICTIONS, train
    from repline.training.training_run import training_run

    recipe = Recipe(
        kind="proposed", dropout=0.2, gradient_clip=5.0, epochs=epochs, batch=batch, learning_rate=learning_rate
    )
    with workspace(data, vectors=vectors) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        table = PairCorpus(form="own", dev_share=0.1, on_error=on_error.value)
        counts_of(write_pairs(data, folder / "pairs", table))
        stored = vectors_of_text(vectors, folder / "vectors", _word_counts(folder / "pairs"), left_out)
        corpus = Corpus(
            pairs=str(folder / "pairs"),
            dictionary=str(dictionary.absolute()),
            vectors=str(stored.absolute()),
            longest=12,
            on_error=on_error.value,
        )
        counts_of(write_data(folder / "words", corpus))
        pairs = read_data(folder / "words")
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, len(pairs.pairs["train"].labels))})
        train(recipe, pairs, this_run)
    _print_test_accuracy(out, PREDICTIONS, "test", pairs.pairs["train"].labels, pairs.pairs["test"].labels)


def supervised_unsupervised(
    context: typer.Context,
    data: Data,
    out: Out,
    vectors: Vectors,
    units: Annotated[int, typer.Option(min=1, help="Number of units of each direction of the encoder.")] = 64,
    weight: Annotated[float, typer.Option(min=0, help="Weight of the second loss.")] = 0.01,
    epochs: Epochs = 4,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.002,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """The relation of two sentences, and an encoder of sentences that it trains.

    DATA is as of `repline train definition_nli`. A pair with a sentence of which no word has a vector is wrong. The
    second loss is the error of the vectors of words that are reconstructed from the states of the encoder.
    """
    from repline.corpora.sentence_pairs.pair_corpus import write_pairs
    from repline.corpora.sentence_pairs.recipes import PairCorpus
    from repline.evaluation.sentences.sentence_encoders import write_encoder
    from repline.systems.supervised_unsupervised.corpus import read_data, write_data
    from repline.systems.supervised_unsupervised.settings import Corpus, Recipe
    from repline.systems.supervised_unsupervised.training import MEASURED, train
    from repline.training.training_run import training_run
    from repline.use import stored_vectors

    recipe = Recipe(
        kind="bi_ae", weight=weight, units=units, hidden=2 * units, gradient_clip=5.0, epochs=epochs, batch=batch,
        learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data, vectors=vectors) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        table = PairCorpus(form="own", dev_share=0.1, on_error=on_error.value)
        counts_of(write_pairs(data, folder / "pairs", table))
        stored = vectors_of_text(vectors, folder / "vectors", _word_counts(folder / "pairs"), left_out).absolute()
        corpus = Corpus(pairs=[str(folder / "pairs")], vectors=str(stored), on_error=on_error.value)
        counts_of(write_data(folder / "words", corpus))
        pairs = read_data(folder / "words")
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, len(pairs.pairs["train"].labels))})
        train(recipe, pairs, stored, corpus, this_run)
        options = {"lower_case": corpus.lower_case, "spread": corpus.spread}
        write_encoder(this_run.folder, "supervised_unsupervised", vectors=stored_vectors.FOLDER, **options)
    _print_test_accuracy(out, MEASURED, "labels", pairs.pairs["train"].labels, pairs.pairs["test"].labels)


def _word_counts(pairs: Path) -> Counter[str]:
    """How often the words of a corpus of pairs occur, in lower case."""
    from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus

    table = read_pair_corpus(pairs)
    return Counter(
        token.lower() for side in ("tokens_a", "tokens_b") for tokens in table[side].to_pylist() for token in tokens
    )


def _print_test_accuracy(
    out: Path, file: str, key: str, train_labels: Sequence[str], test_labels: Sequence[str]
) -> None:
    """Print the share of test pairs whose number of a label in an .npz file of the model is right."""
    import numpy as np

    names = sorted(set(train_labels))
    with np.load(out / file) as predictions:
        predicted = [names[number] for number in predictions[key]]
    accuracy = np.mean([label == gold for label, gold in zip(predicted, test_labels, strict=True)])
    typer.echo(f"{out}: accuracy {accuracy:.3f} on {len(test_labels):,} pairs of test")
