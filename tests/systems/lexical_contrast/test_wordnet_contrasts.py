from repline.systems.lexical_contrast.wordnet_contrasts import contrast_pairs, held_out, opposite_questions

ANTONYMS = [("hot", "cold"), ("big", "small"), ("up", "down"), ("hot", "icy"), ("unknown", "big")]
SYNONYMS = [("hot", "warm"), ("hot", "boiling"), ("hot", "fiery"), ("big", "large"), ("big", "great"), ("cold", "icy")]
WORDS = ["hot", "cold", "big", "small", "up", "down", "icy", "warm", "boiling", "fiery", "large", "great"]


def test_a_question_has_the_opposite_two_synonyms_and_two_others():
    questions = opposite_questions(ANTONYMS, SYNONYMS, WORDS)
    assert [(cue, options[0]) for cue, options in questions] == [("big", "small"), ("hot", "cold"), ("hot", "icy")]
    for cue, (_, *options) in questions:
        assert {frozenset((cue, option)) for option in options[:2]} <= {frozenset(pair) for pair in SYNONYMS}
        assert len({cue, *options}) == 5
        assert not {frozenset((cue, option)) for option in options} & {frozenset(pair) for pair in ANTONYMS}
        assert all(any(option in pair for pair in ANTONYMS) for option in options[2:])
    assert opposite_questions(ANTONYMS, SYNONYMS, WORDS) == questions
    assert any(opposite_questions(ANTONYMS, SYNONYMS, WORDS, seed) != questions for seed in (1, 2, 3))


def test_pairs_of_two_kinds_are_balanced():
    rows = contrast_pairs(ANTONYMS, [*SYNONYMS, ("hot", "cold")], WORDS)
    assert sorted(label for _, _, label in rows) == [0] * 4 + [1] * 4
    assert {frozenset(pair[:2]) for pair in rows if pair[2]} == {frozenset(pair) for pair in ANTONYMS[:4]}
    assert {frozenset(pair[:2]) for pair in rows if not pair[2]} <= {frozenset(pair) for pair in SYNONYMS}
    assert contrast_pairs(ANTONYMS, SYNONYMS, WORDS, 1) != contrast_pairs(ANTONYMS, SYNONYMS, WORDS, 2)
    assert contrast_pairs(ANTONYMS, [], WORDS) == []


def test_a_share_of_the_antonyms_asked_for_is_held_out_with_their_synonyms():
    # big and small, each way, are one pair that is asked for
    questions = [("big", ["small", "large", "great", "up", "down"]), ("hot", ["cold", "warm", "fiery", "up", "big"])]
    questions.append(("small", ["big", "little", "tiny", "up", "hot"]))
    big = {("big", "small"), ("big", "large"), ("big", "great"), ("little", "small"), ("small", "tiny")}
    hot = {("cold", "hot"), ("hot", "warm"), ("fiery", "hot")}
    sets = [set(held_out(questions, [], 0.5, seed)) for seed in range(8)]
    assert {frozenset(pairs) for pairs in sets} == {
        frozenset(tuple(sorted(pair)) for pair in pairs) for pairs in (big, hot)
    }
    assert set(held_out(questions, [], 1.0)) == {tuple(sorted(pair)) for pair in big | hot}
    assert held_out(questions, [("b", "a", 1), ("c", "d", 0)], 0.0) == []
    assert len(held_out([], [("b", "a", 1), ("c", "d", 0)], 0.5)) == 1
