"""An option that the chosen method does not read is refused, by every command that has methods."""

import pytest
from typer.testing import CliRunner

from repline.cli.app import app
from repline.errors import InputError

CASES = [
    ("train extrofitting --lexicon l.txt", "--method edges", "--seed 1"),
    ("train extrofitting --lexicon l.txt", "--method retrofitting", "--seed 0"),
    ("train lexical_contrast --synonyms s.txt", "--method counter-fitting", "--learning-rate 0.1"),
    ("train lexical_contrast --synonyms s.txt", "--method counter-fitting", "--batch 9"),
    ("train lexical_contrast --synonyms s.txt", "--method counter-fitting", "--seed 1"),
    ("train corpus_specificity", "--method lsa", "--window 3"),
    ("train corpus_specificity", "--method lsa", "--epochs 3"),
    ("train name_typing --vectors v.vec", "--classifier lr", "--hidden 3"),
    ("train name_typing --vectors v.vec", "--classifier lr", "--batch 3"),
    ("train visual_characters", "--task glosses", "--units 3"),
    ("train visual_characters", "--task tagging", "--font f.otf"),
    ("train visual_characters", "--task translation", "--minimum-count 3"),
    ("train rrnet", "--task expressions", "--vocabulary 30"),
    ("train rrnet", "--task relations", "--steps 30"),
    ("train bracket_rnn", "--variant lstm", "--relations spacy"),
    ("train multilingual_seq2seq --languages en,de", "--encoder bag", "--units 3"),
    ("train usif --vectors v.vec", "--counts c.txt", "--language de"),
]


def refused(line: str) -> str:
    """The message with which a command line ends."""
    result = CliRunner().invoke(app, line.split())
    assert isinstance(result.exception, InputError), result.output
    return str(result.exception)


@pytest.mark.parametrize(("command", "choice", "option"), CASES)
def test_an_option_without_effect_is_refused(tmp_path, monkeypatch, command, choice, option):
    monkeypatch.chdir(tmp_path)
    choice_name = "--counts" if choice.startswith("--counts") else choice
    message = f"{option.split()[0]}: {choice_name} does not read it; leave it out"
    assert refused(f"{command} --data d --out o {choice} {option}") == message


def test_an_option_that_the_data_or_another_option_leaves_without_effect_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "brackets.txt").write_text("()\n")
    (tmp_path / "drawn").mkdir()
    assert refused("train urn --data brackets.txt --out o --minimum-count 3").startswith("--minimum-count: a model of")
    assert refused("train hrrlm --data d --out o --chunk-epochs 3").startswith(
        "--chunk-epochs: a training without --ch"
    )
    assert refused("train concreteness --data d --out o --vectors v.vec --seed 1").startswith("--seed: a training from")
    (tmp_path / "d").mkdir()
    assert refused("train visual_characters --data d --out o --font drawn --face 1").startswith("--face: a folder")


@pytest.mark.parametrize("line", ["train lexical_contrast --data v.vec --out o", "vectors specialise v.vec o"])
@pytest.mark.parametrize("method", ["counter_fitting", "counter-fitting"])
def test_a_method_has_one_name_in_both_commands_and_both_spellings(line, method):
    message = "--seed: --method counter-fitting does not read it; leave it out"
    assert refused(f"{line} --synonyms s.txt --method {method} --seed 1") == message


def test_vectors_refuse_options_without_effect(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = "vectors specialise v.vec o --synonyms s.txt --method counter-fitting --seed 1"
    assert refused(line) == "--seed: --method counter-fitting does not read it; leave it out"
    line = "vectors retrofit v.vec o --lexicon l.txt --method extrofitting --sweeps 3"
    assert refused(line) == "--sweeps: --method extrofitting does not read it; leave it out"
