"""`repline train` for semantic roles."""

from pathlib import Path
from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    WrongRecords,
    account,
    counts_of,
    print_left_out,
    vectors_of_text,
    workspace,
)
from repline.cli.written_options import scaled_batch


def srl_seq2seq(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="A file of sentences with roles, or a folder.", show_default=False)],
    out: Out,
    vectors: Annotated[
        Path | None,
        typer.Option(help="Word vectors to begin with; other words are unknown.", show_default="none"),
    ] = None,
    tagger: Annotated[
        bool, typer.Option(help="Tag the words, instead of writing the sentence again with brackets.")
    ] = False,
    units: Annotated[int, typer.Option(min=1, help="Number of units of each direction of the encoder.")] = 40,
    longest: Annotated[
        int, typer.Option(min=1, help="Most tokens of a sentence of train with its brackets; longer ones are left out.")
    ] = 100,
    minimum_count: Annotated[int, typer.Option(min=1, help="Least count of a known word.")] = 1,
    epochs: Epochs = 5,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.004,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A labeller of semantic roles: the predicates of a sentence and their arguments.

    DATA is JSON lines: {"id": "1", "split": "train", "words": [...], "props": [{"args": [["A0", 0, 1], ["V", 2, 2]]}]},
    with the first and the last word of each argument, from 0, and V for the predicate. The splits are train, dev and
    test, and all of them are needed; a file named after one may leave it out. Also read are *.props.
    """
    from collections import Counter

    from repline.corpora.srl.linearisation import source_of
    from repline.corpora.srl.role_corpus import read_roles, write_roles
    from repline.reading.settings import Reading
    from repline.systems.srl_seq2seq.corpus import read_data, write_data
    from repline.systems.srl_seq2seq.settings import Corpus, Recipe
    from repline.systems.srl_seq2seq.training import train
    from repline.training.training_run import training_run

    recipe = Recipe(
        kind="tagger" if tagger else "copying", embedding=50, units=units, dropout=0.1, gradient_clip=5.0,
        epochs=epochs, batch=batch, learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data, vectors=vectors) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        counts_of(write_roles(data, folder / "roles", Reading(on_error=on_error.value)))
        stored = folder
        if vectors is not None:
            train_words = (
                word for sentence in read_roles(folder / "roles", "train") for word in source_of(sentence.tokens, None)
            )
            stored = vectors_of_text(vectors, folder / "vectors", Counter(train_words), left_out)
        corpus = Corpus(
            roles=str(folder / "roles"), pretrained=bool(vectors), longest_target=longest, minimum_count=minimum_count
        )
        counts = write_data(folder / "instances", corpus, stored.absolute())["counts"]
        print_left_out(
            {f"predicates of train whose sentence with brackets is over {longest} tokens": counts["too_long"]}
        )
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, counts["train"])})
        train(recipe, read_data(folder / "instances"), this_run)
    typer.echo(f"{out}: {counts['train']:,} predicates of train, {counts['words']:,} words")
