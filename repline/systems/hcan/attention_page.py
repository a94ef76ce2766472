"""A page of documents whose words and sentences are shaded by how much the target attention looked at them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Template

from repline.corpora.labelled.classified_texts import Sentences, Texts
from repline.pretrained import pretrained
from repline.systems.hcan.model import HCAN

STRONG = 3.0  # times the even weight that is shaded fully
NOTE = (
    "The weights of the target attentions, means over the heads: the bar next to a sentence is its weight, the "
    "shade of a word its weight in the sentence; full is three times an even weight. Words and sentences behind those "
    "that the network reads are left out."
)


class Shaded(NamedTuple):
    """A document: its id, its label and the guess, and for each sentence its shade and (word, shade); shades 0 to 1."""

    id: str
    label: str
    guess: str
    sure: float
    sentences: list[tuple[float, list[tuple[str, float]]]]


def attention_page(model: Path, corpus: str, texts: Texts, documents: int) -> str:
    """A page of test documents, taken at even distances, shaded by the attention of the HCAN in the folder `model`."""
    ids, gold, sentences = (part["test"] for part in (texts.ids, texts.gold, texts.sentences))
    rows_shown = np.linspace(0, len(ids) - 1, min(documents, len(ids))).round().astype(int)
    rows = [(ids[row], texts.labels[gold[row]], sentences[row]) for row in rows_shown]
    return page(f"What HCAN looks at: {corpus}", NOTE, shaded(pretrained(HCAN, model), rows))


def shaded(network: Any, documents: Sequence[tuple[str, str, Sentences]]) -> list[Shaded]:
    """Shade the words and sentences that a network reads of documents, each (id, label, sentences).

    A word's shade is its weight over `STRONG` times that of an even attention to its sentence; a sentence's shade is
    its weight over `STRONG` times that of an even attention to the document.

    Args:
        network: a `DocumentNetwork` with `readout`.
    """
    documents_shaded = []
    for name, label, sentences in documents:
        ids = network.numbers([sentences])
        weights = network.readout(ids)
        probabilities = network.probabilities(ids)[0].numpy()
        read = network.read(sentences)
        word_weights, sentence_weights = weights.words[0].cpu().numpy(), weights.sentences[0].cpu().numpy()
        rows = []
        for row, words in enumerate(read):
            shades = _shades(word_weights[row][: len(words)], len(words))
            rows.append((_shades(sentence_weights[row : row + 1], len(read))[0], list(zip(words, shades, strict=True))))
        guess = int(probabilities.argmax())
        documents_shaded.append(Shaded(name, label, network.labels[guess], float(probabilities[guess]), rows))
    return documents_shaded


def page(title: str, note: str, documents: Sequence[Shaded]) -> str:
    """Shaded documents as one HTML page without scripts or links; all texts are escaped."""
    return PAGE.render(title=title, note=note, documents=documents)


def _shades(weights: np.ndarray, number: int) -> list[float]:
    return np.clip(weights.astype(np.float64) * number / STRONG, 0, 1).round(3).tolist()


PAGE = Template(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
body { color: #1a1a1a; background: #fff }
h2 { font-size: 1.1rem; margin: 2rem 0 .3rem }
p.sentence { margin: 0; padding: .1rem .5rem; border-left: .6rem solid rgba(0, 90, 170, var(--shade)) }
span { background: rgba(230, 130, 0, var(--shade)); border-radius: .2rem; padding: 0 .1rem }
.wrong { color: #a00000 }
</style>
</head>
<body>
<h1>{{ title }}</h1>
<p>{{ note }}</p>
{% for document in documents %}
<h2>{{ document.id }}</h2>
<p>{{ document.label }}, taken for
<b class="{{ "right" if document.guess == document.label else "wrong" }}">{{ document.guess }}</b>
({{ "%.0f" | format(100 * document.sure) }} %)</p>
{% for shade, words in document.sentences %}
<p class="sentence" style="--shade:{{ shade }}">
{% for word, weight in words %}
<span style="--shade:{{ weight }}">{{ word }}</span>
{% endfor %}
</p>
{% endfor %}
{% endfor %}
</body>
</html>
""",
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
