from repline.lexicons.letter_case import as_listed, without_case


def test_a_word_with_capitals_is_found_in_lower_case():
    words = ["Haus", "haus", "Hund", "HUND", "Katze", "Polish"]
    assert as_listed(words, {"haus", "hund", "Polish", "polish"}) == ["Haus", "haus", "hund", "HUND", "Katze", "Polish"]


def test_a_lexicon_in_lower_case_leaves_words_in_lower_case_as_they_are():
    assert as_listed(["a", "b"], {"b", "c"}) == ["a", "b"]


def test_words_with_a_sharp_s_are_not_those_with_two():
    words = ["Maße", "MAẞE", "maße", "Masse", "MASSE", "Σίσυφος", "ΣΊΣΥΦΟΣ"]
    assert [without_case(word) for word in words] == ["maße"] * 3 + ["masse"] * 2 + ["σίσυφοσ"] * 2
