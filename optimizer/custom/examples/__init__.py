"""Worked examples: rules of real titles outside the four that are built in."""
