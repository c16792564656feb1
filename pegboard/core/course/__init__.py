"""The course of a game: a hidden Markov model of what nobody has said of the deal and the reasons of scores."""
