"""Names and words as people type them: players, notes, known names, and the words of enums; names of epochs."""
