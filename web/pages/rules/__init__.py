"""The rules page: its sections and texts, its worked examples, and the page under the rules in force."""
