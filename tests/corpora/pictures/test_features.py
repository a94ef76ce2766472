"""Hand features, EfficientNet-Lite0, and the files that hold features of picture sets."""

import io
import pickle

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from PIL import Image
from torch.nn import functional

from repline.cards import read_card
from repline.corpora.pictures import efficientnet_lite as network
from repline.corpora.pictures.hand_features import hand_blocks, hand_features
from repline.corpora.pictures.made_sets import common_words, draw_sets, picture
from repline.corpora.pictures.picture_features import HAND, Extractor, read_features, write_features
from repline.corpora.pictures.recipes import DrawnSets, DrawnWords, Features
from repline.errors import InputError
from repline.lexicons.wordnet.synsets import Synset, WordNet

FOLDERS = Features(form="folders")


def stripes(across):
    """A picture of stripes, 8 pixels wide, from top to bottom or `across`."""
    pixels = np.zeros((64, 64, 3), dtype=np.uint8)
    pixels[(np.arange(64) // 8) % 2 == 1] = 255
    return pixels if across else pixels.transpose(1, 0, 2)


def test_hand_blocks_tell_colours_and_directions():
    red, blue = (np.broadcast_to(np.array(one, dtype=np.uint8), (64, 64, 3)) for one in ((255, 0, 0), (0, 0, 255)))
    features = hand_blocks(np.stack([red, blue, stripes(True), stripes(False)]))
    assert features.shape == (4, 768)
    lengths = [np.linalg.norm(block, axis=1) for block in np.split(features, [192, 704], axis=1)]
    assert lengths[0] == pytest.approx(1) and lengths[2] == pytest.approx(1)
    assert lengths[1] == pytest.approx([0, 0, 1, 1], abs=1e-6)  # one colour has no edges
    directions = features[2:, 192:704].reshape(2, 64, 8).sum(1)
    assert directions.argmax(1).tolist() == [4, 0]  # gradients down, and to the right
    assert (np.sort(directions, axis=1)[:, :-1] < 1e-6).all()


def test_the_mean_of_a_collection_is_taken_off():
    blocks = np.abs(np.random.default_rng(0).normal(size=(6, 768))).astype(np.float32)
    collections = np.array([0, 0, 0, 1, 1, 2])
    features = hand_features(blocks, collections)
    assert np.linalg.norm(features, axis=1) == pytest.approx([1, 1, 1, 1, 1, 0], abs=1e-5)
    assert features[3] == pytest.approx(-features[4], abs=1e-5)
    assert features[:3] == pytest.approx(hand_features(blocks[:3], collections[:3]), abs=1e-6)


def published_state(rng):
    """Random weights under the names of the published checkpoint."""
    state, model = {}, network.EfficientNetLite0()
    renamed = {"stem": ("_conv_stem", "_bn0"), "head": ("_conv_head", "_bn1")}
    inner = {"expand": "_bn0", "depthwise": "_bn1", "project": "_bn2"}
    for name, layer in model.named_modules():
        if isinstance(layer, network.SamePadded):
            *block, last = name.split(".")
            convolution, normalisation = (f"_{last}_conv", inner[last]) if block else renamed[last]
            prefix = f"_blocks.{block[1]}." if block else ""
            outputs = layer.weight.shape[0]
            fan = layer.weight[0].numel()
            state[f"{prefix}{convolution}.weight"] = torch.randn(layer.weight.shape, generator=rng) * (2 / fan) ** 0.5
            values = {"weight": 1.0, "bias": 0.1, "running_mean": 0.1, "running_var": 1.0}
            for part, value in values.items():
                state[f"{prefix}{normalisation}.{part}"] = value * (0.5 + torch.rand(outputs, generator=rng))
    return state | {"_fc.weight": torch.zeros(1000, 1280), "_fc.bias": torch.zeros(1000)}


def reference(state, x):
    """The network as its authors write it, with normalisations apart, on pictures whose size is a multiple of 32."""

    def layer(x, convolution, normalisation, kernel, stride=1, groups=1, active=True):
        before = (kernel - stride) // 2 if stride > 1 else kernel // 2  # TensorFlow's padding of even sizes
        after = kernel - stride - before if stride > 1 else kernel // 2
        x = functional.pad(x, (before, after, before, after))
        x = functional.conv2d(x, state[f"{convolution}.weight"], stride=stride, groups=groups)
        mean, variance, weight, bias = (
            state[f"{normalisation}.{name}"] for name in ("running_mean", "running_var", "weight", "bias")
        )
        x = functional.batch_norm(x, mean, variance, weight, bias, eps=1e-3)
        return x.clamp(0, 6) if active else x

    x = layer(x, "_conv_stem", "_bn0", 3, 2)
    number = 0
    kernels, strides, repeats = (3, 3, 5, 3, 5, 5, 3), (1, 2, 2, 2, 1, 2, 1), (1, 2, 2, 3, 3, 4, 1)
    for kernel, first, times in zip(kernels, strides, repeats, strict=True):
        for time in range(times):
            prefix, stride, inputs = f"_blocks.{number}.", first if time == 0 else 1, x
            if number:
                x = layer(x, f"{prefix}_expand_conv", f"{prefix}_bn0", 1)
            x = layer(x, f"{prefix}_depthwise_conv", f"{prefix}_bn1", kernel, stride, groups=x.shape[1])
            x = layer(x, f"{prefix}_project_conv", f"{prefix}_bn2", 1, active=False)
            x = x + inputs if time else x
            number += 1
    return layer(x, "_conv_head", "_bn1", 1).mean((2, 3))


@pytest.fixture(scope="module")
def state():
    return published_state(torch.Generator().manual_seed(0))


def test_the_folded_network_is_the_published_one(state, tmp_path):
    torch.save(state, tmp_path / "a.pth")
    assert network.convert(tmp_path / "a.pth", tmp_path)["dimensions"] == 1280
    model = network.load(tmp_path)
    pixels = np.random.default_rng(0).integers(0, 256, (2, 64, 64, 3), dtype=np.uint8)
    features = model.features(pixels)
    x = (torch.from_numpy(pixels).permute(0, 3, 1, 2).float() - 127) / 128
    expected = reference(state, x).numpy()
    assert features.shape == (2, 1280) and expected.std() > 0
    assert features == pytest.approx(expected, abs=1e-3 * float(np.abs(expected).max()))


class Malicious:
    def __reduce__(self):
        return (open, ("run.txt", "w"))


def test_only_plain_weights_of_this_network_are_taken(state, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.pth").write_bytes(pickle.dumps({"_conv_stem.weight": Malicious()}, protocol=2))
    torch.save({"weight": torch.ones(2)}, tmp_path / "other.pth")
    torch.save(state | {"_conv_stem.weight": torch.ones(1, 1, 1, 1)}, tmp_path / "shape.pth")
    for name, message in (
        ("evil.pth", "no plain weights"),
        ("other.pth", "expected the weights of EfficientNet-Lite0"),
        ("shape.pth", "expected the weights of EfficientNet-Lite0"),
        ("absent.pth", "there is no such file"),
    ):
        with pytest.raises(InputError, match=message):
            network.convert(tmp_path / name, tmp_path)
    assert not (tmp_path / "run.txt").exists() and not (tmp_path / "model.safetensors").exists()
    with pytest.raises(InputError, match="convert the weights first"):
        network.load(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"no")
    with pytest.raises(InputError, match="convert them again"):
        network.load(tmp_path)


@pytest.fixture
def own_pictures(tmp_path):
    """Two languages, two words, two pictures each."""
    rng = np.random.default_rng(0)
    for language in ("en", "de"):
        for word in ("Dog", "cat"):
            (tmp_path / "own" / language / word).mkdir(parents=True)
            for number in range(2):
                pixels = rng.integers(0, 256, (20, 30, 3), dtype=np.uint8)
                Image.fromarray(pixels).save(tmp_path / "own" / language / word / f"{number}.png")
    return tmp_path / "own"


def test_features_and_sets_are_written_and_read(own_pictures, tmp_path):
    progress = []
    card = write_features(own_pictures, tmp_path / "f", FOLDERS, progress=lambda *counts: progress.append(counts))
    sets = read_features(tmp_path / "f")
    assert sets.sets == {"de": {"dog": [0, 1], "cat": [2, 3]}, "en": {"dog": [4, 5], "cat": [6, 7]}}
    assert sets.features.shape == (8, 768) and progress == [(8, 8)]
    assert sets.names[4] == ("en", "Dog/0.png")
    assert card["counts"] == {"pictures": 8, "dimensions": 768, "left_out": 0, "words_de": 2, "words_en": 2}
    assert read_card(tmp_path / "f") == card


def test_a_broken_picture_stops_or_is_left_out(own_pictures, tmp_path):
    (own_pictures / "de/cat/0.png").write_bytes(b"no picture")
    with pytest.raises(InputError, match=r"de/cat/0.png: the picture cannot be decoded"):
        write_features(own_pictures, tmp_path / "f", FOLDERS)
    assert not (tmp_path / "f").exists() and not list(tmp_path.glob(".f*"))
    card = write_features(own_pictures, tmp_path / "f", Features(form="folders", on_error="salvage"))
    assert card["counts"]["left_out"] == 1 and "de/cat/0.png" in card["notes"][0]
    assert read_features(tmp_path / "f").sets["de"] == {"dog": [0, 1], "cat": [2]}
    (own_pictures / "de/cat/1.png").write_bytes(b"no picture")
    write_features(own_pictures, tmp_path / "f", Features(form="folders", on_error="salvage"))
    assert read_features(tmp_path / "f").sets["de"] == {"dog": [0, 1]}


def test_features_that_are_not_finite_are_refused(own_pictures, tmp_path):
    nan = Extractor("nan", 8, lambda pixels: np.full((len(pixels), 2), np.nan, dtype=np.float32))
    with pytest.raises(InputError, match=r"Dog/0.png: its features are not finite"):
        write_features(own_pictures, tmp_path / "f", FOLDERS, nan)
    assert not (tmp_path / "f").exists()
    write_features(own_pictures, tmp_path / "f", FOLDERS, HAND)
    features = np.load(tmp_path / "f/features.npy")
    features[5, 7] = np.nan
    np.save(tmp_path / "f/features.npy", features)
    with pytest.raises(InputError, match=r"row 5 of features.npy holds a number that is not finite"):
        read_features(tmp_path / "f")
    np.save(tmp_path / "f/features.npy", features[:6])
    with pytest.raises(InputError, match="a row for each of the 8 pictures"):
        read_features(tmp_path / "f")
    np.save(tmp_path / "f/features.npy", np.zeros((6, 2), dtype=np.float32))
    names = pq.read_table(tmp_path / "f/pictures.parquet")
    pq.write_table(names.slice(0, 6), tmp_path / "f/pictures.parquet")
    with pytest.raises(InputError, match=r"gives 'cat' pictures that features\.npy does not have"):
        read_features(tmp_path / "f")
    (tmp_path / "f/features.npy").write_bytes(pickle.dumps([1]))
    with pytest.raises(InputError, match="the features cannot be read"):
        read_features(tmp_path / "f")


def test_forms_and_vendors_go_together(own_pictures, tmp_path):
    with pytest.raises(InputError, match="vendors are for pictures of the form emoji"):
        write_features(own_pictures, tmp_path / "f", Features(form="folders", vendors={"en": "google"}))
    with pytest.raises(InputError, match="emoji need vendors"):
        write_features(own_pictures, tmp_path / "f", Features(form="emoji"))


WORDS = [("dog", "n"), ("cat", "n"), ("run", "v"), ("sit", "v"), ("red", "a"), ("run", "n"), ("run", "v")]
LEXICON = WordNet([Synset(f"{number}", pos, (word,)) for number, (word, pos) in enumerate(WORDS)])
FREQUENCY = {"run": 9.0, "cat": 5.0, "dog": 5.0, "sit": 3.0, "red": 2.0, "zzz": 8.0, "an": 7.0}
COMMONEST = sorted(FREQUENCY, key=lambda word: (-FREQUENCY[word], word))
DRAWN = DrawnSets(
    kinds={
        "noun": DrawnWords(words=2, spread=0.02),
        "verb": DrawnWords(words=1, concepts=2, spread=0.2, shared=0.5),
    },
    languages=["en", "xa"],
    pictures=6,
    pool=2,
    edge=32,
)


def test_made_words_are_common_and_mostly_of_one_part_of_speech():
    assert common_words(LEXICON, COMMONEST, "noun", 2) == ["cat", "dog"]
    assert common_words(LEXICON, COMMONEST, "verb", 2) == ["run", "sit"]
    with pytest.raises(InputError, match="there are 1 words that are mostly a adjective, expected 2"):
        common_words(LEXICON, COMMONEST, "adjective", 2)


def test_made_sets_are_alike_across_languages_and_the_same_every_time(tmp_path):
    card = draw_sets(tmp_path / "made", LEXICON, FREQUENCY, DRAWN)
    again = draw_sets(tmp_path / "again", LEXICON, FREQUENCY, DRAWN)
    other_card = draw_sets(tmp_path / "other", LEXICON, FREQUENCY, DRAWN.model_copy(update={"seed": 1}))
    assert card["counts"] == {"words": 3, "languages": 2, "pictures": 36}
    for name in ("en.zip", "xa.zip", "words_en_xa.txt"):
        assert (tmp_path / "made" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert (tmp_path / "made/en.zip").read_bytes() != (tmp_path / "other/en.zip").read_bytes()
    assert again["parameters"] != other_card["parameters"]
    assert (tmp_path / "made/words_en_xa.txt").read_text() == "cat\tcat.xa\tN\ndog\tdog.xa\tN\nrun\trun.xa\tV\n"
    write_features(tmp_path / "made", tmp_path / "f", FOLDERS)
    sets = read_features(tmp_path / "f")
    means = {
        word: sets.features[rows].mean(0) / np.linalg.norm(sets.features[rows].mean(0))
        for words in sets.sets.values()
        for word, rows in words.items()
    }
    assert means["cat"] @ means["cat.xa"] > means["cat"] @ means["dog.xa"] + 0.3
    tight, loose = (np.linalg.norm(sets.features[sets.sets["en"][word]].mean(0)) for word in ("cat", "run"))
    assert tight > loose


def test_a_prototype_is_drawn():
    prototype = np.full((5, 8), 0.5)
    prototype[:, 5:] = 1.0  # all white
    prototype[1, 5:] = 0.0  # and a black shape
    for kind in (0.0, 0.5, 0.9):
        prototype[1, 0] = kind
        image = picture(prototype[:2], 32, [0, 0, 0])
        assert image.getpixel((16, 16)) == (0, 0, 0) and image.getpixel((0, 0)) == (255, 255, 255)
    file = io.BytesIO()
    image.save(file, "PNG")
    assert image.size == (32, 32) and file.getvalue()
