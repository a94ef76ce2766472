"""Leaderboards of a person's candidates: vectors, encoders, classifiers or graph models on the same test items.

`shared_items` says what candidates answered, `leaderboard` who is above whom, `leaderboard_table` and
`leaderboard_chart` show it, `compare_options` are the options of the commands.
"""
