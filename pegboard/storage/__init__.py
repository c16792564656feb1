"""The journal and all that is read from it: games, statistics, exports, imports. Only this room knows SQLite."""
