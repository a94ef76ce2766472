"""data/evaluation/segmentation/scores -> data/evaluation/segmentation/{table,metrics}.json: all segmenters measured."""

import json

from repline.errors import InputError
from repline.files import write_json
from stages import run
from stages.folders import EVALUATION
from stages.segmentation.settings import load

FOLDER = EVALUATION / "segmentation"


def main() -> None:
    results = {}
    for name in load().quality:
        path = FOLDER / "scores" / f"{name}.json"
        try:
            results[name] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{path}: {name} is not measured yet; run `dvc repro` for it") from None
    write_json(FOLDER / "table.json", {"rows": [{"segmenter": name} | scores for name, scores in results.items()]})
    write_json(FOLDER / "metrics.json", results)
    for name, scores in results.items():
        print(f"{name:<28} {scores['gold']:<40} {scores['f1']:.4f}")


if __name__ == "__main__":
    run(main)
