"""The play-offs: the cut, ties at it, seeds, brackets with best-of play-offs, the consolation and rating points."""
