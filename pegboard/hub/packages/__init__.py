"""Packages: a night as one signed file that any machine verifies, and re-derives from what was decided and pegged.

Law of this room: a package is written once and never changed; altered in any byte it is refused, with the reason. What
re-derives otherwise is named, and the stored standings stand: a finished night is never recomputed under newer rules.
Only this room and the release signatures import cryptography, and only when something is signed or verified.
"""
