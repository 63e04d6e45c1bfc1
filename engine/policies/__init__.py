"""Rules that titles share or replace, one small class for each subject."""
