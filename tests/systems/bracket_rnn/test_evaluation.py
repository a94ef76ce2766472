"""Evaluation of the Bracket-RNN: what it measures without a trained model."""

import pytest

from repline.evaluation.claims import published
from repline.systems.bracket_rnn.evaluation import parameters_at_poster_sizes


def test_models_of_the_posters_sizes_have_the_printed_parameters():
    paper = published.read("stages/bracket_rnn/published.yaml")
    rows = published.compare(paper.table("parameters"), {"poster_sizes": parameters_at_poster_sizes()})
    assert len(rows) == 4
    for row in rows:
        assert row.measured == pytest.approx(row.value, abs=0.005)  # printed with two digits
