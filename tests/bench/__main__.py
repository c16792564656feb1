"""`python -m tests.bench` measures every budget; Ctrl-C ends it, and what it has started."""

import sys

from pegboard import streams


def main():
    """Measure what the arguments name, or all."""
    streams.watch_loading()
    try:
        with streams.interruptible():
            from tests.bench.run_groups import main as measure  # noqa: PLC0415 - Ctrl-C is heard before

            status = measure(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(streams.INTERRUPTED)
    finally:
        streams.ignore()
    sys.exit(status)


if __name__ == "__main__":
    main()
