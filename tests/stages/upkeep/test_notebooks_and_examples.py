"""Commands of upkeep on files that are not there: a usage and a sentence."""

import pytest

from stages.upkeep import examples, notebooks


@pytest.mark.parametrize(("command", "file"), [(examples, "gone.md"), (notebooks, "gone.ipynb")])
def test_a_file_that_is_not_there_is_named(command, file, capsys):
    with pytest.raises(SystemExit) as stop:
        command.main([file])
    assert stop.value.code == 2 and f"error: {file}: there is no such" in capsys.readouterr().err
