"""Event packages: an event as one signed file that any machine can verify and rederive from its log and sheets.

Rule of this package: a package file is written once and never changed. If any byte is altered, it is refused, with the
reason. Where rederived results differ, the differences are listed, and the stored standings count: a finished event is
never recomputed under newer rules. Only this code and the release signatures import cryptography, and only to sign or
verify.
"""
