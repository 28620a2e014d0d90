"""Take hands into the library: dropped files or typed text, then an account of every hand."""

import json
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jobs
import loaders
import polars as pl
import shelf
import streamlit as st
import uploads
import words
from words import review as say

import ofclab as ofc
from components.download import Item
from components.page import note, show_error, show_html_table, show_note, verdict

NEW = "a new log"
BY_SOURCE = "as the source says"
SHOWN = 50


@st.cache_resource
def _lock() -> threading.Lock:
    """One import at a time: two into one log would each overlook the other's hands."""
    return threading.Lock()


def ask_for_hands(entries: dict[str, loaders.Entry]) -> None:
    """Draw drop zone, text box and where to put the hands; the button takes them in and goes to the log."""
    # A new key empties the drop zone after an import.
    turn = st.session_state.setdefault("review_turn", 0)
    left, right = st.columns([1.25, 1], gap="medium")
    with left:
        files = st.file_uploader("Files of hands", accept_multiple_files=True, key=f"review_files_{turn}",
                                 max_upload_size=uploads.MOST_BYTES >> 20)  # fmt: skip
        text = st.text_area("Or type hands", key=f"review_text_{turn}", placeholder=say.TYPED_EXAMPLE, height=190,
                            max_chars=200_000)  # fmt: skip
    with right:
        own = [name for name in imported(entries) if shelf.is_own(entries[name])]
        into = st.selectbox("Into", [NEW, *own], key="review_into")
        name = st.text_input("Name of the new log", key="review_name", placeholder=jobs.free_name("import"),
                             disabled=into != NEW, max_chars=80)  # fmt: skip
        rules = st.selectbox("Rules they were played under", [BY_SOURCE, *loaders.rules_names()], key="review_rules")
        zone = st.text_input("Time zone of times that name none", "UTC", key="review_zone", max_chars=60)
        if st.button("Import", type="primary", icon=":material/upload:", key="review_import",
                     disabled=not files and not text.strip()):  # fmt: skip
            sent = [uploads.Upload(file.name, file.getvalue()) for file in files]
            if text.strip():
                sent.append(uploads.Upload("typed.txt", text.encode()))
            folder = entries[into].path if into != NEW else None
            take(sent, folder, name.strip() or jobs.free_name("import"), None if rules == BY_SOURCE else rules, zone)
    note(f"{say.LIMITS} {say.NAMES}")


def imported(entries: dict[str, loaders.Entry]) -> list[str]:
    """The names of the logs that were imported and can be read."""
    found = []
    for name in loaders.readable(entries):
        if loaders.facts(entries[name]).kind == "import":
            found.append(name)
    return found


def is_empty(entry: loaders.Entry) -> bool:
    """Whether a log can be read and holds no hand."""
    try:
        return not loaders.facts(entry).hands
    except ofc.LogError:
        return False


def take(sent: Sequence[uploads.Upload], folder: Path | None, name: str, rules: str | None, zone: str) -> None:
    """Import what was sent and go to its log; what cannot be is said, and nothing is left behind."""
    try:
        out = folder or loaders.runs_folder() / jobs.check_name(name)
        if folder is None and out.exists():
            raise jobs.JobError(f"{name} is taken; choose another name for the log")
        files = uploads.unpack(sent)
        ruleset = loaders.load_rules(rules) if rules else None
        with st.spinner("Reading the hands"), _lock(), tempfile.TemporaryDirectory() as place:
            report = ofc.import_hands(uploads.write(Path(place), files), rules=ruleset, timezone=zone or None, out=out)
    except (ValueError, OSError) as error:
        show_error("Nothing was imported.", str(error))
        return
    st.session_state["review_report"] = {
        "log": out.name, "read": report.read, "new": report.new, "duplicate": report.duplicate,
        "rejected": len(report.rejected), "warnings": report.warnings,
        "files": [(file.file, file.format, file.reason, file.read, file.new) for file in report.files],
    }  # fmt: skip
    st.session_state["review_turn"] += 1
    st.query_params["log"] = out.name
    st.rerun()


def show_report(log: str) -> None:
    """What became of the hands of the import just made, if it went into this log."""
    report = st.session_state.get("review_report")
    if not report or report["log"] != log:
        return
    verdict(*say.account(report["read"], report["new"], report["duplicate"], report["rejected"]))
    rows = [
        [file, kind or "unknown", reason, f"{new:,} of {read:,}"] for file, kind, reason, read, new in report["files"]
    ]
    show_html_table(["File", "Format", "Because", "New"], rows[:SHOWN])
    if report["warnings"]:
        show_note(
            f"{words.counted(report['warnings'], 'hand')} with something odd: see the column warnings of the log."
        )


@st.cache_data(max_entries=64, show_spinner=False)
def _completeness(path: Path, stamp: str) -> dict[str, int]:
    hands = ofc.open_log(path).hands.group_by(pl.col("completeness").cast(pl.String)).agg(pl.len()).collect()
    return dict(hands.iter_rows())


def read_rejects(entry: loaders.Entry) -> list[dict[str, Any]]:
    """What the log's imports have rejected."""
    file = entry.path / "rejects.jsonl"
    if not file.is_file():
        return []
    found = []
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            found.append({key: row.get(key, "") for key in ("file", "line", "reason", "raw")})
    return found


def show_account(entry: loaders.Entry) -> list[Item]:
    """What the source tells of the hands, and what was rejected with its reason."""
    items = []
    counts = _completeness(entry.path, entry.stamp)
    show_html_table(*say.known(counts, GOOD_FOR))
    rejected = read_rejects(entry)
    if rejected:
        st.subheader(f"{words.counted(len(rejected), 'reject')}", anchor=False)
        show_html_table(*say.rejects(rejected[:SHOWN]))
        if len(rejected) > SHOWN:
            note(f"The first {SHOWN}; the download has all.")
        table = pl.DataFrame([{key: str(row[key]) for key in row} for row in rejected])
        items.append(Item("Rejects", table))
    return items


GOOD_FOR = {
    "full": "score, replay and review",
    "own_discards": "score; review of the observer's play",
    "final_boards": "score; no replay or review",
    "final_cards_no_rows": "nothing: cards without rows",
    "unattributed_rows": "nothing: rows without owners",
    "score_only": "points only",
    "unfinished": "nothing: not played to the end",
}
