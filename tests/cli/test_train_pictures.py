"""`repline train` of pictures, captions and parsers on files of one's own, in a folder that is no checkout."""

import unicodedata

import numpy as np
import pytest
from PIL import Image

import repline
from repline.cli.training_commands.picture_commands import characters_of
from repline.corpora.scenes.made_scenes import write as write_scenes
from repline.errors import InputError
from repline.glyphs import bitmaps
from repline.systems.visual_characters.settings import Decoding
from tests.cli.test_train_language_models import parsed
from tests.cli.train_command import notes_of, train, trained


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


COLOURS = {("dog", "hund"): (120, 60, 20), ("sky", "himmel"): (30, 60, 220), ("grass", "gras"): (20, 200, 30)}


def test_image_lexicon_translates_a_word_and_a_folder_of_pictures(folder):
    rng = np.random.default_rng(0)
    for words, colour in COLOURS.items():
        for language, word in zip(("en", "de"), words, strict=True):
            (folder / "pictures" / language / word).mkdir(parents=True)
            for number in range(3):
                pixels = np.clip(np.array(colour) + rng.normal(0, 20, (32, 32, 3)), 0, 255).astype(np.uint8)
                Image.fromarray(pixels).save(folder / "pictures" / language / word / f"{number}.png")
    (folder / "pictures" / "en_de.txt").write_text("".join(f"{a}\t{b}\tN\n" for a, b in COLOURS))
    model = trained(folder, "image_lexicon", "--data", "pictures")
    assert [answer.translations[0].word for answer in model.translate(["dog", "sky"])] == ["hund", "himmel"]
    assert model.translate_pictures("pictures/en/grass").translations[0].word == "gras"


