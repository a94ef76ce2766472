"""What `dvc plots` draws: each figure by a template of this project and with a title."""

import json
import os
import re

import pytest

from repline import yaml_text
from tests.commands import ROOT

TEMPLATES = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / ".dvc/plots").glob("*.json")}
PLOTS = {
    path: options
    for file in ROOT.glob("stages/*/dvc.yaml")
    for plot in yaml_text.parse(file.read_text("utf-8")).get("plots", ())
    for path, options in plot.items()
}
OUTPUTS = {
    path
    for file in ROOT.glob("stages/*/dvc.yaml")
    for stage in yaml_text.parse(file.read_text("utf-8"))["stages"].values()
    for path in stage.get("outs", ())
    if isinstance(path, str)
}


@pytest.mark.parametrize("path", PLOTS)
def test_a_plot_has_a_template_of_the_project_and_a_title(path):
    options = PLOTS[path]
    assert options["template"] in TEMPLATES and options["title"]


@pytest.mark.parametrize("path", PLOTS)
def test_a_plot_is_an_output_of_its_own(path):
    """DVC looks every plot up before it draws one or keeps an experiment, and it fails in a folder without its data."""
    assert os.path.normpath(os.path.join("stages/system", path)) in OUTPUTS


def test_bars_are_not_stacked():
    encoding = TEMPLATES["bars"]["encoding"]
    assert encoding["x"]["stack"] is None
    assert encoding["yOffset"]["field"] == "rev"  # revisions lie side by side


def test_the_page_prefers_the_vega_beside_it_to_the_one_on_the_web():
    page = (ROOT / ".dvc/plots/page.html").read_text("utf-8")
    local, web, choice = (page.index(part) for part in ('src="vega.js"', "{scripts}", "document.write"))
    assert local < web < choice < page.index("{plot_divs}")
    assert re.search(r"<template[^>]*>\{scripts\}</template>", page)  # inert until it is asked for
    assert '<meta charset="utf-8">' in page
    assert "html_template = plots/page.html" in (ROOT / ".dvc/config").read_text("utf-8")
