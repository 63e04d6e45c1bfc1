"""rheingold.v1: generated messages and services."""
