"""1856: destinations and escrow, loans, private powers, and the national railway."""
