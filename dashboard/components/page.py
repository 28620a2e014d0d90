"""The frame of a page: its title and question, what it looks at, what can be downloaded; empty and error states."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import polars as pl
import streamlit as st
import words

from ofclab.analytics import METRICS, define


@dataclass(frozen=True)
class Frame:
    """The two places at a page's top right: the popover for what the page looks at, and the download menu."""

    context: Any
    menu: Any


def frame(title: str, question: str) -> Frame:
    """Draw a page's title and its question; return the places for its context and its downloads."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom", key="page_head"):
        with st.container(width="content", gap=None):
            st.title(title, anchor=False)
            st.markdown(f":gray[{question}]")
        with st.container(horizontal=True, width="content", key="page_tools"):
            # Containers, not st.empty: that would close an open popover whenever the page runs.
            return Frame(st.container(width="content"), st.container(width="content"))


def unmarked(text: str) -> str:
    """A name from a file as it must be written where Streamlit reads markdown (labels)."""
    return re.sub(r"([\\`*_{}\[\]()<>#+.!|:$~-])", r"\\\1", text)


def verdict(headline: str, *sentences: str) -> None:
    """The answer first: one line, then the sentences that back it, as HTML (names through `words.bold`)."""
    body = "".join(f"<p>{sentence}</p>" for sentence in sentences if sentence)
    st.html(f'<div class="verdict"><h2>{headline}</h2>{body}</div>')


def note(text: str) -> None:
    """A small gray line, such as a caption."""
    st.markdown(f":gray[:small[{text}]]")


def show_note(text: str) -> None:
    """A small gray line of plain text, for what may hold names from files."""
    st.html(f'<p class="muted small">{escape(text)}</p>')


def show_empty(sentence: str, key: str = "empty") -> Any:
    """Say in one sentence that there is nothing to show; the caller adds the one button."""
    box = st.container(border=True, key=key)
    box.markdown(sentence)
    return box


def show_error(what: str, value: str, choices: str = "") -> None:
    """Say what is wrong, with the value at fault and what could be done; never a traceback."""
    with st.container(border=True, key="error", gap="small"):
        st.markdown(f":red[:material/error: **{what}**]")
        # Plain text: the value may come from a file or an address.
        st.text(value)
        if choices:
            st.markdown(f":gray[{choices}]")


def show_list(title: str, count: str, lines: Sequence[str]) -> None:
    """A box with a title, a count beside it in gray, and lines of text; a long list is folded away after ten."""
    with st.container(border=True):
        head = f'<p class="box-title"><b>{escape(title)}</b> &nbsp;<span class="muted">{escape(count)}</span></p>'
        st.html(head + _bullets(lines[:10]))
        if len(lines) > 10:
            with st.expander(f"{len(lines) - 10} more"):
                st.html(_bullets(lines[10:]))


def _bullets(lines: Sequence[str]) -> str:
    return f'<ul class="plain">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ul>'


def show_html_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A small table of text; the first column is the row's head, a narrow screen scrolls it sideways."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    lines = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    st.html(
        f'<div class="sideways" tabindex="0" role="region" aria-label="Table"><table class="figures">'
        f"<thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def show_table(frame: pl.DataFrame, by: Sequence[str], metrics: Sequence[str]) -> None:
    """A table of metrics by group, each with its interval beside it and its definition on the column's head."""
    columns: dict[str, Any] = {name: name.capitalize() for name in by}
    columns["hands"] = st.column_config.NumberColumn("Hands", help=define("hands"), format="localized")
    for metric in metrics:
        about = METRICS[metric]
        form = "percent" if about.unit.startswith("%") else "%.2f"
        text = f"{about.explanation} In {about.unit}."
        columns[metric] = st.column_config.NumberColumn(about.title, help=text, format=form)
        columns[f"{metric}_low"] = st.column_config.TextColumn("95 % interval", help=define("interval"))
    rounded = words.with_intervals(frame, metrics).with_columns(pl.selectors.float().round(3))
    st.dataframe(
        rounded, column_config=columns, hide_index=True, placeholder="–", alt="The figures of the charts above"
    )
