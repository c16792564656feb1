"""Previews: what a command would do is judged on a snapshot of the table, while scores go on."""
