"""SQLite storage: the append-only journal, its summary tables, games, statistics, exports and imports."""
