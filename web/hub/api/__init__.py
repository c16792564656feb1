"""The API of a hub: decisions, joining, calls, results by code, files."""
