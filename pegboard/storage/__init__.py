"""SQLite storage: append-only journal and its summary tables; games, statistics, exports, imports, backups, rescue."""
