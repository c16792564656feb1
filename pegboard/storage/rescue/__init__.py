"""Backup, verification, salvage and restore of the journal."""
