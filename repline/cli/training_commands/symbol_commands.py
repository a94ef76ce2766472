"""`repline train` for models of brackets, expressions and formulas, which read text, too."""

import shutil
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from repline.cli.training_commands.language_model_commands import Steps, Units
from repline.cli.training_commands.training_options import (
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    Vocabulary,
    WrongRecords,
    account,
    print_left_out,
    workspace,
)
from repline.cli.written_options import refuse_unread, scaled_batch


class Task(StrEnum):
    """What an RRNet learns."""

    language_model = "language_model"
    expressions = "expressions"
    relations = "relations"


def urn(
    context: typer.Context,
    data: Annotated[
        Path,
        typer.Option(help="Lines of brackets, or sentences with their verbs marked or parsed.", show_default=False),
    ],
    out: Out,
    dimensions: Annotated[int, typer.Option("--dimensions", min=2, help="Size n of a symbol's n x n matrix.")] = 50,
    truncation: Annotated[int, typer.Option(min=1, help="Number k of matrix rows that are free.")] = 3,
    dropout: Annotated[float, typer.Option(min=0, max=0.99)] = 0.05,
    minimum_count: Annotated[
        int, typer.Option(min=1, help="Least count of a known word, where sentences are read.")
    ] = 2,
    epochs: Epochs = 20,
    batch: ScaledBatch = 512,
    learning_rate: LearningRate = 0.01,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A unitary recurrent network: a language model of brackets, or a classifier of a verb's number.

    DATA is a .txt with a string of the brackets () {} [] <> +- a line; or a treebank (.conllu), or a .tsv with the
    columns sentence, verb_pos and verb_index of Linzen et al., whose present-tense verbs are predicted. A treebank has
    the tags of the Penn Treebank as XPOS: verbs are found by VBZ and VBP.
    """
    from repline.cards import splitter_of
    from repline.cli.training_commands.text_corpora import write_sentences
    from repline.reading.file_names import unpacked_name
    from repline.systems.urn.agreement.corpus import extract
    from repline.systems.urn.agreement.examples import read_examples, read_vocabulary
    from repline.systems.urn.dyck import read_own_strings
    from repline.systems.urn.settings import AgreementCorpus, AgreementRecipe, DyckRecipe
    from repline.systems.urn.training import train_agreement, train_dyck
    from repline.training.training_run import training_run

    shared = {
        "n": dimensions, "k": truncation, "dropout": dropout, "epochs": epochs,
        "learning_rate": learning_rate,
    }  # fmt: skip
    if data.is_file() and unpacked_name(data).endswith(".txt"):
        refuse_unread(context, "a model of brackets", "minimum_count")
        with account(on_error) as left_out:
            strings = read_own_strings(data, on_error=left_out)
        size = scaled_batch(context, batch, len(strings))
        with training_run(out, seed) as this_run:
            train_dyck(DyckRecipe.model_validate(shared | {"model": "turn", "batch": size}), strings, this_run)
        typer.echo(f"{out}: {len(strings):,} strings of up to {strings.shape[1]} brackets")
        return
    with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        sentences = write_sentences(data, folder / "sentences", left_out, apart=True)
        corpus = AgreementCorpus(
            source="sentences", minimum_count=minimum_count, maximum_tokens=50, test_share=0.1, seed=seed
        )
        card = extract(sentences, folder / "examples", corpus)
        prefix = "dropped_"
        print_left_out(
            {
                f"verbs ({name.removeprefix(prefix).replace('_', ' ')})": number
                for name, number in card["counts"].items()
                if name.startswith(prefix)
            }
        )
        examples = read_examples(folder / "examples", "train")
        words = [row["word"] for row in read_vocabulary(folder / "examples")]
        size = scaled_batch(context, batch, len(examples.number))
        recipe = AgreementRecipe.model_validate(shared | {"model": "turn", "batch": size})
        train_agreement(recipe, examples, words, splitter_of(card), this_run)
    typer.echo(f"{out}: {card['counts']['train_examples']:,} verbs of train, {card['counts']['vocabulary']:,} words")


def rrnet(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="Text, expressions, or pairs of formulas.", show_default=False)],
    out: Out,
    task: Annotated[Task, typer.Option(help="Task that is learned.")] = Task.language_model,
    vocabulary: Vocabulary = 2000,
    embedding: Annotated[int | None, typer.Option(min=1, show_default="32, or 64 of a language model")] = None,
    units: Units = 64,
    steps: Steps = 35,
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="Number of passes over the data.", show_default="8, 3 of relations, 1 of text"),
    ] = None,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.004,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A recurrent network with a stack: a language model, values of expressions, or relations of formulas.

    DATA of a language model is text as of `repline train hrrlm`. Of expressions it is one a line, as ((9+2)-(1*3)),
    with values of two digits; of relations, two formulas with a tab between them, as a TAB ( a ( or b ) ). Values and
    relations are computed; where a tab and one of them follows, it is checked. What brackets say guides the stack.
    """
    from repline.cli.training_commands.text_corpora import most_frequent_words, print_perplexity, write_word_stream
    from repline.systems.rrnet.language_model_training import train_rrnet_language_model
    from repline.systems.rrnet.math_expressions import write_own_expressions
    from repline.systems.rrnet.propositional_logic import write_own_pairs
    from repline.systems.rrnet.settings import ExpressionRecipe, LanguageModelRecipe, RelationRecipe
    from repline.systems.rrnet.training import train_expressions, train_relations
    from repline.training.run import Run
    from repline.training.training_run import training_run

    if task is not Task.language_model:
        refuse_unread(context, f"--task {task.value}", "vocabulary", "steps")
    shared = {
        "seeds": [seed], "units": units, "learning_rate": learning_rate, "gradient_clip": 1.0,
    }  # fmt: skip
    if task is Task.language_model:
        with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
            text = write_word_stream(data, folder, left_out)
            corpus = most_frequent_words(text, vocabulary)
            values = {
                "embedding": embedding or 64, "vocabulary": len(corpus), "steps": steps, "epochs": epochs or 1,
                "batch": scaled_batch(context, batch, len(corpus.ids("train")) // steps),
                "dropout_input": 0.1, "dropout_output": 0.2, "betas": [0.0, 0.999], "epsilon": 1e-9,
            }  # fmt: skip
            recipe = LanguageModelRecipe.model_validate(shared | values)
            train_rrnet_language_model(recipe, text, this_run)
            print_perplexity(out, this_run.folder, corpus)
        return
    encoder = shared | {"encoder": "brackets", "embedding": embedding or 32}
    with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        # both trainings save a model for each of several numbers of epochs; here there is one of them
        inner = Run(folder / "run", seed=seed, name=out.name, scratch=this_run.scratch)
        if task is Task.expressions:
            count, passes = write_own_expressions(data, folder, on_error=left_out), epochs or 8
            lengths = sorted(set(_lengths(folder / "train.parquet")))
            values = encoder | {"epochs": [passes], "lengths": lengths, "batch": scaled_batch(context, batch, count)}
            train_expressions(ExpressionRecipe.model_validate(values), folder, inner)
        else:
            count, passes = write_own_pairs(data, folder, on_error=left_out), epochs or 3
            longest = max(1, *_lengths(folder / "train.parquet"))
            values = encoder | {"epochs": [passes], "longest": longest, "batch": scaled_batch(context, batch, count)}
            train_relations(RelationRecipe.model_validate(values), folder, inner)
        shutil.copytree(inner.folder / f"after-{passes}", this_run.folder, dirs_exist_ok=True)
    typer.echo(f"{out}: {count:,} lines of {data}")


def _lengths(path: Path) -> list[int]:
    import pyarrow.parquet as pq

    lengths: list[int] = pq.read_table(path, columns=["length"])["length"].to_pylist()
    return lengths
