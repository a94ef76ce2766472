"""The section `urn` of params.yaml: a mistake anywhere in it is found, also where no training would look."""

import pytest

from repline import parameters
from repline.errors import InputError
from stages.urn.train import TASKS, check


def test_every_variant_gets_its_own_parameters():
    settings = check(parameters.read())
    assert set(settings) == {(task, variant) for task, (_, variants) in TASKS.items() for variant in variants}
    values = parameters.read()["urn"]["dyck"]
    assert settings["dyck", "full"]["learning_rate"] == values["full"]["learning_rate"] != values["learning_rate"]
    assert settings["dyck", "lstm"]["units"] == values["lstm"]["units"]
    assert not any(isinstance(value, dict) for own in settings.values() for value in own.values())


@pytest.mark.parametrize(
    ("typed", "value", "said"),
    [
        ("dyk", {}, "params.yaml: unknown parameter 'urn.dyk'; did you mean 'dyck'?"),
        ("dyck.epoch", 3, "params.yaml: unknown parameter 'urn.dyck.epoch'; did you mean 'epochs'?"),
        ("dyck.ltsm", {}, "params.yaml: urn.dyck has no variant 'ltsm'; did you mean 'lstm'?"),
        ("agreement.lstm.unit", 3, "params.yaml: unknown parameter 'urn.agreement.unit'; did you mean 'units'?"),
        ("agreement.batch", "many", "params.yaml: urn.agreement.batch should be a valid integer, found 'many'"),
    ],
)
def test_a_mistake_is_one_sentence(typed, value, said):
    values = parameters.read()
    *sections, name = f"urn.{typed}".split(".")
    parameters.section(values, ".".join(sections))[name] = value
    with pytest.raises(InputError) as error:
        check(values)
    assert str(error.value) == said
