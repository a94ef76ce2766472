"""Small caption files in the forms that the readers take."""

from pathlib import Path

import numpy as np

NAMES = [f"p{number}.jpg" for number in range(10)]
PARTS = {"train": NAMES[:6], "dev": NAMES[6:8], "test": NAMES[8:]}
KINDS = ("A dog runs .", "The dog runs on grass .", "two dogs, running", "a brown dog", "A dog-like thing 2 .")


def table(folder: Path, captions: int = 2) -> Path:
    """captions.tsv with lists, tags and features of ten pictures."""
    folder.mkdir(parents=True)
    lines = [f"{name}\t{KINDS[number]}" for name in NAMES for number in range(captions)]
    (folder / "captions.tsv").write_text("\n".join(lines) + "\n")
    for part, names in PARTS.items():
        (folder / f"{part}.txt").write_text("\n".join(names) + "\n")
    (folder / "tags.tsv").write_text("".join(f"{name}\tdog\t{'grass' if name < 'p3' else 'sand'}\n" for name in NAMES))
    (folder / "pictures.txt").write_text("".join(f"{name}\n" for name in reversed(NAMES)))
    np.save(folder / "features.npy", np.arange(30, dtype=np.float64).reshape(10, 3))
    return folder


def flickr8k(folder: Path) -> Path:
    """The files of Flickr8k, with a bird that it did not have and a picture in no list."""
    folder.mkdir(parents=True)
    every = [*NAMES, "extra_bird.jpg", "left.jpg.1"]
    lines = [f"{name}#{number}\t{KINDS[number]}" for name in every for number in range(5)]
    (folder / "Flickr8k.token.txt").write_text("\n".join(lines) + "\n")
    for part, names in PARTS.items():
        (folder / f"Flickr_8k.{part}Images.txt").write_text("\n".join([*names, "extra_bird.jpg"]) + "\n")
    return folder


def multi30k(folder: Path) -> Path:
    """The files of Multi30k's task 2."""
    folder.mkdir(parents=True)
    for stem, names, pictures in (
        ("train", "train.txt", PARTS["train"]),
        ("val", "val.txt", PARTS["dev"]),
        ("test_2016", "test_2016_flickr.txt", PARTS["test"]),
    ):
        (folder / names).write_text("".join(f"{name}\n" for name in pictures))
        for number, caption in enumerate(KINDS, start=1):
            (folder / f"{stem}.{number}.en").write_text(f"{caption}\n" * len(pictures))
    return folder
