"""The API of a table in an event."""
