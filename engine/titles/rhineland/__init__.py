"""18Rhl: what the Rhineland adds to the common machine."""
