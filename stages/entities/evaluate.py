"""data/<source> -> data/evaluation/entities/<name>.json: spaCy alone, with all rules, and with all but one rule set.

`python -m stages.entities.evaluate NAME`, for an entry of params.yaml:entities.gold.
"""

from pathlib import Path

from repline.corpora.entities.entity_recognition import EntityRecogniser
from repline.corpora.entities.entity_rules import RULE_SETS
from repline.corpora.entities.entity_types import types_of
from repline.corpora.entities.gazetteers import read
from repline.corpora.entities.gold_entities import read_gold
from repline.evaluation.entity_spans import entity_scores, f1_gain
from repline.files import write_json
from stages import run
from stages.argument import argument
from stages.entities import settings


def main() -> None:
    standards = settings.load().gold
    name = argument("the name of a gold standard", standards)
    gold = read_gold(Path("data") / standards[name].source)
    own = any("own" in entry.origins for entry in read(settings.GAZETTEER))
    alone = EntityRecogniser(rules=()).tag(gold.tokens).tags
    used = [rule for rule in RULE_SETS if rule != "own" or own]
    choices = {"all": used} | {f"without_{rule}": [one for one in used if one != rule] for rule in used}
    found = {"none": alone}
    for choice, rules in choices.items():
        found[choice] = EntityRecogniser([settings.GAZETTEER], rules, base="given").tag(gold.tokens, alone).tags
    typed = {choice: [types_of(tags) for tags in sentences] for choice, sentences in found.items()}
    metrics: dict = {choice: entity_scores(gold.tags, tags) for choice, tags in typed.items()}
    for rule in used:
        metrics[f"without_{rule}"]["loss"] = f1_gain(gold.tags, typed["all"], typed[f"without_{rule}"])
    metrics["all"]["gain"] = f1_gain(gold.tags, typed["all"], typed["none"])
    metrics["sentences"] = len(gold.tokens)
    path = f"data/evaluation/entities/{name}.json"
    write_json(path, metrics)
    print(f"{path}: F1 in {len(gold.tokens):,} sentences, rules over spaCy's recogniser")
    print(
        f"{'rules':<26}{'overall':>8}" + "".join(f"{kind:>10}" for kind in ("person", "company", "location", "spans"))
    )
    for choice in found:
        shown = [metrics[choice].get(kind, {}).get("f1", 0.0) for kind in ("person", "company", "location", "spans")]
        print(f"{choice:<26}{metrics[choice]['overall']['f1']:>8.3f}" + "".join(f"{value:>10.3f}" for value in shown))


if __name__ == "__main__":
    run(main)
