"""Names and the types of all entities that bear them, from dumps of knowledge bases and from lists of names.

To read: `type_map` (the types), `name_tables` (names by types, the form that all sources are read into),
`named_instances` (a wordnet and GeoNames), `label_sets` (frequent single-word names, split); then the dumps:
`dump_blocks` (lines of compressed files, resumable, in processes), `rdf_scan` (Freebase), `wikidata_scan`, `dumps`,
`made_dump`.

Source: Yaghoobzadeh, Kann & Schütze 2018, section 5.
"""
