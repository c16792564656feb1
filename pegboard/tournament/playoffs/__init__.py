"""Playoffs: the cutoff and its ties, seeds, brackets with best-of matches, and the consolation bracket."""
