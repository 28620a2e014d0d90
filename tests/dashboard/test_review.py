"""Review: hands taken in by file and by typing; hostile uploads; every hand accounted for."""

import gzip
import io
import shutil
import zipfile
from pathlib import Path

import pytest
import uploads
from opening import errors, html, marks, open_page, texts, wait_for_jobs
from samples import TYPED

import ofclab as ofc

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
BAD = TYPED.replace("Ac Ad 6c", "Qh Ad 6c").replace("Mara", "<b>Mara</b>").replace("Jonas", "=1+1")


def _zip(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return buffer.getvalue()


@pytest.fixture
def review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Open the page over an empty library."""
    return lambda **address: open_page("review", tmp_path, monkeypatch, **address)


def test_an_empty_library_offers_to_import(review) -> None:
    app = review()
    assert not errors(app)
    assert "Nothing has been imported yet" in marks(app)
    assert app.button(key="review_import").disabled


def test_a_typed_hand_is_taken_in_and_accounted_for(review, tmp_path: Path) -> None:
    app = review()
    app.text_area[0].input(TYPED).run()
    app.button(key="review_import").click().run()
    assert not errors(app)
    assert "1 new hand taken." in html(app)
    assert "1 read = 1 new + 0 duplicate + 0 rejected." in html(app)
    assert "final boards" in html(app)
    assert ofc.open_log(tmp_path / "data" / "runs" / "import").n_hands == 1
    # The same again into the same log is a duplicate.
    app.selectbox(key="review_into").set_value("import").run()
    app.text_area[0].input(TYPED).run()
    app.button(key="review_import").click().run()
    assert "1 read = 0 new + 1 duplicate + 0 rejected." in html(app)


def test_rejects_are_shown_with_file_line_and_reason_and_no_markup(review) -> None:
    app = review()
    app.text_area[0].input(BAD).run()
    app.button(key="review_import").click().run()
    assert not app.exception
    said = html(app)
    assert "typed.txt:" in said
    assert "<b>Mara" not in said
    assert "0 new" in said


def test_the_page_shows_rejects_of_a_log_in_which_everything_was_rejected(review, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text(BAD)
    ofc.import_hands(tmp_path / "bad.txt", out=tmp_path / "bad")
    app = review(log="bad")
    assert not app.exception
    assert "bad.txt:" in html(app)


@pytest.mark.parametrize("sample", ["flat13/match.txt", "native_jsonl/mixed.jsonl", "web_app_sqlite/twin.db"])
def test_the_samples_are_taken_in(tmp_path: Path, sample: str) -> None:
    file = SAMPLES / sample
    paths = uploads.write(tmp_path / "in", uploads.unpack([uploads.Upload(file.name, file.read_bytes())]))
    report = ofc.import_hands(paths, out=tmp_path / "out")
    assert report.read == report.new + report.duplicate + len(report.rejected)
    assert report.new


def test_archives_are_unpacked_by_name_only() -> None:
    found = uploads.unpack([uploads.Upload("all.zip", _zip(**{"..__..__evil.txt": b"a", "x__hands.txt": b"b"}))])
    assert [(file.name, file.content) for file in found] == [("evil.txt", b"a"), ("hands.txt", b"b")]
    [file] = uploads.unpack([uploads.Upload("hands.txt.gz", gzip.compress(b"c"))])
    assert (file.name, file.content) == ("hands.txt", b"c")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../x.txt", "x.txt"),
        ("C:\\a\\b.db", "b.db"),
        ("/etc/passwd", "passwd"),
        ("..", "file"),
        ("", "file"),
        ("a\x00b<i>.txt", "a_b_i_.txt"),
        ("y" * 300 + ".txt", "y" * 96 + ".txt"),
    ],
)
def test_names_of_files_are_never_paths(tmp_path: Path, name: str, kept: str) -> None:
    assert uploads.safe_name(name) == kept
    [path] = uploads.write(tmp_path, [uploads.Upload(name, b"")])
    assert path.resolve().is_relative_to(tmp_path.resolve())


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_UNPACKED", 2**20)
    bomb = bytes(5 * 2**20)
    for name, content in (("bomb.zip", _zip(bomb=bomb)), ("bomb.gz", gzip.compress(bomb))):
        assert len(content) < 10_000
        with pytest.raises(uploads.UploadError, match=rf"{name} unpacks to more than 1 MB"):
            uploads.unpack([uploads.Upload(name, content)])
    several = _zip(**{f"f{number}": bytes(2**18) for number in range(9)})
    with pytest.raises(uploads.UploadError, match="unpacks to more than"):
        uploads.unpack([uploads.Upload("many.zip", several)])


def test_too_much_and_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = _zip(**{f"f{number}": b"x" for number in range(uploads.MOST_FILES + 1)})
    with pytest.raises(uploads.UploadError, match="want at most 500"):
        uploads.unpack([uploads.Upload("many.zip", many)])
    monkeypatch.setattr(uploads, "MOST_BYTES", 10)
    with pytest.raises(uploads.UploadError, match="were sent"):
        uploads.unpack([uploads.Upload("x.txt", bytes(11))])


@pytest.mark.parametrize("content", [b"PK\x03\x04 not a zip", b"\x1f\x8b not gzip", b"PK\x03\x04"])
def test_broken_archives_are_refused(content: bytes) -> None:
    with pytest.raises(uploads.UploadError, match="cannot be unpacked"):
        uploads.unpack([uploads.Upload("x.zip", content)])


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 1000, b"SQLite format 3\x00" + bytes(200), b"{" * 5000, b"\xff\xfe\x00"]
)
def test_files_of_nonsense_are_rejects_not_faults(tmp_path: Path, content: bytes) -> None:
    paths = uploads.write(tmp_path / "in", [uploads.Upload("x.bin", content)])
    report = ofc.import_hands(paths, out=tmp_path / "out")
    assert report.new == 0
    assert report.rejected


def test_a_taken_or_impossible_name_is_refused(review, tmp_path: Path) -> None:
    (tmp_path / "data" / "runs" / "mine").mkdir(parents=True)
    app = review()
    for name, said in (("mine", "mine is taken"), ("../up", "cannot name a log")):
        app.text_area[0].input(TYPED).run()
        app.text_input(key="review_name").input(name).run()
        app.button(key="review_import").click().run()
        assert errors(app)
        assert said in texts(app)
    assert not (tmp_path / "data" / "up").exists()


def test_an_unknown_timezone_is_refused(review) -> None:
    app = review()
    app.text_input(key="review_zone").input("Mars/Base").run()
    app.text_area[0].input(TYPED).run()
    app.button(key="review_import").click().run()
    assert "no timezone 'Mars/Base'" in texts(app)


def test_decisions_are_judged_in_the_background_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    players = ["never_bust_greedy", "random_legal"]
    ofc.simulate("american-pineapple", players, tables=1, hands=1, seed=1, out=tmp_path / "one")
    app = open_page("review", tmp_path, monkeypatch, log="one", review_view="Decisions")
    assert "have not been judged at this level yet" in marks(app)
    [start] = [button for button in app.button if button.label == "Review the decisions"]
    start.click().run()
    app = wait_for_jobs(app)
    assert not app.exception
    assert not errors(app)
    assert "10 decisions in 2 of 2 player-hands" in html(app)
    assert "Judged by what each player saw" in html(app)


@pytest.mark.slow
def test_final_boards_have_no_decision_to_judge(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = shutil.copytree(library, tmp_path / "library")
    app = open_page("review", place, monkeypatch, log="typed", review_view="Decisions")
    [start] = [button for button in app.button if button.label == "Review the decisions"]
    start.click().run()
    app = wait_for_jobs(app)
    assert not errors(app)
    assert "nothing to review" in marks(app)


@pytest.mark.parametrize("log", ["small", "imported", "typed"])
def test_the_ledger_names_who_leads_and_no_markup(library: Path, monkeypatch: pytest.MonkeyPatch, log: str) -> None:
    app = open_page("review", library, monkeypatch, log=log, review_view="Ledger")
    assert not app.exception
    assert not errors(app)
    assert "leads with" in html(app)
    assert "<b>Ann</b>" not in html(app)


def test_rejects_of_a_log_are_shown_long_after_its_import(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page("review", library, monkeypatch, log="rejects")
    assert not errors(app)
    assert "rejects.txt:" in html(app)
    assert "Qh" in html(app)
