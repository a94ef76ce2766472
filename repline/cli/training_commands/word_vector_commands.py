"""`repline train` for vectors of words that are composed of smaller parts."""

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
    WrongRecords,
    account,
    counts_of,
    workspace,
)
from repline.cli.written_options import scaled_batch
from repline.errors import InputError


def morph2vec(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="Word vectors, a file or a folder in any format.", show_default=False)],
    out: Out,
    language: Annotated[str, typer.Option(help="Language whose rules of lower case hold.")] = "en",
    words: Annotated[
        int, typer.Option(min=1, help="Number of words in lower case that are read, the first ones.")
    ] = 20_000,
    segmentations: Annotated[
        Path | None, typer.Option(help="A table of words and their morphs.", show_default="found by the vectors")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="Least cosine of a word and its stem.", show_default="nearer than chance"),
    ] = None,
    units: Annotated[int, typer.Option(min=1, help="Number of units of each LSTM.")] = 64,
    epochs: Epochs = 40,
    batch: ScaledBatch = 256,
    learning_rate: LearningRate = 0.005,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Vectors of words never seen, composed of their morphs.

    DATA are word vectors, the most frequent words first. Words of letters in lower case are split into stems and
    suffixes by the vectors, or as SEGMENTATIONS has them, and the model learns to compose their vectors. SEGMENTATIONS
    has a word, a tab and its morphs with blanks or hyphens between them a line; read are also word:morph-morph and the
    files of Morpho Challenge and SIGMORPHON 2022.
    """
    from repline.systems.morph2vec.corpus import prepare, read_words, usable_words
    from repline.systems.morph2vec.corpus import segmentations as read_segmentations
    from repline.systems.morph2vec.settings import Preparation, Recipe
    from repline.systems.morph2vec.training import train
    from repline.training.training_run import training_run
    from repline.vectors.formats.readers import read

    with account(on_error) as left_out:
        names, matrix = read(data, on_error=left_out)
        listed = read_segmentations([segmentations], language, on_error=left_out) if segmentations else None
    rows = usable_words(names, language, words)
    if not len(rows):
        raise InputError(f"{data}: expected words of lower-case letters, found none")
    preparation = Preparation(
        language=language, threshold=threshold, segments=4, keep=4, shortest=2, held_out=1, seed=seed
    )
    recipe = Recipe(
        embedding=50, units=units, encoder="bilstm", mixing="attention", dropout=0.0, weight_decay=1e-6,
        logit_penalty=0.0, dev=0.05, epochs=epochs, patience=3, batch=batch,
        learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data) as folder, training_run(out, seed) as this_run:
        counts = prepare([names[row] for row in rows], matrix[rows], folder / "words", preparation, listed)["counts"]
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, counts["words"])})
        train(recipe, read_words(folder / "words"), this_run)
    typer.echo(
        f"{out}: {counts['words']:,} words, {counts['split_words']:,} of them split, {counts['morphs']:,} morphs"
    )


def chinese_hybrid(
    data: Annotated[Path, typer.Option(help="A text file, or a folder of *.txt.", show_default=False)],
    out: Out,
    components: Annotated[
        Path | None,
        typer.Option(help="A table of characters and their components.", show_default="no components"),
    ] = None,
    minimum_count: Annotated[int, typer.Option(min=1, help="Least count of a word; rarer words are left out.")] = 5,
    dimensions: Dimensions = 50,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the text.")] = 4,
    window: Annotated[int, typer.Option(min=1, help="Words of context on either side.")] = 5,
    sample: Annotated[
        float, typer.Option(min=0, help="Share above which a word is left out at random; 0 keeps all.")
    ] = 1e-4,
    learning_rate: LearningRate = 0.025,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Vectors of Chinese words, characters and components; also of words never seen.

    DATA is Chinese text, a sentence a line, with blanks between its words. COMPONENTS has a character and its
    components between blanks a line, or is cjk_decomp.txt.
    """
    from repline.corpora.recipes import SegmentedLines
    from repline.corpora.segmented_lines import write_corpus
    from repline.lexicons.hanzi.components import read_components
    from repline.systems.chinese_hybrid.corpus import read_data, write_data
    from repline.systems.chinese_hybrid.settings import Bag, Corpus, Recipe
    from repline.systems.chinese_hybrid.training import train
    from repline.training.training_run import training_run

    with account(on_error) as left_out:
        table = read_components(components, on_error=left_out) if components else {}
    bags: list[Bag] = ["context_words", "context_characters", "own_characters"]
    if table:
        bags += ["context_components", "own_components"]
    recipe = Recipe(
        bags=bags, consistency=True, dimensions=dimensions, passes=passes, window=window, sample=sample,
        learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data) as folder, training_run(out, seed) as this_run:
        lines = SegmentedLines(language="zh", tags=False, on_error=on_error.value)
        counts_of(write_corpus(data, folder / "text", lines))
        corpus = Corpus(corpus="text", minimum_count=minimum_count)
        counts = write_data(folder / "words", corpus, data=folder)["counts"]
        train(recipe, read_data(folder / "words"), table, this_run)
    typer.echo(f"{out}: {counts['words']:,} words of {counts['kept_tokens']:,} in the text")
