"""Games of another table, as its export tells them: parsed, checked line by line, and stored all or none."""
