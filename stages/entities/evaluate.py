"""data/<source> -> data/evaluation/entities/<name>.json: spaCy alone, with all rules, and with all but one rule set.

`python -m stages.entities.evaluate NAME`, for an entry of params.yaml:entities.gold.
"""

from repline.corpora.entities.gold_entities import read_gold
from repline.evaluation.entity_rule_gains import entity_rule_gains
from repline.files import write_json
from repline.reading.wrong_records import LeftOut
from stages import run
from stages.argument import argument
from stages.entities.settings import GAZETTEER, load
from stages.folders import DATA, EVALUATION

SHOWN = ("person", "company", "location", "spans")


def main() -> None:
    standards = load().gold
    name = argument("the name of a gold standard", standards)
    left_out = LeftOut(standards[name].on_error)
    gold = read_gold(DATA / standards[name].source, on_error=left_out, encoding=standards[name].encoding)
    scores = entity_rule_gains(gold.tokens, gold.tags, GAZETTEER)
    path = EVALUATION / "entities" / f"{name}.json"
    write_json(path, {**scores, "sentences": len(gold.tokens), **left_out.counts()})
    print(f"{path}: F1 in {len(gold.tokens):,} sentences, rules over spaCy's recogniser")
    print("".join(f"{note}\n" for note in left_out.notes()), end="")
    print(f"{'rules':<26}{'overall':>8}" + "".join(f"{kind:>10}" for kind in SHOWN))
    for choice, by_kind in scores.items():
        cells = [by_kind[kind]["f1"] if kind in by_kind else 0.0 for kind in SHOWN]
        print(f"{choice:<26}{by_kind['overall']['f1']:>8.3f}" + "".join(f"{cell:>10.3f}" for cell in cells))


if __name__ == "__main__":
    run(main)
