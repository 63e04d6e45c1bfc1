"""What 1861 and 1867 share: minors and majors, loans, mergers, nationalization (rules: 1861.md)."""
