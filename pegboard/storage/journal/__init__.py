"""Keeps scores safe from what disks and people do to the journal's files: notices it, says it, and plays on.

Law of this package: nothing that was answered is lost silently, and nothing that was refused comes back.
"""
