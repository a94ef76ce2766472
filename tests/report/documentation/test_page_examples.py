"""Examples of pages are found and run, and those of the project's pages name what exists."""

import ast
import importlib
import re
import textwrap
from importlib.util import find_spec

import pytest

from repline import parameters, yaml_text
from repline.report.documentation.page_examples import Example, examples, run
from stages.upkeep.examples import pages
from tests.commands import ROOT

PAGE = """
# Page

```python
x = 2
print(x)
```

```text
2
```

Then

```python
print(x + 1, 0.12345)
```

```text
3 0.12...
```

<!-- not run: needs the network -->
```sh
curl nowhere
```

```sh
echo one; echo two
```

```text
one
three
```
"""


def test_examples_are_found():
    blocks = examples(PAGE)
    assert [(example.language, example.output, example.not_run) for example in blocks] == [
        ("python", "2\n", ""),
        ("python", "3 0.12...\n", ""),
        ("sh", None, "needs the network"),
        ("sh", "one\nthree\n", ""),
    ]
    assert blocks[0] == Example("python", "x = 2\nprint(x)\n", 5, "2\n")


def test_what_is_wrong_is_named(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    (wrong,) = run(page, tmp_path)
    assert wrong.startswith(f"{page}, line 29: expected 'one\\nthree\\n', printed 'one\\ntwo\\n'")
    assert run(page, tmp_path, any_output=True) == []
    page.write_text(PAGE.replace("x + 1", "y").replace("three", "two"))
    assert run(page, tmp_path) == [f"{page}, line 16: NameError: name 'y' is not defined"]
    page.write_text("```sh\nfalse\n```\n")
    assert run(page, tmp_path) == [f"{page}, line 2: exit status 1"]
    page.write_text("```sh\nsleep 9\n```\n")
    assert run(page, tmp_path, timeout=0.2) == [f"{page}, line 2: it took more than 0.2 seconds"]


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_python_examples_import_exists(page):
    for example in examples(page.read_text(encoding="utf-8")):
        if example.language != "python" or example.not_run:
            continue
        for node in ast.walk(ast.parse(example.code)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("repline", "stages"):
                module = importlib.import_module(str(node.module))
                missing = [name.name for name in node.names if not _has(module, name.name)]
                assert not missing, f"line {example.line}: {node.module} has no {missing[0]}"


SHOWN = ("", "diff", "markdown", "yaml")  # forms of files, changes of them, and settings, which the next test loads


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_block_is_run_or_says_why_not(page):
    """What is in another language, indented, or shown as output of nothing would be passed over in silence."""
    text = page.read_text(encoding="utf-8")
    run_blocks = examples(text)
    for language in ("python", "sh"):
        fenced = re.findall(rf"^ *```{language}\b", text, re.MULTILINE)
        assert len(fenced) == sum(block.language == language for block in run_blocks), language
    languages = re.findall(r"^ *```(\S[^\n]*)$", text, re.MULTILINE)
    assert set(languages) <= {"python", "sh", "text", *SHOWN}
    assert languages.count("text") == sum(block.output is not None for block in run_blocks)


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_settings_of_a_page_can_be_loaded(page):
    """Each block of YAML is well-formed; what it sets in params.yaml, with the blocks before it, the systems accept."""
    values = parameters.read(ROOT / "params.yaml")
    for block in re.findall(r"^ *```yaml\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        settings = yaml_text.parse(textwrap.dedent(block), parameters._Loader)  # which knows !replace
        assert settings
        if not isinstance(settings, dict) or not settings.keys() <= values.keys():
            continue  # a dvc.yaml, claims, sources: files of their own
        values = _with(values, settings)
        for system in settings:
            if find_spec("repline.systems." + system) and find_spec(f"repline.systems.{system}.settings"):
                importlib.import_module(f"repline.systems.{system}.settings").load(values)


def _with(values, settings):
    """Parameters with those of a page in their places, as a user would write them into params.yaml or a profile."""
    if not isinstance(values, dict) or not isinstance(settings, dict) or isinstance(settings, parameters.Replacement):
        return settings
    return values | {key: _with(values.get(key), value) for key, value in settings.items()}


def _has(module, name):
    if hasattr(module, name):
        return True
    try:
        importlib.import_module(f"{module.__name__}.{name}")
    except ModuleNotFoundError:
        return False
    return True
