"""A form for house rules: start from a preset, change values, see in words what differs."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from ofclab.rules import Parameter, Rules, RulesError, diff_rules, load_rules, parameters, presets
from ofclab.rules.write import rules_to_toml


class RuleEditor:
    """A form with a field for each parameter of a ruleset; ``rules`` is always the last valid one.

    >>> editor = RuleEditor("american-pineapple")
    >>> editor.set("scoring.sweep_bonus", 0)
    >>> editor.rules.scoring.sweep_bonus
    0
    """

    def __init__(self, rules: Rules | str | Path = "american-pineapple") -> None:
        self.base = load_rules(rules)
        self.rules = self.base
        self._start = widgets.Dropdown(
            options=[("(as given)", ""), *((name, name) for name in presets())], description="start from"
        )
        self._fields = {name: _field(parameter) for name, parameter in parameters().items()}
        self._said, self._toml = (
            widgets.HTML(),
            widgets.Textarea(disabled=True, layout={"width": "98%", "height": "20em"}),
        )
        groups: dict[str, list[widgets.Widget]] = {}
        for name, field in self._fields.items():
            note = widgets.HTML(f"<small>{html.escape(parameters()[name].meaning)}</small>")
            groups.setdefault(name.split(".")[0], []).append(widgets.HBox([field, note]))
        form = widgets.Accordion([widgets.VBox(rows) for rows in groups.values()], titles=tuple(groups))
        whole = widgets.Accordion([self._toml], titles=("TOML",))
        self.widget = widgets.VBox([self._start, self._said, form, whole])
        self._filling = False
        self._fill()
        self._start.observe(self._restart, "value")
        for field in self._fields.values():
            field.observe(self._changed, "value")

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)

    def set(self, name: str, value: object) -> None:
        """Fill in a field as a hand would; a value that is not valid is shown as an error and changes nothing."""
        self._fields[name].value = _shown(value, self._fields[name])

    @property
    def message(self) -> str:
        """What the form says now, as HTML: the changes in words, or the error."""
        return str(self._said.value)

    def _restart(self, change: Any) -> None:
        if change["new"]:
            self.base = self.rules = load_rules(change["new"])
            self._fill()

    def _fill(self) -> None:
        """Show the rules in every field."""
        self._filling, flat = True, self.rules.flat()
        for name, field in self._fields.items():
            field.value = _shown(flat[name], field)
        self._filling = False
        self._tell()

    def _changed(self, _: Any) -> None:
        if self._filling:
            return
        flat, changes = self.base.flat(), {}
        try:
            for name, field in self._fields.items():
                value = _read(name, field, flat[name])
                if value != flat[name]:
                    changes[name] = value
            self.rules = self.base.replace(changes) if changes else self.base
        except RulesError as error:
            self._said.value = f"<b>Not valid, the last valid rules are kept:</b><pre>{html.escape(str(error))}</pre>"
            return
        self._tell()

    def _tell(self) -> None:
        lines = "".join(f"<li>{html.escape(str(change))}</li>" for change in diff_rules(self.base, self.rules))
        name = html.escape(self.base.name or self.base.id)
        self._said.value = f"Against {name}:<ul>{lines}</ul>" if lines else f"The same as {name}."
        self._toml.value = rules_to_toml(self.rules)


def _field(parameter: Parameter) -> widgets.Widget:
    """A dropdown for choices, a box to tick, or text that is read as JSON."""
    look = {"description": parameter.name, "style": {"description_width": "18em"}, "layout": {"width": "34em"}}
    if isinstance(parameter.default, bool):
        return widgets.Checkbox(**look)
    if parameter.choices and not isinstance(parameter.default, list | dict):
        return widgets.Dropdown(options=parameter.choices, **look)
    return widgets.Text(continuous_update=False, **look)


def _shown(value: object, field: widgets.Widget) -> object:
    if isinstance(field, widgets.Checkbox):
        return bool(value)
    if isinstance(field, widgets.Dropdown):
        known = [str(option) for option in field.options]
        return str(value) if str(value) in known else known[0]
    return value if isinstance(value, str) else json.dumps(value)


def _read(name: str, field: widgets.Widget, before: object) -> object:
    """The value of a field: what it was where nothing was typed, a word where a word was, else read as JSON."""
    if isinstance(field, widgets.Checkbox) or field.value == _shown(before, field):
        return field.value if isinstance(field, widgets.Checkbox) else before
    if isinstance(before, str):
        return field.value
    try:
        return json.loads(field.value)
    except json.JSONDecodeError:
        if field.value.strip()[:1] in "[{":
            raise RulesError(f"{name}: {field.value!r} is not a list or table written as JSON") from None
        return field.value
