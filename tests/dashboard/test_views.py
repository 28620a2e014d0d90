"""Every page over every kind of library: it draws, or says what is wrong; it never breaks."""

import ast
from pathlib import Path

import polars as pl
import pytest
from samples import DASHBOARD, NAMES
from streamlit.testing.v1 import AppTest

PAGES = sorted(file.stem for file in (DASHBOARD / "views").glob("*.py"))
OF_A_LOG = [page for page in PAGES if "choose_log(" in (DASHBOARD / "views" / f"{page}.py").read_text(encoding="utf-8")]
"""Pages that look at a log; the others have an address that names none."""
ERROR = ":material/error:"


@pytest.fixture
def open_page(library: Path, monkeypatch: pytest.MonkeyPatch):
    """Open a page with an address like ``log="small"`` over the library, or over another folder."""

    def opened(page: str, folder: Path = library, **address: str) -> AppTest:
        monkeypatch.setenv("OFCLAB_HOME", str(folder))
        app = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=60)
        app.switch_page(f"views/{page}.py")
        for key, value in address.items():
            app.query_params[key] = value
        return app.run()

    return opened


def errors(app: AppTest) -> list[str]:
    return [mark.value for mark in app.markdown if ERROR in mark.value]


def texts(app: AppTest) -> str:
    return " ".join(text.value for text in app.text)


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_every_view_describes_itself() -> None:
    assert {"home", "compare", "fouls"} <= set(PAGES)
    for page in PAGES:
        tree = ast.parse((DASHBOARD / "views" / f"{page}.py").read_text(encoding="utf-8"))
        said = {
            node.targets[0].id for node in tree.body if isinstance(node, ast.Assign) and hasattr(node.targets[0], "id")
        }
        assert {"TITLE", "ICON", "SECTION", "ORDER"} <= said, page


@pytest.mark.parametrize("log", ["small", "imported", "typed", "rejects"])
@pytest.mark.parametrize("page", PAGES)
def test_every_page_draws_every_log(open_page, page: str, log: str) -> None:
    app = open_page(page, log=log)
    assert not app.exception
    assert app.title[0].value
    # The home page lists the broken log as a row with its reason.
    assert len(errors(app)) == (page == "home")


@pytest.mark.parametrize("page", ["home", *(page for page in OF_A_LOG if page != "review")])
def test_an_empty_library_says_so_and_offers_one_button(open_page, page: str, tmp_path: Path) -> None:
    app = open_page(page, folder=tmp_path)
    assert not app.exception
    assert not errors(app)
    assert any("no log here yet" in mark.value for mark in app.markdown)
    assert [button.label for button in app.button] == ["Play a sample"]


def test_the_button_of_an_empty_library_plays_a_sample(open_page, tmp_path: Path) -> None:
    app = open_page("fouls", folder=tmp_path)
    app.button[0].click().run()
    assert not app.exception
    assert not errors(app)
    assert "random_legal" in html(app)


@pytest.mark.parametrize("page", OF_A_LOG)
def test_a_broken_log_is_named_with_its_reason(open_page, page: str) -> None:
    app = open_page(page, log="broken")
    assert not app.exception
    assert len(errors(app)) == 1
    assert "manifest.json is corrupt" in texts(app)


@pytest.mark.parametrize("name", ["nope", "../small", "/etc/passwd", "small/../small"])
@pytest.mark.parametrize("page", OF_A_LOG)
def test_an_unknown_log_in_the_address_is_an_error_with_the_choices(
    open_page, library: Path, page: str, name: str
) -> None:
    app = open_page(page, log=str(library / "small") if name.startswith("/") else name)
    assert not app.exception
    assert errors(app) == [":red[:material/error: **There is no log of this name.**]"]
    assert {"small", "imported", "typed", "rejects", "broken"} in [set(box.options) for box in app.selectbox]


