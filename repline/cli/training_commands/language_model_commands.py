"""`repline train` for language models."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Dimensions,
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    Text,
    Vocabulary,
    WrongRecords,
    account,
    print_left_out,
    workspace,
)
from repline.cli.written_options import refuse_unread, scaled_batch

Units = Annotated[int, typer.Option(min=1, help="Number of units of the recurrence.")]
Layers = Annotated[int, typer.Option(min=1, help="Number of layers of the recurrence.")]
Steps = Annotated[int, typer.Option(min=2, help="Number of words that a gradient is carried back.")]
PATIENCE = 3  # epochs without a lower loss on valid, after which training ends


class Variant(StrEnum):
    """How a Bracket-RNN reads brackets; the LSTM reads none."""

    a = "A"
    b = "B"
    c = "C"
    linear = "linear"
    lstm = "lstm"


class Relations(StrEnum):
    """The annotation scheme of a treebank."""

    ud = "ud"
    spacy = "spacy"


def hrrlm(
    context: typer.Context,
    data: Text,
    out: Out,
    vocabulary: Vocabulary = 3000,
    dimensions: Dimensions = 64,
    fillers: Annotated[int, typer.Option(min=1, help="Number of fillers of a word, each bound to a role.")] = 2,
    width: Annotated[
        int, typer.Option(min=1, help="Dimensions of a filler; fillers times width fit into the dimensions.")
    ] = 30,
    layers: Layers = 1,
    dropout: Annotated[float, typer.Option(min=0, max=0.99)] = 0.2,
    steps: Steps = 35,
    epochs: Epochs = 20,
    batch: ScaledBatch = 20,
    learning_rate: LearningRate = 0.005,
    chunks: Annotated[
        bool, typer.Option("--chunks", help="Learn chunks, such as noun phrases, after the words.")
    ] = False,
    chunk_epochs: Annotated[int, typer.Option(min=1, help="Number of passes over the data for words and chunks.")] = 1,
    chunk_learning_rate: LearningRate = 0.002,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A language model whose words are sums of fillers bound to roles.

    DATA is English text (.txt, a sentence or a paragraph a line) or a treebank (.conllu), a file or a folder; texts in
    a folder with treebanks are left out. Words are read in lower case, numbers as N, and marks are left out. Files with
    train, valid and test as a word of their names (ptb.train.txt) are the parts, with words between blanks; else the
    last tenth of each file is test, and the tenth before it valid. Training ends early where three epochs have not
    lowered the loss on valid, and the best epoch is kept. Chunks are those of a treebank's parse with Penn tags, or of
    text as spaCy parses it.
    """
    from repline.cli.training_commands.text_corpora import most_frequent_words, print_perplexity, write_word_stream
    from repline.systems.hrrlm.chunk_training import train_chunks
    from repline.systems.hrrlm.settings import ChunkRecipe, WordRecipe
    from repline.systems.hrrlm.training import train_words
    from repline.training.run import Run
    from repline.training.training_run import training_run

    if not chunks:
        refuse_unread(context, "a training without --chunks", "chunk_epochs", "chunk_learning_rate")
    recipe = WordRecipe(
        dimensions=dimensions, fillers=fillers, width=width, layers=layers, dropout=dropout, steps=steps,
        optimizer="adam", gradient_clip=1.0, epochs=epochs, patience=PATIENCE, batch=batch, learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        corpus = most_frequent_words(write_word_stream(data, folder, left_out, chunks=chunks), vocabulary)
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, len(corpus.ids("train")) // steps)})
        words = Run(folder / "words", seed=seed, name="words", scratch=this_run.scratch) if chunks else this_run
        train_words(recipe, corpus, words)
        print_perplexity(out, words.folder, corpus)
        if chunks:
            chunk_recipe = ChunkRecipe(
                corpus=data.name,
                epochs=chunk_epochs,
                learning_rate=chunk_learning_rate,
                batch=scaled_batch(context, batch, len(corpus.sentences("train")) - 1),
            )
            train_chunks(chunk_recipe, words.folder, corpus, this_run)
            typer.echo(f"{out}: words and chunks, {chunk_epochs} more epochs")


def bracket_rnn(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="A treebank, a file or a folder.", show_default=False)],
    out: Out,
    relations: Annotated[Relations, typer.Option(help="Annotation scheme of the treebank.")] = Relations.ud,
    variant: Annotated[Variant, typer.Option(help="Way in which brackets are read; lstm reads none.")] = Variant.a,
    vocabulary: Vocabulary = 2000,
    longest: Annotated[int, typer.Option(min=2, help="Most words of a sentence that is read.")] = 40,
    units: Units = 64,
    layers: Layers = 1,
    dropout: Annotated[float, typer.Option(min=0, max=0.99)] = 0.3,
    epochs: Epochs = 4,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.004,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A language model that reads brackets around optional phrases.

    DATA is a treebank in CoNLL-U (.conllu), or sentences in Parquet with the columns head and dep. The brackets are set
    around modifiers by their relations. Files, words and the end of the training are as of `repline train hrrlm`.
    """
    from repline.cli.training_commands.text_corpora import most_frequent_words, write_word_stream
    from repline.systems.bracket_rnn.corpus import write
    from repline.systems.bracket_rnn.settings import Constituents, Recipe
    from repline.systems.bracket_rnn.training import open_corpus, train
    from repline.training.training_run import training_run

    if variant is Variant.lstm:
        refuse_unread(context, f"--variant {variant.value}", "relations")
    with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        text = write_word_stream(data, folder, left_out)
        recipe = Recipe(
            brackets="none" if variant is Variant.lstm else "tree", variant=variant.value,
            vocabulary=len(most_frequent_words(text, vocabulary)), minimum_count=1, shortest=2, longest=longest,
            train_sentences=None, evaluation_sentences=None, embedding=units, units=units, layers=layers,
            input_dropout=dropout, hidden_dropout=dropout, output_dropout=dropout, merge_units=2 * units,
            gradient_clip=1.0, epochs=epochs, patience=PATIENCE, batch=batch, learning_rate=learning_rate,
        )  # fmt: skip
        counts = write(text, folder / "brackets", Constituents(scheme=relations.value))["counts"]
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, counts["train_sentences"])})
        corpus = open_corpus(text, folder / "brackets", recipe)
        learned = len(corpus.sentences("train")) - 1
        print_left_out({f"sentences of one word or of more than {longest}": counts["train_sentences"] - learned})
        train(recipe, corpus, this_run)
    typer.echo(f"{out}: {learned:,} sentences, {counts['train_pairs']:,} pairs of brackets")


def lstm_memorization(
    context: typer.Context,
    data: Text,
    out: Out,
    distribution: Annotated[
        str, typer.Option(help="Distribution of the training text: language, unigram, 5gram (any number), or uniform.")
    ] = "language",
    types: Annotated[int, typer.Option(min=2, help="Number of words that are read, the most frequent ones.")] = 10_000,
    length: Annotated[int, typer.Option(min=2, help="Length of a sequence, whose middle word is recalled.")] = 10,
    stride: Annotated[int, typer.Option(min=1, help="Distance in words from one sequence to the next.")] = 5,
    units: Units = 50,
    epochs: Epochs = 6,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.003,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """An LSTM that recalls the middle word of what it read.

    DATA is text or a treebank as of `repline train hrrlm`; all parts are read.
    """
    import numpy as np

    from repline.cards import read_card
    from repline.cli.training_commands.text_corpora import write_word_stream
    from repline.corpora.language_modeling.corpus import SPLITS, LanguageModelingCorpus
    from repline.systems.lstm_memorization.corpus import build
    from repline.systems.lstm_memorization.settings import CorpusRecipe, Experiment, Recipe
    from repline.systems.lstm_memorization.training import train
    from repline.training.training_run import training_run

    recipe = Recipe(
        stride=min(stride, length), epochs=epochs, batch=batch, batch_of_few=batch, learning_rate=learning_rate
    )
    with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        corpus = LanguageModelingCorpus.load(write_word_stream(data, folder, left_out))
        ids = np.concatenate([corpus.ids(split) for split in SPLITS])
        there = len(np.unique(ids))
        streams = CorpusRecipe(types=min(types, there), test_types=min(100, types, there), test_sequences=1000)
        source = read_card(corpus.folder)
        build(
            ids, corpus.words, folder / "middle", streams, distributions=[distribution], lengths=[length], source=source
        )
        size = scaled_batch(context, batch, len(ids) // min(stride, length))
        recipe = recipe.model_copy(update={"batch": size, "batch_of_few": size})
        experiment = Experiment(distribution=distribution, dimensions=units, length=length)
        train(recipe, folder / "middle", experiment, this_run)
    typer.echo(f"{out}: {streams.types:,} words of {len(ids):,} in the text")
