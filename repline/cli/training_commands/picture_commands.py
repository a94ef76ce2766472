"""`repline train` for words by their pictures, and characters by theirs."""

from collections import Counter
from collections.abc import Collection
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repline.cli.training_commands.training_options import (
    Data,
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
    print_left_out,
    workspace,
)
from repline.cli.written_options import refuse_unread, scaled_batch
from repline.errors import InputError, shown

if TYPE_CHECKING:
    from repline.glyphs.bitmaps import Bitmaps


ROWS = {"words": "words", "tagged": "sentences", "pairs": "pairs"}  # of the tables of visual_characters


class Task(StrEnum):
    """What a reader of characters learns."""

    glosses = "glosses"
    tagging = "tagging"
    translation = "translation"


class Encoder(StrEnum):
    """What makes a vector of a character: a table, or layers over its picture."""

    emb = "emb"
    fc_1l = "fc_1l"
    fc_2l = "fc_2l"
    cnn_fc_relu = "cnn_fc_relu"


def image_lexicon(
    data: Data,
    out: Out,
    lists: Annotated[
        Path | None, typer.Option(help="The folder with the lists of words.", show_default="that of the pictures")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=1, help="Most pictures of a word, drawn at random.", show_default="all")
    ] = None,
    clusters: Annotated[
        int, typer.Option(min=2, help="Number of clusters of the pictures of a word, for one of the methods.")
    ] = 3,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """A translator of words by their pictures, and of pictures.

    DATA holds a folder (or zip) for each language, named by its code, and in it a folder for each word with its
    pictures: en/dog/1.png, de/hund/1.png. LISTS holds en_de.txt, with a word, its translation and N, V or A between
    tabs a line: those translations are the candidates. An entry counts where its word and its translation both have
    pictures; the others are left out and counted. Pictures are compared by colours and edges, without a network.
    """
    from repline.corpora.pictures.picture_features import read_features, write_features
    from repline.corpora.pictures.recipes import Features
    from repline.systems.image_lexicon.image_words import read_lists
    from repline.systems.image_lexicon.settings import Methods
    from repline.systems.image_lexicon.translation import pictured_entries, write_run

    with account(on_error) as left_out:
        words = read_lists(lists or data, on_error=left_out)
    with workspace(data) as folder:
        settings = Features(form="folders", on_error=on_error.value)
        counts = counts_of(write_features(data, folder / "features", settings, progress=_print_pictures))
        pictures = read_features(folder / "features")
        source = next(iter(words.values())).source
        for language in (source, *words):
            if language not in pictures.sets:
                raise InputError(
                    f"{data}: expected a folder for the language {shown(language)}, which a list names, found none"
                )
        for word_list in words.values():
            without = len(word_list.entries) - len(pictured_entries(word_list, pictures))
            of = f"of {len(word_list.entries):,} entries of {word_list.path.name}"
            print_left_out({f"{of}, whose word or translation has no pictures": without})
        write_run(out, pictures, words, Methods(most=most, clusters=clusters, seed=seed), notes=left_out.notes())
    typer.echo(f"{out}: {counts['pictures']:,} pictures, from {source} to {', '.join(words)}")


