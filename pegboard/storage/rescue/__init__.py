"""Copies of the journal and what is done where it is damaged: verified, read page by page, put back."""
