"""The rules, pure: no device, no clock, no numpy.

`entries` is what happened at a table, `ugn` writes and reads it, `table` judges it entry by entry, `record` a whole
game under any profile, `judge` holds the parts of the judge by topic, `scoring` and `scoring_sheet` keep the score,
`profiles` say what a table plays by, and `messages` put a ruling into words.
"""
