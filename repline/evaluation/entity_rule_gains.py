"""What rules gain over a recogniser of entities: scores without rules, with all, and with all but one rule set."""

from collections.abc import Sequence
from pathlib import Path

from repline.corpora.entities.entity_recognition import EntityRecogniser
from repline.corpora.entities.entity_types import types_of
from repline.corpora.entities.gazetteers import read
from repline.corpora.entities.recipes import RULE_SETS, RuleSet
from repline.evaluation.chunking import SpanScores
from repline.evaluation.entity_spans import Gain, entity_scores, f1_gain


def entity_rule_gains(
    tokens: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], gazetteer: str | Path
) -> dict[str, dict[str, SpanScores | Gain]]:
    """Scores of spaCy's recogniser with each set of rules applied to its output.

    Args:
        tokens: of each sentence.
        gold: IOB2 tags of each token.
        gazetteer: as of `repline.corpora.entities.gazetteers.read`; without names of your own, their rule set is not
            used.

    Returns:
        none, all and `without_<rule set>` -> scores of `entity_scores`; the F1 `gain` of all rules, and the `loss`
        without each rule set.
    """
    has_own_names = any("own" in entry.origins for entry in read(gazetteer))
    rule_sets = [rules for rules in RULE_SETS if rules != "own" or has_own_names]
    choices: dict[str, list[RuleSet]] = {"all": rule_sets}
    choices |= {f"without_{left_out}": [rules for rules in rule_sets if rules != left_out] for left_out in rule_sets}
    alone = EntityRecogniser(rules=()).tag(tokens).tags
    tags = {"none": alone}
    for choice, rules in choices.items():
        tags[choice] = EntityRecogniser([gazetteer], rules, base="given").tag(tokens, alone).tags
    types = {choice: [types_of(sentence) for sentence in sentences] for choice, sentences in tags.items()}
    scores: dict[str, dict[str, SpanScores | Gain]] = {
        choice: {**entity_scores(gold, tagged)} for choice, tagged in types.items()
    }
    for left_out in rule_sets:
        choice = f"without_{left_out}"
        scores[choice]["loss"] = f1_gain(gold, types["all"], types[choice])
    scores["all"]["gain"] = f1_gain(gold, types["all"], types["none"])
    return scores
