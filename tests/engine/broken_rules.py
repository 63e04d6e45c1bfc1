"""A module of rules that fails when it is imported; see test_cli_failures."""

raise SyntaxError("broken on purpose")
