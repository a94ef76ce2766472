"""Word vectors on disk and in memory.

`store` keeps them as gensim's KeyedVectors (`load`, `save`), `formats.readers` reads every common format (`read`), and
`training` makes them.
"""
