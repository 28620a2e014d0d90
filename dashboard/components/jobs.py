"""A job on the page: how far it is, what it does a second, and the buttons that pause, resume, cancel and remove it."""

from collections.abc import Callable, Mapping
from typing import Any

import jobs
import streamlit as st
from words import run as say

import ofclab as ofc
from components.page import show_empty, show_error, show_note, unmarked

POLL_SECONDS = 1.0


def show_job(job: jobs.Job, key: str, *, units: str = "hands", title: str | None = None) -> None:
    """Draw a job; as long as it is at work its card runs by itself each second, and the page once more at its end."""
    if job.is_active:
        _polled(job.name, key, units, title)
    else:
        _card(job, key, units, title)


@st.fragment(run_every=POLL_SECONDS)
def _polled(name: str, key: str, units: str, title: str | None) -> None:
    job = jobs.load(jobs.jobs_folder() / name)
    if job is None or not job.is_active:
        # What the page shows besides this card depends on the end of the job.
        st.rerun()
        return
    _card(job, key, units, title)


def _card(job: jobs.Job, key: str, units: str, title: str | None) -> None:
    with st.container(border=True, gap="small", key=f"job_{key}"):
        st.markdown(f"**{unmarked(title or job.name)}** &nbsp; {say.STATES[job.state]}")
        if job.is_active:
            share = min(job.done / job.total, 1.0) if job.total else 0.0
            st.progress(share, say.how_far(job.done, job.total, job.rate, job.state, units))
        else:
            show_note(say.how_it_ended(job.state, job.done, job.total, job.rate, units, nothing_left=nothing_left(job)))
        if job.error:
            show_error("It stopped for this reason.", job.error, "Put it right and resume, or remove it.")
        with st.container(horizontal=True):
            _buttons(job, key)


def nothing_left(job: jobs.Job) -> bool:
    """Whether a simulation has left no log behind."""
    return job.log_folder is not None and not job.log_folder.exists()


def _buttons(job: jobs.Job, key: str) -> None:
    has_log = job.log_folder is not None
    if job.is_active:
        if job.state == "paused":
            _button("Resume", ":material/play_arrow:", f"{key}_go", lambda: jobs.wish(job, "go"))
        else:
            _button("Pause", ":material/pause:", f"{key}_pause", lambda: jobs.wish(job, "pause"))
        with st.popover("Cancel", icon=":material/stop:"):
            st.markdown(say.CANCEL_LOG if has_log else say.CANCEL)
            if has_log:
                _button("Keep what is finished", ":material/save:", f"{key}_keep", lambda: jobs.wish(job, "cancel"))
            what = "Remove the log" if has_log else "Cancel it"
            _button(what, ":material/delete:", f"{key}_drop", lambda: jobs.wish(job, "discard"))
        return
    if job.state != "done":
        _button("Resume", ":material/play_arrow:", f"{key}_again", lambda: _again(job))
        with st.popover("Remove", icon=":material/delete:"):
            there = has_log and job.log_folder is not None and job.log_folder.exists()
            st.markdown(say.REMOVE_LOG if there else say.REMOVE)
            if there:
                _button(
                    "Remove the log too", ":material/delete:", f"{key}_forget_all", lambda: jobs.forget(job, True)
                )  # fmt: skip
            _button("Remove from this list", ":material/close:", f"{key}_forget", lambda: jobs.forget(job, False))
    elif has_log:
        st.page_link(
            "views/fouls.py", label="Look at it", icon=":material/query_stats:", query_params={"log": job.name}
        )  # fmt: skip
        _button("Remove from this list", ":material/close:", f"{key}_forget", lambda: jobs.forget(job, False))


def _button(label: str, icon: str, key: str, act: Callable[[], object]) -> None:
    st.button(label, icon=icon, key=key, on_click=act)


def _again(job: jobs.Job) -> None:
    try:
        jobs.again(job)
    except jobs.JobError as error:
        st.toast(str(error), icon=":material/error:")


def finished(
    name: str, kind: str, asked: Mapping[str, Any], rules: Mapping[str, ofc.Rules], sentence: str, label: str
) -> jobs.Job | None:
    """The finished job of this name; until there is one, its card, or a box that says what it does and starts it."""
    job = jobs.load(jobs.jobs_folder() / name)
    if job is not None and job.state == "done":
        return job
    if job is not None and (job.is_active or job.state in ("failed", "interrupted")):
        show_job(job, name, units="%", title=label)
        return None
    box = show_empty(sentence, key=f"start_{name}")
    full = len(jobs.active()) >= jobs.MOST_AT_ONCE
    if box.button(label, type="primary", icon=":material/play_arrow:", key=f"start_{name}_button", disabled=full):
        try:
            jobs.start(kind, name, asked, rules)
        except jobs.JobError as error:
            show_error("This cannot be started.", str(error))
        else:
            st.rerun()
    if full:
        box.markdown(f":gray[:small[{say.full(jobs.MOST_AT_ONCE)}]]")
    return None
