"""The systems as the command lists them: what each one does, what goes in and what comes out."""

from typing import NamedTuple


class System(NamedTuple):
    """One row of `repline systems`.

    Attributes:
        name: of the system, in `repline.systems` and in data/models.
        summary: the system in a few words.
        use: the methods of what `repline.load` returns for its models.
    """

    name: str
    summary: str
    use: str


SYSTEMS = (
    System("bracket_rnn", "language model with brackets", "score(texts), next(text), brackets(text)"),
    System(
        "chinese_hybrid",
        "Chinese word vectors of characters and components",
        "vector(word), also of a word never seen, character(character)",
    ),
    System("cjc", "Chinese-Japanese word vectors by common characters", "vector(word), translate(word)"),
    System("complex_embedding", "complex word embedding, classifier", "classify(texts)"),
    System("concreteness", "concreteness and imageability of words", "rate(words)"),
    System("context_parser", "dependency parser with a context", "parse(sentence, context), complete(gap, context)"),
    System(
        "conversations",
        "sentence encoder from conversations",
        "encode(texts), similarity(a, b), rank(message, replies)",
    ),
    System("corpus_specificity", "LSA and word2vec of a chosen corpus", "vector(word), most_similar(word)"),
    System("definition_nli", "inference with definitions", "classify(pairs)"),
    System("entity_documents", "documents by the names in them", "classify(texts), several labels each"),
    System("extrofitting", "vectors enriched with a lexicon", "vector(word), most_similar(word)"),
    System("hcan", "convolutional attention, classifier", "classify(texts)"),
    System("hrrlm", "language model of role-filler pairs", "score(texts), next(text), fillers(word)"),
    System("image_lexicon", "translation of words by their pictures", "translate(word), translate_pictures(folder)"),
    System("jet", "vectors of entities from text", "disambiguate(text), vector(entity)"),
    System("lexical_contrast", "vectors specialised for synonyms and antonyms", "vector(word), most_similar(word)"),
    System("lmtgru", "convolutions and a gated recurrence, classifier", "classify(texts)"),
    System("lstm_memorization", "LSTM that recalls a word", "recall(texts), score(texts), next(text)"),
    System("morph2vec", "word vectors composed of morphs", "vector(word), also of a word never seen, compose(words)"),
    System("multilingual_seq2seq", "encoder and translator of many languages", "encode(texts), translate(texts)"),
    System("name_typing", "types of names from their vectors", "types(names)"),
    System("rnn_cnn", "sentence encoder from the sentences that follow", "encode(texts), similarity(a, b)"),
    System("rrnet", "recurrent-recursive network", "value(expression), relation(pair), with the tree, score(texts)"),
    System("srl_seq2seq", "semantic roles by rewriting", "label(sentence, predicate)"),
    System("supervised_unsupervised", "inference with a second loss", "classify(pairs), encode(texts)"),
    System("tpgn", "captions by tensor products", "caption(tags)"),
    System("transea", "knowledge graph with numbers", "predict(head, relation), predict_number(entity, attribute)"),
    System("urn", "unitary recurrent network", "score(texts), next(text), classify(texts), matrix(phrase)"),
    System("usif", "sentence embedding without training", "encode(texts), similarity(a, b)"),
    System(
        "visual_characters",
        "characters from their pictures",
        "vector(character), glosses(word), tag(text), translate(text)",
    ),
    System("wordnet_embeddings", "vectors from WordNet alone", "vector(word), most_similar(word)"),
)
