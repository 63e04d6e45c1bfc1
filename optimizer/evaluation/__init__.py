"""The independent evaluator: judges and prices routes without any help from the search."""
