"""A night as files: CSV for spreadsheets and JSON for programs; a roster comes in as CSV."""
