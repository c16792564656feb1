"""Installation: setup of a virtual environment for `make`, Debian package, software updates, rollback; builds.

Rule of this package: it imports only the standard library, itself, `pegboard.errors` and the messages, because it runs
before anything else is installed. The exception is `building`.
"""
