"""Chinese word vectors from words, characters and components: CBOW, CWE, JWE and COWE in one loop.

To read: `settings`, `model` (what each model predicts from what), `updates` (the compiled loop), `subwords` and
`corpus` (its data), `training`, `evaluation`; `subword_vectors` and `use` give vectors of words never seen.

Source: Chen & Sheng 2018, "A Hybrid Learning Scheme for Chinese Word Embedding".
"""
