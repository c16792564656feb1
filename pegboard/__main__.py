"""Entry point of `python -m pegboard` and the command `pegboard`: loads the command line; Ctrl-C exits quietly."""

from pegboard import streams
from pegboard.interpreter_tuning import freeze_imports


def main() -> None:
    """Run the command line and exit."""
    streams.watch_loading()
    try:
        with freeze_imports():
            from pegboard.cli.main import main as run_command
        run_command()
    finally:
        streams.ignore()
        streams.finish_errors()


if __name__ == "__main__":
    main()
