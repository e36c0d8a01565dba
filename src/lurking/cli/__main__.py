"""``python -m lurking.cli`` is the command ``lurking``."""

from lurking.cli import main

if __name__ == "__main__":
    main()
