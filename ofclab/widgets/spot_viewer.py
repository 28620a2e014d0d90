"""A window on one decision: type a spot, see its boards and what every placement is worth."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from ofclab.board import BoardError
from ofclab.cards import CardError
from ofclab.rules import Rules, RulesError, load_rules, presets
from ofclab.solver.evaluate import evaluate_spot
from ofclab.solver.report import SpotEvaluation
from ofclab.spot import Spot, SpotError

EXAMPLE = "7c Ks / 2s 3c 3h / 4d 8d Qd Jd  dealt: Tc 5d 2h  discards: Th 7s"


class SpotViewer:
    """Text of a spot, rules, seconds to spend and a button; ``evaluation`` is the last answer, None before the first.

    >>> viewer = SpotViewer("7c Ks / 2s 3c 3h / 4d 8d Qd Jd  dealt: Tc 5d 2h  discards: Th 7s")
    >>> viewer.evaluate()
    >>> viewer.evaluation["placement"][0]
    '- / 2h / 5d, discard Tc'
    """

    def __init__(self, spot: Spot | str = EXAMPLE, rules: Rules | str | Path = "american-pineapple") -> None:
        self.evaluation: SpotEvaluation | None = None
        self._given = load_rules(rules)
        own = self._given.name or self._given.id
        self._text = widgets.Textarea(str(spot), description="spot", layout={"width": "98%"})
        self._rules = widgets.Dropdown(options=[(own, ""), *((name, name) for name in presets())], description="rules")
        self._seconds = widgets.FloatLogSlider(1.0, min=-1, max=2, step=0.25, description="seconds")
        self._button = widgets.Button(description="Evaluate", button_style="primary")
        self._answer = widgets.HTML()
        self._button.on_click(lambda _: self.evaluate())
        controls = widgets.HBox([self._rules, self._seconds, self._button])
        self.widget = widgets.VBox([self._text, controls, self._answer])
        self._text.observe(lambda _: self._draw(), "value")
        self._draw()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)

    @property
    def rules(self) -> Rules:
        """The rules chosen."""
        return load_rules(self._rules.value) if self._rules.value else self._given

    @property
    def message(self) -> str:
        """What the viewer shows below the controls, as HTML."""
        return str(self._answer.value)

    def set(self, spot: Spot | str) -> None:
        """Put another spot into the text field."""
        self._text.value = str(spot)

    def evaluate(self) -> None:
        """Value every placement of the spot that is typed in, or show what is wrong with it."""
        self._button.disabled = True
        try:
            self.evaluation = evaluate_spot(Spot.parse(self._text.value), self.rules, budget=self._seconds.value)
            self._answer.value = self.evaluation._repr_html_()
        except (SpotError, BoardError, CardError, RulesError) as error:
            self._show_error(error)
        finally:
            self._button.disabled = False

    def _draw(self) -> None:
        """Show the boards as they are typed."""
        try:
            self._answer.value = Spot.parse(self._text.value)._repr_html_()
        except (SpotError, BoardError, CardError) as error:
            self._show_error(error)

    def _show_error(self, error: Exception) -> None:
        self._answer.value = f'<p style="color:#B3132B">{html.escape(str(error))}</p>'
