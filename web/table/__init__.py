"""The table's pages and JSON API: commands, state, games, statistics, settings, exports and imports."""