def visual_characters(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="A dictionary, tagged text, or pairs of sentences.", show_default=False)],
    out: Out,
    task: Annotated[Task, typer.Option(help="Task that is learned.")] = Task.glosses,
    font: Annotated[
        Path | None, typer.Option(help="A font, or a folder of drawn characters.", show_default="Noto Sans CJK")
    ] = None,
    face: Annotated[
        int | None, typer.Option(min=0, help="Number of the face in a collection of fonts.", show_default="the first")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="A model of glosses, which tagging starts from.", show_default=False)
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            help="Text for a later tagger, whose characters a model of glosses learns, too.", show_default="none"
        ),
    ] = None,
    encoder: Annotated[
        Encoder, typer.Option(help="Encoder of a character; tagging takes the one of its model.")
    ] = Encoder.fc_2l,
    minimum_count: Annotated[
        int, typer.Option(min=1, help="Least count of a word of glosses; rarer ones are left out.")
    ] = 5,
    dimensions: Dimensions = 64,
    units: Annotated[
        int, typer.Option(min=1, help="Number of units of the tagger, or of each LSTM of the translator.")
    ] = 64,
    epochs: Epochs = 5,
    batch: ScaledBatch = 64,
    learning_rate: LearningRate = 0.01,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Chinese characters by their pictures: their vectors and glosses, a tagger of words, or a translator.

    DATA of glosses is a dictionary in the form of CC-CEDICT; of tagging, text with word/TAG between blanks (.txt) or a
    treebank (.conllu); of translation, a .tsv of English, a tab and Chinese. A tenth is for choosing the epoch and a
    tenth a test set. Characters are drawn with FONT, which needs the extra `zh`; a folder of drawn characters, as
    data/corpora/glyphs, does without. A tagger begins with a model of glosses, --model, and reads the characters that
    this one knows: train it with --text of the tagged text. Items with other characters are left out and counted.
    """
    from repline.systems.visual_characters.character_pictures import read_characters
    from repline.systems.visual_characters.corpus import (
        all_characters,
        gloss_tables,
        only_file,
        pair_tables,
        read_rows,
        write_tables,
        write_tagged,
    )
    from repline.systems.visual_characters.glosses.gloss_training import read_gloss_data, train_glosses
    from repline.systems.visual_characters.settings import (
        GlossRecipe,
        SentencePairs,
        TaggedCorpus,
        TaggerRecipe,
        TranslatorRecipe,
        Words,
    )
    from repline.systems.visual_characters.tagging.tagged_text import read_tagged
    from repline.systems.visual_characters.tagging.tagger_training import read_tagged_data, train_tagger
    from repline.systems.visual_characters.translation.translation_pairs import read_pairs
    from repline.systems.visual_characters.translation.translator_training import train_translator
    from repline.training.training_run import training_run
    from repline.use.folders import read_description
    from repline.use.loading import load

    unread = {
        Task.glosses: ("model", "units"),
        Task.tagging: ("font", "face", "text", "encoder", "minimum_count", "dimensions"),
        Task.translation: ("model", "text", "minimum_count"),
    }
    refuse_unread(context, f"--task {task.value}", *unread[task])
    if font is not None and font.is_dir():
        refuse_unread(context, "a folder of drawn characters", "face")
    if not data.exists():
        raise InputError(f"{data}: there is no such file or folder")
    training = {"epochs": epochs, "learning_rate": learning_rate, "gradient_clip": 5.0}
    shape = {"kind": encoder.value, "features": 32 if encoder is Encoder.cnn_fc_relu else 0, "channels": 4}
    with workspace(data) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        corpus = folder / "corpus"
        match task:
            case Task.glosses:
                words = Words(minimum_count=minimum_count, dev=1, test=1, held_out=0.0, seed=seed)
                held_out = _tenth(gloss_tables(data, words, on_error=left_out)["words"])
                left_out.clear()
                words = words.model_copy(update={"dev": held_out, "test": held_out})
                tables = gloss_tables(data, words, on_error=left_out)
                write_tables(corpus, tables, [data], {}, "Words with glosses", left_out)
                drawn = _drawn([*all_characters(corpus), *characters_of(text)], font, face)
                _print_undrawn(corpus, "words", drawn)
                size = scaled_batch(context, batch, len(tables["words"]) - 2 * held_out)
                gloss_recipe = GlossRecipe.model_validate(training | shape | {"dimensions": dimensions, "batch": size})
                train_glosses(gloss_recipe, read_gloss_data(corpus, drawn), this_run)
            case Task.tagging:
                if model is None:
                    raise InputError("--model: tagging begins with a model of glosses; train one with --task glosses")
                files = [data] if data.is_file() else sorted(data.iterdir())
                sentences = [sentence for path in files for sentence in read_tagged(path, on_error=left_out)]
                held_out = _tenth(sentences)
                left_out.clear()
                tagged = TaggedCorpus(source=str(data), dev=held_out, test=held_out)
                long = sum(sum(len(word) for word, _ in sentence) > tagged.longest for sentence in sentences)
                print_left_out({f"sentences of more than {tagged.longest} characters": long})
                write_tagged(corpus, tagged, "", left_out)
                drawn = read_characters(read_description(model))
                _print_undrawn(corpus, "tagged", drawn, f"; train {model} with --text {data}")
                tagged_rows = read_rows(corpus, "tagged", drawn)
                if not tagged_rows.get("train") or not tagged_rows.get("dev"):
                    raise InputError(
                        f"{model}: it does not know the characters of {data}; train it again with --text {data}"
                    )
                size = scaled_batch(context, batch, len(tagged_rows["train"]))
                tagger_recipe = TaggerRecipe.model_validate(
                    training | {"mode": "adapt", "batch": size, "hidden": units, "dilations": [1, 2, 4]}
                )
                train_tagger(tagger_recipe, read_tagged_data(corpus, drawn), model, this_run)
            case Task.translation:
                all_pairs = list(read_pairs(only_file(data), on_error=left_out))
                held_out = _tenth({pair.source for pair in all_pairs})
                left_out.clear()
                pairs = SentencePairs(dev=held_out, test=held_out, seed=seed)
                most_characters, most_words = pairs.longest_source, pairs.longest_target
                long = sum(len(pair.source) > most_characters or len(pair.target) > most_words for pair in all_pairs)
                print_left_out({f"pairs of more than {most_characters} characters or {most_words} English words": long})
                sentence_tables = pair_tables(data, pairs, on_error=left_out)
                write_tables(corpus, sentence_tables, [data], {}, "Pairs of sentences", left_out)
                drawn = _drawn(all_characters(corpus), font, face)
                _print_undrawn(corpus, "pairs", drawn)
                size = scaled_batch(context, batch, len(sentence_tables["pairs"]))
                sizes = {"batch": size, "dimensions": dimensions, "units": units, "layers": 1, "decoder_units": [units]}
                translator_recipe = TranslatorRecipe.model_validate(
                    training | shape | sizes | {"pretraining_epochs": 1}
                )
                train_translator(translator_recipe, read_rows(corpus, "pairs", drawn), drawn, this_run)
    if encoder is Encoder.emb and task is not Task.tagging:
        rare = len(drawn.characters) - len(load(out).numbers.saved)
        typer.echo(f"{rare:,} characters are not twice in training, and share one vector in the table", err=True)
    typer.echo(f"{out}: {len(drawn.characters):,} characters drawn, {len(drawn.missing):,} missing in the font")


def _drawn(characters: list[str], font: Path | None, face: int | None) -> "Bitmaps":
    """Pictures of characters, drawn with a font, or those of a folder of drawn ones."""
    from repline.glyphs import bitmaps
    from repline.glyphs.recipes import Drawing
    from repline.systems.visual_characters.character_pictures import MAINLAND, default_font

    if font is not None and font.is_dir():
        return bitmaps.read(font)
    from repline.glyphs.font_rendering import draw

    default_face = MAINLAND if font is None else 0
    return draw(characters, font or default_font(), Drawing(face=default_face if face is None else face))


def characters_of(text: Path | None) -> list[str]:
    """The characters of a text, of a treebank those of its words, sorted; none of no text."""
    from repline.reading.file_names import files_with, unpacked_name
    from repline.reading.text_cleaning import clean_text
    from repline.reading.text_files import numbered_lines

    characters: set[str] = set()
    for path in [] if text is None else files_with(text, ".txt", ".conllu"):
        is_treebank = unpacked_name(path).endswith(".conllu")
        for _, line in numbered_lines(path):
            if is_treebank:
                line = "" if line.startswith("#") else "".join(line.split("\t")[1:2])
            characters.update(clean_text(line))
    return sorted(character for character in characters if not character.isspace())


def _print_undrawn(corpus: Path, name: str, drawn: "Bitmaps", advice: str = "") -> None:
    """Print how many rows of a table are left out as some of their characters were not drawn, and name some."""
    from repline.systems.visual_characters.corpus import read_rows, text_of

    texts = [set(text_of(name, row)) for rows in read_rows(corpus, name).values() for row in rows]
    undrawn = [characters for text in texts if (characters := text - drawn.rows.keys())]
    frequent = Counter(character for characters in undrawn for character in sorted(characters)).most_common(5)
    examples = ", ".join(shown(character) for character, _ in frequent)
    what = ROWS[name]
    print_left_out({f"{what} with characters that were not drawn, such as {examples}{advice}": len(undrawn)})


def _tenth(items: Collection[object]) -> int:
    return max(len(items) // 10, 1)


def _print_pictures(done: int, total: int) -> None:
    if done % 1024 == 0 or done == total:
        typer.echo(f"{done:,} of {total:,} pictures", err=True)
