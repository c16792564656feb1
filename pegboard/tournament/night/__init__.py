"""Tournament events (club nights): decisions stored as facts, the state derived from them, and its views and files.

Pure values and functions only: clocks, files, threads and randomness come in as arguments. Choices (a draw, a cutoff,
bracket places, pot shares) are stored as they were made, and replay only reads them, so a later version never changes
an old event. Limits are checked when a decision is made; replay never refuses.
"""
