"""What the tests of the dashboard open, type and call players."""

from pathlib import Path

DASHBOARD = Path(__file__).parents[2] / "dashboard"
NAMES = ("=1+1 <b>Ann</b>", "Bob_*x*")
"""Players whose names would do harm where a page took them for markup or a spreadsheet for a formula."""

TYPED = """
Hand 1
Mara (Button):
Qh Qd 2c
8s 8d 5c 5h Kc
As Ks 9s 4s 2s

Jonas:
Ac Ad 6c
Jc Jh Ts Td 4h
7h 7d 7s 3c 3h
"""
