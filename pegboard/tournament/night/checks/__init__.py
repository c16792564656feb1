"""What is refused today, by subject; `night.limits` has the rest."""
