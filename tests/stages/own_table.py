"""A person's own table of labelled texts, and one classifier's section of params.yaml that names it."""

from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import yaml

import stages

ROOT = Path(stages.__file__).parent.parent


def workspace_of(
    folder: Path,
    system: str,
    text: str,
    *,
    corpus: dict[str, Any],
    networks: list[str],
    splitting: str = "whole",
    texts: int = 30,
    **changes,
) -> Path:
    """A folder with `data/own/mine.tsv`, read as `mine` and split as `mine_split`, and small networks.

    Args:
        system: whose section names the corpus `mine`.
        text: of a row, with places for `opinion`, `row` and `number`; of two labels, each has `texts`.
        corpus: its entry in the section; networks: names of those that are trained on it.
        splitting: of the texts.
        changes: values of the section in place of those of params.yaml.
    """
    (folder / "stages").symlink_to(ROOT / "stages")
    (folder / "data/own").mkdir(parents=True)
    rows = [
        f"{label}\t{text.format(opinion=opinion, row=row, number=row * 7 % 13)}"
        for row in range(texts)
        for label, opinion in (("good", "It was fine"), ("bad", "It was awful"))
    ]
    (folder / "data/own/mine.tsv").write_text("\n".join(rows) + "\n")
    shared = yaml.safe_load((ROOT / "params.yaml").read_text())[system]
    settings = {
        "linear": shared["linear"] | {"minimum_documents": 2},
        "corpora": {"mine": {"texts": "mine_split", "seeds": [0]} | corpus},
        "trainings": {
            f"mine_{network}": {"corpus": "mine", "texts": "mine_split", "network": network} for network in networks
        },
    }
    values = {
        "profile": "tiny",
        "labelled": {
            "corpora": {"mine": {"source": "own/mine.tsv", "form": "tsv"}},
            "splits": {"mine_split": {"corpus": "corpora/mine", "label": "label", "splitting": splitting}},
        },
        system: shared | settings | changes,
        "hardware": {"accelerator": "cpu"},
    }
    (folder / "params.yaml").write_text(yaml.safe_dump(values))
    return folder


def assert_refused(process: CompletedProcess[str], message: str, workspace: Path) -> None:
    """The stage ended with one sentence, and wrote nothing into data/."""
    assert process.returncode == 1
    assert message in process.stderr
    assert "Traceback" not in process.stderr
    assert not [path for path in (workspace / "data").rglob("*") if path.is_file() and "own" not in path.parts]
