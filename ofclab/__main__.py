"""Run the program as `python -m ofclab`."""

from ofclab.cli import main

if __name__ == "__main__":
    main()