def test_image_lexicon_composes_the_names_of_folders_and_counts_words_without_pictures(folder):
    """macOS has names with letters and marks apart (NFD), and a list has them as people type them."""
    for number, words in enumerate((("school", "학교"), ("coffee", "café"), ("tea", "thé"))):
        for language, word in zip(("en", "ko"), words, strict=True):
            (folder / "pictures" / language / unicodedata.normalize("NFD", word)).mkdir(parents=True)
            pixels = np.full((16, 16, 3), 60 * number, np.uint8)
            Image.fromarray(pixels).save(folder / "pictures" / language / unicodedata.normalize("NFD", word) / "1.png")
    lines = ["school\t학교\tN", "coffee\tcafé\tN", "tea\tthé\tN"]
    (folder / "pictures" / "en_ko.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "left out" not in notes_of("image_lexicon", "--data", "pictures")
    candidates = repline.load("model").translate("coffee").translations
    assert {candidate.word for candidate in candidates} == {"학교", "café", "thé"} and candidates[0].word == "café"
    (folder / "pictures" / "en_ko.txt").write_text("\n".join([*lines, "milk\t우유\tN"]) + "\n", encoding="utf-8")
    notes = notes_of("image_lexicon", "--data", "pictures")
    assert "left out: 1 of 4 entries of en_ko.txt, whose word or translation has no pictures" in notes


def test_tpgn_describes_what_is_on_a_picture(folder):
    rng = np.random.default_rng(0)
    (folder / "captions").mkdir()
    captions, tags = [], []
    for number in range(120):
        noun, verb = rng.choice(["dog", "man", "cat"]), rng.choice(["runs", "sits"])
        captions.append(f"p{number}\ta {noun} {verb}\n")
        tags.append(f"p{number}\t{noun}\t{verb}\n")
    (folder / "captions" / "captions.tsv").write_text("".join(captions))
    (folder / "captions" / "tags.tsv").write_text("".join(tags))
    sizes = ["--dimensions", "4", "--embedding", "8", "--epochs", "15", "--batch", "8", "--learning-rate", "0.02"]
    model = trained(folder, "tpgn", "--data", "captions", *sizes)
    assert model.caption("dog, runs").caption == "a dog runs"
    notes = notes_of("tpgn", "--data", "captions", "--longest", "2", *sizes[:4], "--epochs", "1")
    assert "108 captions have more than 2 words; only the first 2 are learned" in notes  # 12 are for the test


def test_context_parser_of_a_treebank_and_of_scenes(folder):
    (folder / "tree.conllu").write_text("\n".join(map(parsed, range(60))) + "\n")
    model = trained(folder, "context_parser", "--data", "tree.conllu", "--epochs", "3")
    assert [word.head for word in model.parse("The dogs see birds").words] == [2, 3, 0, 3]
    asked = "\n".join(map(parsed, range(60))).replace("\tnear\t", "\t??\t", 1)
    assert "\t??\t" in asked
    (folder / "asked.conllu").write_text(asked + "\n")
    trained(folder, "context_parser", "--data", "asked.conllu", "--epochs", "1")
    write_scenes("scenes", seed=0, scenes=4)
    model = trained(folder, "context_parser", "--data", "scenes")
    scene = "woman_1 Agent clean_1; mug_2 Theme clean_1; mug_2 Location table_1; mug_1 Location shelf_1"
    assert model.complete("The woman cleans the ?? on the table", scene).filler == "mug_2"


CHARACTERS = "河湖江海山石路我他学习中文书写字天气好大"


def write_glyphs(path, characters: str) -> None:
    """Pictures of characters, drawn at random."""
    drawn = bitmaps.Bitmaps([*characters], np.random.default_rng(0).random((len(characters), 22, 22)) < 0.3)
    bitmaps.write(path, drawn, font=__file__, parameters={"face": 0, "edge": 22, "threshold": 127})


def test_visual_characters_learns_glosses_tags_and_translations(folder):
    rng = np.random.default_rng(0)
    write_glyphs(folder / "glyphs", CHARACTERS)
    words = sorted({"".join(rng.choice(list(CHARACTERS), 2)) for _ in range(80)})
    entries = [f"{word} {word} [x x] /{['water', 'stone'][number % 2]}/" for number, word in enumerate(words)]
    (folder / "cedict.txt").write_text("\n".join(entries) + "\n", encoding="utf-8")
    shared = ["--epochs", "2", "--batch", "8"]
    options = ["--font", "glyphs", "--dimensions", "8", *shared]
    model = trained(folder, "visual_characters", "--data", "cedict.txt", *options)
    assert {gloss.gloss for gloss in model.glosses("河湖", n=2)} == {"water", "stone"}
    (folder / "model").rename(folder / "glosses")
    tagged = ["我/r 学习/v 中文/n 。/w", "他/r 写/v 字/n 。/w"] * 20
    (folder / "tagged.txt").write_text("\n".join(tagged) + "\n", encoding="utf-8")
    tagging = ["--task", "tagging", "--model", "glosses"]
    with pytest.raises(InputError, match=r"does not know the characters of tagged.txt; train it again with --text"):
        train("visual_characters", "--data", "tagged.txt", *tagging, *shared)
    (folder / "glosses").rename(folder / "without_marks")
    write_glyphs(folder / "glyphs", f"{CHARACTERS}。")
    trained(folder, "visual_characters", "--data", "cedict.txt", "--text", "tagged.txt", *options)
    (folder / "model").rename(folder / "glosses")
    model = trained(
        folder, "visual_characters", "--data", "tagged.txt", *tagging, *shared, "--units", "8", "--epochs", "12"
    )
    assert [tuple(word) for word in model.tag("他写字。").words] == [("他", "r"), ("写", "v"), ("字", "n"), ("。", "w")]
    (folder / "model").rename(folder / "tagger")
    (folder / "tagged.txt").write_text("\n".join([*tagged, *["1998/m 年/q"] * 3]) + "\n", encoding="utf-8")
    notes = notes_of("visual_characters", "--data", "tagged.txt", *tagging, *shared, "--units", "8")
    assert "left out: 3 sentences with characters that were not drawn, such as '1', '8', '9', '年'; train " in notes
    pairs = sorted({f"{['water', 'stone'][number % 2]}\t{word}" for number, word in enumerate(words)})
    (folder / "pairs.tsv").write_text("\n".join(pairs) + "\n", encoding="utf-8")
    model = trained(
        folder, "visual_characters", "--data", "pairs.tsv", "--task", "translation", *options, "--units", "8"
    )
    assert model.decoding == Decoding()
    answer = model.translate("河湖")
    assert set(answer.translation.split()) <= {"water", "stone"} and not answer.unknown
    (folder / "pairs.tsv").write_text("\n".join([*pairs, f"water\t{'河湖' * 8}"]) + "\n", encoding="utf-8")
    notes = notes_of("visual_characters", "--data", "pairs.tsv", "--task", "translation", *options, "--units", "8")
    assert "left out: 1 pairs of more than 15 characters or 12 English words" in notes


def test_characters_of_a_text_are_all_drawn(folder):
    """A tagger leaves out sentences with characters that its model of glosses does not know, such as digits."""
    (folder / "tagged.txt").write_text("1998/m 年/q Cafe\u0301/n ABC/n\u200b\n", encoding="utf-8")
    rows = ["# text = Z", *("\t".join([str(row), form, *"_" * 8]) for row, form in enumerate(("5", "kg"), start=1))]
    (folder / "tree.conllu").write_text("\n".join([*rows, "", ""]), encoding="utf-8")
    assert "".join(characters_of(folder / "tagged.txt")) == "/189ABCafmnqé年"
    assert "".join(characters_of(folder)) == "/1589ABCafgkmnqé年"
    assert characters_of(None) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["image_lexicon", "--data", "empty"], "empty: expected lists of words with names like en_de.txt"),
        (["tpgn", "--data", "nothing"], "nothing: there is no such folder; expected one with captions.tsv"),
        (["tpgn", "--data", "empty"], "captions.tsv: there is no such file"),
        (["context_parser", "--data", "empty"], "empty: there are no scenes"),
        (["context_parser", "--data", "nothing"], "nothing: there is no such file or folder"),
        (["visual_characters", "--data", "nothing"], "nothing: there is no such file or folder"),
        (["visual_characters", "--data", "empty", "--task", "tagging"], "--model: tagging begins with a model"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, arguments, message):
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match=message):
        train(*arguments)
    assert [path.name for path in folder.iterdir()] == ["empty"]
