"""Home: quick answers, and the logs with size, rename and delete."""

import shutil
from pathlib import Path

import pytest
from opening import errors, marks, open_page, texts

import ofclab as ofc


@pytest.fixture
def place(library: Path, tmp_path: Path) -> Path:
    """A library of one's own."""
    return shutil.copytree(library, tmp_path / "library")


def test_quick_answers_have_their_interval(library: Path, monkeypatch) -> None:
    app = open_page("home", library, monkeypatch, log="small")
    assert [metric.label for metric in app.metric] == [
        "Foul rate", "Fantasyland entries", "Royalties per hand", "Scoops made"
    ]  # fmt: skip
    assert all(metric.delta.startswith("± ") for metric in app.metric)
    assert "kB" in marks(app)


def test_a_log_is_renamed(place: Path, monkeypatch) -> None:
    app = open_page("home", place, monkeypatch)
    app.text_input(key="name_small").input("large").run()
    app.button(key="rename_small").click().run()
    assert not app.exception
    assert ofc.open_log(place / "large").n_hands
    assert not (place / "small").exists()


@pytest.mark.parametrize(("name", "said"), [("imported", "imported is taken"), ("../x", "cannot name a log")])
def test_a_name_that_cannot_be_is_refused(place: Path, monkeypatch, name: str, said: str) -> None:
    app = open_page("home", place, monkeypatch)
    app.text_input(key="name_small").input(name).run()
    app.button(key="rename_small").click().run()
    assert said in texts(app)
    assert (place / "small").exists()


def test_a_log_is_deleted_only_after_a_yes(place: Path, monkeypatch) -> None:
    app = open_page("home", place, monkeypatch)
    assert app.button(key="delete_broken").disabled
    app.checkbox(key="sure_broken").check().run()
    app.button(key="delete_broken").click().run()
    assert not (place / "broken").exists()
    assert (place / "small").exists()
    assert not errors(app)


def test_a_log_that_is_a_link_loses_the_link_only(place: Path, tmp_path: Path, monkeypatch) -> None:
    real = tmp_path / "elsewhere"
    shutil.move(place / "small", real)
    (place / "small").symlink_to(real)
    app = open_page("home", place, monkeypatch)
    app.checkbox(key="sure_small").check().run()
    app.button(key="delete_small").click().run()
    assert not (place / "small").exists()
    assert ofc.open_log(real).n_hands


def test_samples_stay(tmp_path: Path, library: Path, monkeypatch) -> None:
    import loaders
    import shelf

    shutil.copytree(library / "small", tmp_path / "data" / "samples" / "small")
    app = open_page("home", tmp_path, monkeypatch)
    assert not [button for button in app.button if button.label == "Delete"]
    with pytest.raises(shelf.ShelfError, match="one of the samples"):
        shelf.remove(loaders.library()["small"])
