"""Generate one of the two corpora: params.yaml:rrnet.corpora.<name> -> data/corpora/<name>."""

from collections.abc import Callable

from repline import parameters
from repline.cards import read_card


def make(name: str, generate: Callable[..., None]) -> None:
    """Write data/corpora/<name> by `generate`, whose knobs are the section of that name, and print its sizes."""
    at, folder = f"rrnet.corpora.{name}", f"data/corpora/{name}"
    generate(folder, **parameters.bind(generate, parameters.section(parameters.read(), at), at))
    counts = read_card(folder)["counts"]
    named = [key for key in sorted(counts) if key.startswith(("train_", "test_"))]
    sizes = [f"{counts[key]:,} {key.replace('_', ' ')}" for key in named]
    print(f"{folder}: {', '.join(sizes)}")