def test_another_log_can_be_chosen_after_an_unknown_one(open_page) -> None:
    app = open_page("fouls", log="nope")
    app.selectbox[0].select("small").run()
    assert not errors(app)
    assert app.query_params["log"] in ("small", ["small"])


def test_the_verdict_on_fouls_has_its_number_and_interval(open_page) -> None:
    said = html(open_page("fouls", log="small"))
    assert "<b>random_legal</b> fouls" in said
    assert "95\xa0% intervals" in said
    assert "is the dangerous one" in said


def test_names_from_files_are_never_markup(open_page) -> None:
    app = open_page("fouls", log="imported")
    said = html(app)
    assert "=1+1 &lt;b&gt;Ann&lt;/b&gt;" in said
    assert NAMES[0] not in said
    assert not any(name in mark.value for mark in app.markdown for name in NAMES)


def test_fouls_can_be_kept_to_one_player(open_page) -> None:
    app = open_page("fouls", log="small", fouls_player="never_bust_greedy", fouls_by="All hands")
    assert app.multiselect[0].value == ["never_bust_greedy"]
    assert "The players foul" in html(app)


def test_a_log_without_deal_order_names_no_street(open_page) -> None:
    app = open_page("fouls", log="typed")
    assert any("does not tell the order of the cards" in mark.value for mark in app.markdown)


def test_rules_can_be_those_of_a_file_beside_the_logs(open_page) -> None:
    app = open_page("compare", log="small", compare_b="house.toml")
    assert not errors(app)
    assert "A scoop pays 6 instead of 3 extra points" in html(app)


def test_equal_rules_differ_in_nothing(open_page) -> None:
    app = open_page("compare", log="small", compare_a="american-pineapple", compare_b="american-pineapple")
    assert "Nothing differs." in html(app)
    assert not errors(app)


def test_a_rules_file_that_cannot_be_used_says_why(open_page) -> None:
    app = open_page("compare", log="small", compare_b="bad.toml")
    assert len(errors(app)) == 1
    assert 'scoring.sweep_bonus = "x"' in texts(app)


def test_unknown_rules_in_the_address_are_an_error_with_the_choices(open_page) -> None:
    app = open_page("compare", log="small", compare_a="house.tomlx")
    assert errors(app) == [":red[:material/error: **There is no ruleset of this name.**]"]
    assert "house.toml" in app.selectbox[-1].options


def test_rules_that_deal_other_cards_cannot_be_rescored(open_page) -> None:
    app = open_page("compare", log="small", compare_b="american-regular")
    assert len(errors(app)) == 1
    assert "deal.rounds" in texts(app)


def test_nobody_entered_gives_the_upper_bound() -> None:
    from words.fouls import fantasyland_sentence

    entry = pl.DataFrame({"hands": [1200], "entry_rate": [0.0], "low": [0.0], "high": [0.0031]})
    said = fantasyland_sentence(entry, entry, entry)
    assert said == "None of 1,200 hands reached Fantasyland: it happens in fewer than 0.3\xa0% (95\xa0% upper bound)."


def test_overlapping_intervals_are_too_close_to_call() -> None:
    from words.fouls import foul_verdict

    ends = {"foul_rate": [0.2, 0.3], "low": [0.1, 0.2], "high": [0.3, 0.4]}
    rates = pl.DataFrame({"player": ["a", "b"], "hands": [10, 10], "clusters": [5, 5], **ends})
    assert foul_verdict(rates, "player")[0] == "Who fouls more is too close to call."


def test_csv_cells_start_no_formula() -> None:
    from components.download import to_csv

    table = pl.DataFrame({"player": ["=1+1", "+a", "-b", "@c", "\tx", "Ann", None], "points": [-1, 2, 3, 4, 5, 6, 7]})
    lines = to_csv(table).decode().splitlines()
    assert lines[0] == "player,points"
    assert lines[1:5] == ["'=1+1,-1", "'+a,2", "'-b,3", "'@c,4"]
    assert lines[-2:] == ["Ann,6", ",7"]
