"""From a request to the fact that is stored: what has to be chosen is chosen here, once."""
