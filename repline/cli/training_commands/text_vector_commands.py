"""`repline train` for vectors of the words of a chosen text."""

from enum import StrEnum
from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Dimensions,
    LearningRate,
    OnError,
    Out,
    Seed,
    Text,
    WrongRecords,
    account,
    print_notes,
    workspace,
)
from repline.cli.written_options import refuse_unread


class Method(StrEnum):
    """How vectors are made of a text."""

    lsa = "lsa"
    word2vec = "word2vec"


def corpus_specificity(
    context: typer.Context,
    data: Text,
    out: Out,
    method: Annotated[Method, typer.Option(help="Method: LSA of documents and words, or skip-gram.")] = Method.lsa,
    block: Annotated[int, typer.Option(min=1, help="Most words of a document; longer texts are cut.")] = 300,
    dimensions: Dimensions = 300,
    window: Annotated[int, typer.Option(min=1, help="Words of context on either side, with word2vec.")] = 15,
    negative: Annotated[
        int, typer.Option(min=1, help="Number of negative samples for each true word, with word2vec.")
    ] = 15,
    epochs: Annotated[int, typer.Option(min=1, help="Number of passes over the text, with word2vec.")] = 5,
    learning_rate: LearningRate = 0.025,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Word vectors of a small text of one subject, by LSA or word2vec.

    DATA is English text (.txt, a sentence or a paragraph a line), or a treebank (.conllu); a file or a folder. Words
    are in lower case, without stop words, numbers and marks. LSA has fewer dimensions than words and than documents,
    which are blocks of the text: a smaller --block makes more.
    """
    from repline.cli.training_commands.text_corpora import write_sentences
    from repline.systems.corpus_specificity.corpus import write_data
    from repline.systems.corpus_specificity.lsa_training import write_lsa
    from repline.systems.corpus_specificity.settings import LSA, Documents
    from repline.use.word_space import describe_vectors
    from repline.vectors.recipes import Word2Vec
    from repline.vectors.training import word2vec

    if method is Method.lsa:
        refuse_unread(context, f"--method {method.value}", "window", "negative", "epochs", "learning_rate")
    with workspace(data) as folder, account(on_error) as left_out:
        documents, text = folder / "documents", write_sentences(data, folder / "text", left_out)
        counts = write_data(documents, text, Documents(block=block, seed=seed))["counts"]
        if method is Method.lsa:
            size = write_lsa(out, documents, dimensions, LSA(dimensions=[dimensions], steps=1, samples=1))
            if size < dimensions:
                print_notes([_fewer_dimensions(size, dimensions, counts["documents"], block)])
        else:
            recipe = Word2Vec(
                dimensions=dimensions, window=window, negative=negative, epochs=epochs, learning_rate=learning_rate,
                sample=1e-3, minimum_count=1, lower=False, seed=seed,
            )  # fmt: skip
            word2vec(documents, out, recipe, progress=_print_epoch)
            describe_vectors(out, "corpus_specificity")
    typer.echo(f"{out}: {counts['documents']:,} documents, {counts['tokens']:,} words")


def _fewer_dimensions(size: int, dimensions: int, documents: int, block: int) -> str:
    """Why the vectors have fewer dimensions than was asked for, and what gives them more."""
    note = f"the vectors have {size:,} dimensions instead of {dimensions:,}: LSA has fewer than"
    if size < documents - 1:
        return f"{note} words, of which there are {size + 1:,}"
    return f"{note} documents, of which there are {documents:,}; a --block below {block} makes more of them"


def _print_epoch(epoch: int, epochs: int) -> None:
    typer.echo(f"epoch {epoch} of {epochs}", err=True)
