"""Edit house rules: a form beside the same changes as TOML, checked while typed; the last valid ones are kept."""

from pathlib import Path
from typing import Any

import jobs
import loaders
import streamlit as st

import ofclab as ofc
from components.page import note, show_error, unmarked
from components.rules_text import (
    Fault,
    changes_of,
    read_address,
    read_changes,
    setting_text,
    setting_value,
    to_address,
    write_changes,
)
from ofclab.rules import parameters

GROUPS = tuple(dict.fromkeys(name.partition(".")[0] for name in parameters()))
_OWN_LINE = ("royalties.front", "royalties.middle", "royalties.back", "royalties.middle_low", "deal.rounds",
             "fantasyland.entry_front", "fantasyland.stay")  # fmt: skip

_TOML = st.components.v2.component(
    "ofclab_toml",
    html='<div class="box"><pre aria-hidden="true"></pre><textarea spellcheck="false" autocomplete="off" '
    'autocapitalize="off" wrap="off"></textarea></div><p role="status"></p>',
    css="""
    .box {display: grid; grid-template-columns: auto 1fr; border: 1px solid var(--st-border-color); overflow: hidden;
      border-radius: var(--st-base-radius); background: var(--st-secondary-background-color)}
    .box:focus-within {border-color: var(--st-primary-color)}
    .box.wrong {border-color: var(--st-red-color)}
    pre, textarea {font: 0.875rem/1.5 var(--st-code-font, monospace); margin: 0; padding: 0.6rem 0}
    pre {min-width: 2.4rem; text-align: right; padding-right: 0.5rem; user-select: none;
      color: var(--st-gray-text-color)}
    pre b {color: var(--st-red-text-color)}
    textarea {border: 0; outline: 0; resize: vertical; background: none; color: var(--st-text-color); width: 100%;
      box-sizing: border-box; overflow-x: auto}
    p {font: 0.875rem/1.5 var(--st-font); margin: 0.4rem 0 0; color: var(--st-gray-text-color); white-space: pre-wrap;
      overflow-wrap: anywhere}
    p.wrong {color: var(--st-red-text-color)}
    """,
    js="""
    export default function({data, setStateValue, parentElement}) {
      const home = parentElement.host ?? parentElement
      const area = parentElement.querySelector("textarea")
      const gutter = parentElement.querySelector("pre")
      const told = parentElement.querySelector("p")
      area.setAttribute("aria-label", data.label)
      if (home.ofclabRev !== data.rev) {
        home.ofclabRev = data.rev
        area.value = data.text
      }
      const draw = () => {
        const count = Math.max(area.value.split("\\n").length, 8)
        area.rows = Math.min(count, 24)
        gutter.replaceChildren(...Array.from({length: count}, (_, number) => {
          const line = document.createElement(data.lines.includes(number + 1) ? "b" : "span")
          line.textContent = (data.lines.includes(number + 1) ? "\\u2715 " : "") + (number + 1) + "\\n"
          return line
        }))
      }
      draw()
      told.textContent = data.said
      told.className = data.wrong ? "wrong" : ""
      parentElement.querySelector(".box").className = data.wrong ? "box wrong" : "box"
      area.oninput = () => {
        draw()
        clearTimeout(home.ofclabTyping)
        const rev = data.rev
        home.ofclabTyping = setTimeout(() => setStateValue("draft", {rev, text: area.value}), 300)
      }
      return () => clearTimeout(home.ofclabTyping)
    }
    """,
)


def edited(base: ofc.Rules, name: str, key: str) -> ofc.Rules:
    """The ruleset with the changes the address holds under ``key``; changes it cannot take are shown and left out."""
    said = st.query_params.get(key)
    try:
        changes = read_address(said, base)
    except ofc.RulesError as error:
        show_error(
            f"The changes in the address do not fit {unmarked(name)}.", str(error), "The rules are shown without them."
        )
        return base
    return base.replace(changes) if changes else base


def edit(base: ofc.Rules, rules: ofc.Rules, name: str, key: str) -> None:
    """Draw form and text for ``rules``, which are ``base`` with changes; what is valid goes into the address."""
    draft, rev = _draft(base, rules, key)
    faults = read_changes(draft, base)[1]
    left, right = st.columns(2, gap="medium")
    with left:
        group = st.selectbox("Part of the rules", GROUPS, index=GROUPS.index("scoring"), key=f"{key}_group",
                             format_func=str.capitalize)  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="top"):
            for setting in parameters():
                if setting.startswith(f"{group}.") and setting != "deck.cards":
                    _ask(base, rules, setting, key)
        if fault := st.session_state.pop(f"{key}_refused", None):
            show_error("This cannot be played; the rules stay as they were.", fault)
    with right:
        note(f"Changes to {unmarked(name)} as TOML")
        _TOML(
            data={"text": draft, "rev": rev, "label": "Changes as TOML", "wrong": bool(faults),
                  "lines": [fault.line for fault in faults if fault.line], "said": _said(faults, draft)},
            key=f"{key}_toml", on_draft_change=lambda: _typed(base, key),
        )  # fmt: skip
        _save(rules, key)


