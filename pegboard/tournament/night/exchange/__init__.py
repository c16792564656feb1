"""Import and export of an event: CSV for spreadsheets, JSON for programs; rosters and results are imported from CSV."""
