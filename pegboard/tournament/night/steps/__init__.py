"""What a decision does to a night, by subject; `night.derivation` has the rest."""
