"""The rules page: its outline, worked examples, and how it is written for the rules in force."""