def _said(faults: list[Fault], draft: str) -> str:
    if faults:
        return "\n".join([*(str(fault) for fault in faults[:5]), "The last valid rules stay in use."])
    return "Valid." if draft.strip() else "Nothing is changed yet. For example: scoring.sweep_bonus = 6"


def _draft(base: ofc.Rules, rules: ofc.Rules, key: str) -> tuple[str, int]:
    """The text as it stands and its number; text is written anew when the rules have changed in another way."""
    belongs, kept = (base.id, rules.id), st.session_state.get(f"{key}_draft")
    if kept is None or kept["belongs"] != belongs:
        rev = kept["rev"] + 1 if kept else 1
        kept = {"belongs": belongs, "text": write_changes(changes_of(base, rules)), "rev": rev}
        st.session_state[f"{key}_draft"] = kept
    return kept["text"], kept["rev"]


def _typed(base: ofc.Rules, key: str) -> None:
    """Take what was typed; a text of before the rules changed in another way comes too late."""
    draft = st.session_state[f"{key}_toml"].get("draft")
    kept = st.session_state.get(f"{key}_draft")
    if isinstance(draft, dict) and kept and draft.get("rev") == kept["rev"]:
        take_text(str(draft.get("text", "")), base, key)


def take_text(text: str, base: ofc.Rules, key: str) -> None:
    """Keep a text, and where it is valid use its rules."""
    kept = st.session_state[f"{key}_draft"]
    changes, faults = read_changes(text, base)
    belongs = kept["belongs"]
    if not faults:
        belongs = (base.id, base.replace(changes).id)
        _use(changes, key)
    st.session_state[f"{key}_draft"] = {**kept, "text": text, "belongs": belongs}


def _use(changes: dict[str, Any], key: str) -> None:
    if changes:
        st.query_params[key] = to_address(changes)
    else:
        st.query_params.pop(key, None)


def _ask(base: ofc.Rules, rules: ofc.Rules, setting: str, key: str) -> None:
    """The control of one setting, showing what is valid now."""
    about, value = parameters()[setting], rules.flat()[setting]
    label = setting.partition(".")[2].replace("_", " ").capitalize()
    help, widget = f"{about.meaning}: {about.allowed}", f"{key}_{setting}"
    arguments = {"key": widget, "help": help, "on_change": _chosen, "args": (base, rules, setting, key)}
    if isinstance(about.default, bool):
        st.session_state[widget] = value
        st.toggle(label, **arguments)
    elif about.choices and setting not in _OWN_LINE:
        st.session_state[widget] = "none" if value is None else value
        st.selectbox(label, about.choices, width=230, **arguments)
    elif isinstance(value, int) and about.allowed.startswith(("points", "chips")) and "none" not in about.allowed:
        st.session_state[widget] = value
        st.number_input(label, 0, 10**9, step=1, width=150, **arguments)
    else:
        st.session_state[widget] = setting_text(setting, value)
        st.text_input(label, width="stretch" if setting in _OWN_LINE else 230, **arguments)


def _chosen(base: ofc.Rules, rules: ofc.Rules, setting: str, key: str) -> None:
    """Take what was chosen in the form; what cannot be played is refused with its reason."""
    value = st.session_state[f"{key}_{setting}"]
    if isinstance(value, str):
        choices = parameters()[setting].choices
        value = value if value in choices and setting not in _OWN_LINE else setting_value(setting, value)
    wanted = {setting: value}
    if setting == "deck.jokers" and isinstance(value, int):
        wanted["deck.cards"] = 52 + value
    try:
        _use(changes_of(base, rules.replace(wanted)), key)
    except ofc.RulesError as error:
        st.session_state[f"{key}_refused"] = str(error)


def _save(rules: ofc.Rules, key: str) -> None:
    """Put the rules into the library under a name, from where every page can choose them; or take them along."""
    with st.popover("Keep these rules", icon=":material/save:"):
        name = st.text_input("Name", key=f"{key}_name", placeholder="house", max_chars=60)
        if st.button("Save in the library", icon=":material/save:", key=f"{key}_save"):
            _put(rules, name.strip() or "house")
        st.download_button("Rules file (TOML)", rules.to_toml, "house.toml", "text/plain", on_click="ignore",
                           key=f"{key}_file")  # fmt: skip


def _put(rules: ofc.Rules, name: str) -> None:
    try:
        file = Path(loaders.folders()[0], "rules", f"{jobs.check_name(name, 'ruleset')}.toml")
        if name in ofc.presets() or f"{name}.toml" in loaders.rules_files():
            raise jobs.JobError(f"{name} is taken; choose another name")
        file.parent.mkdir(parents=True, exist_ok=True)
        jobs.write_whole(file, rules.to_toml())
    except (jobs.JobError, OSError) as error:
        show_error("These rules cannot be saved.", str(error))
        return
    st.success(f"Saved as {file.name}: it can be chosen wherever rules are.")
