"""Scenes as sets of context triplets, and sentences that speak of them.

In reading order: `scene` (triplets, words, sentences), `scene_files` (files in the format of MD-TC), `made_scenes` with
`scene_templates` and `sentence_draft` (scenes drawn by a seed, with sentences of every kind), `inferred_relations`,
`scene_statistics`, `triplet_extraction` (triplets from sentences alone), `scene_corpus` (Parquet with a card).
"""
