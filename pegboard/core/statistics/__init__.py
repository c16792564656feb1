"""Statistics of one game: deal by deal, averages of each lane, the way of the pegs, the best hands."""
