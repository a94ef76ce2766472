"""JET: words, terms and the entities that terms may mean, in one space, from text and a terminology alone.

Read `terminology` (term -> entities), `mentions` (where terms are in a text), `corpus` (both as numbers), `updates`
and `training` (the compiled loop), `model` (scores), `disambiguation`, `entity_pairs` and `evaluation` (its tests),
`settings`.

Source: Newman-Griffis, Lai & Fosler-Lussier 2018, "Jointly Embedding Entities and Text with Distant Supervision".
"""
