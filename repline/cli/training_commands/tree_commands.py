"""`repline train` for parsers of sentences and generators of captions."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repline.cli.training_commands.text_corpora import print_passed_over
from repline.cli.training_commands.training_options import (
    Data,
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    WrongRecords,
    account,
    check_folder,
    counts_of,
    print_notes,
    workspace,
)
from repline.cli.written_options import scaled_batch
from repline.errors import InputError
from repline.reading.wrong_records import LeftOut

if TYPE_CHECKING:
    from repline.corpora.scenes.scene import SceneSentence


def context_parser(
    data: Annotated[Path, typer.Option(help="A treebank, or a folder of scenes.", show_default=False)],
    out: Out,
    c: Annotated[float, typer.Option("--c", min=1e-9, help="The largest step of MIRA.")] = 0.01,
    epochs: Epochs = 1,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A dependency parser that a context of relations guides, and that fills gaps by it.

    DATA is a treebank (.conllu, a file or a folder; tags of the Penn Treebank as XPOS), from which a parser without
    context is learned: it parses sentences, and does not count the relations of a context. Or it is a folder of scenes
    as MD-TC has them: NAME.train.txt, sentences with 9 columns (id, form, lemma, coarse tag, tag, features, head,
    relation, item of the scene), and NAME.train_context.txt, its triplets: argument, $Relation$, predicate.
    """
    from repline.files import new_folder
    from repline.reading.file_names import files_with, unpacked_name
    from repline.systems.context_parser.settings import Recipe
    from repline.systems.context_parser.training import train_parser

    if not data.exists():
        raise InputError(f"{data}: there is no such file or folder")
    treebanks = [path for path in files_with(data, ".conllu") if unpacked_name(path).endswith(".conllu")]
    if treebanks:
        print_passed_over(data, treebanks)
    with account(on_error) as left_out:
        sentences = _sentences_of(data, treebanks, left_out)
    if not sentences:
        raise InputError(f"{data}: there is no complete sentence to train the parser on")
    with new_folder(out) as partial:
        train_parser(
            Recipe(c=c, epochs=epochs), sentences, partial, context=not treebanks, progress=_progress(len(sentences))
        )
    typer.echo(f"{out}: {len(sentences):,} sentences, {'without' if treebanks else 'with'} context")


def _sentences_of(data: Path, treebanks: Sequence[Path], left_out: LeftOut) -> "list[SceneSentence]":
    from repline.corpora.scenes.scene_files import read_scenes
    from repline.corpora.scenes.treebank_sentences import treebank_sentences

    if treebanks:
        return treebank_sentences(treebanks, on_error=left_out)
    if data.is_dir():
        return [sentence for scene in read_scenes(data, on_error=left_out) for sentence in scene.sentences]
    raise InputError(f"{data}: expected a treebank (.conllu), or a folder of scenes")


def tpgn(
    context: typer.Context,
    data: Data,
    out: Out,
    dimensions: Annotated[int, typer.Option(min=1, help="Dimensions d of a filler; the state has d times d.")] = 10,
    embedding: Annotated[int, typer.Option(min=1, help="Number of dimensions of a word vector.")] = 32,
    lstm: Annotated[bool, typer.Option(help="Train an LSTM with as many parameters instead.")] = False,
    minimum_count: Annotated[int, typer.Option(min=1, help="Least count of a known word.")] = 3,
    longest: Annotated[int, typer.Option(min=1, help="Most words of a caption that are learned.")] = 18,
    tags: Annotated[int, typer.Option(min=1, help="Number of tags that are counted, the most frequent ones.")] = 500,
    epochs: Epochs = 8,
    patience: Annotated[
        int, typer.Option(min=1, help="Number of epochs without a better loss on dev after which training stops.")
    ] = 2,
    batch: ScaledBatch = 32,
    learning_rate: LearningRate = 0.005,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A generator of captions from what is on a picture, by tensor products.

    DATA holds captions.tsv, a picture's name, a tab and a caption a line, and tags.tsv, the name and tags between tabs;
    or in its place features.npy, a row of numbers a picture, with their names in pictures.txt. Parts are named by
    train.txt, dev.txt and test.txt, a name a line; without them a tenth of the pictures is dev and a tenth test.
    """
    from repline.corpora.captions.caption_corpus import read_captions, write_captions
    from repline.corpora.captions.caption_table import CAPTIONS, FEATURES, TAGS
    from repline.corpora.captions.recipes import CaptionCorpus
    from repline.reading.file_names import present
    from repline.systems.tpgn.corpus import prepare
    from repline.systems.tpgn.settings import Network, Recipe
    from repline.systems.tpgn.training import train
    from repline.training.run import Run
    from repline.training.training_run import training_run

    check_folder(data, f"{CAPTIONS} and {TAGS}")
    kind = "given" if (data / FEATURES).exists() and not present(data / TAGS).exists() else "tags"
    recipe = Recipe(
        embedding=embedding, dropout=0.0, fixed_epochs=1, patience=patience, gradient_clip=5.0, epochs=epochs,
        batch=batch, learning_rate=learning_rate,
    )  # fmt: skip
    network = Network(kind="lstm" if lstm else "tpgn", dimensions=dimensions)
    with workspace(data) as folder, training_run(out, seed) as this_run:
        corpus = CaptionCorpus(form="table", features=kind, tags=tags, seed=seed, on_error=on_error.value)  # type: ignore[arg-type]
        counts = counts_of(write_captions(data, folder / "captions", corpus))
        prepared = prepare(read_captions(folder / "captions"), minimum_count, longest)
        learned = (captions for part in ("train", "dev") for captions in prepared.parts[part].targets())
        if cut := sum(len(caption) > longest for captions in learned for caption in captions):
            print_notes([f"{cut:,} captions have more than {longest} words; only the first {longest} are learned"])
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, len(prepared.training.words))})
        # the training saves the model after a fixed number of epochs, too
        both = Run(folder / "run", seed=seed, name=out.name, scratch=this_run.scratch)
        train(recipe, network, prepared, "", both)
        shutil.copytree(both.folder / "stopped", this_run.folder, dirs_exist_ok=True)
    typer.echo(f"{out}: {counts['pictures']:,} pictures, {len(prepared.vocabulary):,} words")


def _progress(total: int):  # type: ignore[no-untyped-def]
    """A report of sentences seen, a line each thousand."""

    def report(seen: int, updates: int) -> None:
        if seen % 1000 == 0 or seen == total:
            typer.echo(f"{seen:,} sentences, {updates:,} updates", err=True)

    return report
