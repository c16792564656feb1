"""Card logic: parsing of cards, scoring of the play (pegging), and scoring of hands and the crib in the show."""
