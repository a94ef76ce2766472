"""data/evaluation/segmentation/scores -> data/evaluation/segmentation/{table,metrics}.json: all segmenters measured."""

import json
from pathlib import Path

from repline.errors import InputError
from repline.files import write_json
from repline.parameters import load
from stages import run
from stages.segmentation.settings import AT, Settings

FOLDER = Path("data/evaluation/segmentation")


def main() -> None:
    results = {}
    for name in load(Settings, AT).quality:
        path = FOLDER / "scores" / f"{name}.json"
        try:
            results[name] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{path}: {name} is not measured yet; run `dvc repro` for it") from None
    write_json(FOLDER / "table.json", {"rows": [{"segmenter": name} | found for name, found in results.items()]})
    write_json(FOLDER / "metrics.json", results)
    for name, found in results.items():
        print(f"{name:<28} {found['gold']:<40} {found['f1']:.4f}")


if __name__ == "__main__":
    run(main)
