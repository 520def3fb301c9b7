"""Measures what the guards and the embedder do, on labelled pairs and on a corpus.

`pairs.read_pairs` reads JSON Lines, `judging.judged` says what a night would make of each pair,
`totals.totals_of` counts, and `distribution.distribution_of` looks at the vectors of a corpus.
Nothing is written, and no text leaves: a result names lines, guards and numbers.
"""
