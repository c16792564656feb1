"""The JSON API: commands, state, games, statistics, settings, exports and imports."""
