"""Scoring many candidate routes of one position in a single compiled, parallel pass.

:func:`evaluate_many` gives for each route what :func:`optimizer.evaluate.evaluate` gives for that route
alone: its revenue and the rules that it breaks. It is for ranking, statistics and checking whole lists of
routes; the first call in a process loads Numba, the first on a machine compiles.
"""

from optimizer.bulk.scoring import RouteArrays, Scorer, Scores, evaluate_many

__all__ = ["RouteArrays", "Scorer", "Scores", "evaluate_many"]
