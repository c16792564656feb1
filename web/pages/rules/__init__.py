"""The rules page: its outline, its worked examples, and the page under the rules in force."""
