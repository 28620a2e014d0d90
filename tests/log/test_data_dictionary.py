"""The data dictionary names every column of the facts and of the scores."""

from pathlib import Path

import pytest

from ofclab.log.schema import CARD_COLUMNS, FOUL_STREETS, HANDS, LEDGER, SCORES, SEATS

DICTIONARY = (Path(__file__).parents[2] / "data" / "README.md").read_text()


@pytest.mark.parametrize("column", sorted({*HANDS, *SEATS, *SCORES, *FOUL_STREETS, *LEDGER} - set(CARD_COLUMNS[1:-1])))
def test_every_column_is_explained(column: str) -> None:
    assert f"`{column}`" in DICTIONARY
