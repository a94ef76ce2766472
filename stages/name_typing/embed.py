"""data/<corpus> -> data/vectors/name_typing-<name>: `python -m stages.name_typing.embed sskip`.

SKIP and CBOW by gensim, SSKIP and CWIN by our own loop, for an entry of params.yaml:name_typing.embeddings.models.
"""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.systems.name_typing.order_aware import order_aware
from repline.systems.name_typing.settings import BY_GENSIM, embedding, read
from repline.vectors.training import word2vec
from stages import run


def main() -> None:
    if len(sys.argv) != 2:
        raise InputError("expected one name of params.yaml:name_typing.embeddings.models")
    settings, name = read(), sys.argv[1]
    model, knobs = embedding(settings, name)
    folder = f"data/vectors/name_typing-{name}"
    train = word2vec if model in BY_GENSIM else order_aware
    counts = train(Path("data") / settings.embeddings.corpus, folder, progress=_show, **knobs)["counts"]
    print(f"{folder}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


def _show(done: int, epochs: int) -> None:
    print(f"epoch {done} of {epochs}", flush=True)


if __name__ == "__main__":
    run(main)
