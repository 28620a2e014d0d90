"""Notebook widgets: edit house rules, look into a spot. They need `pip install 'ofclab[notebooks]'`."""

try:
    import ipywidgets as _ipywidgets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("widgets need ipywidgets: pip install 'ofclab[notebooks]'") from error

from ofclab.widgets.rule_editor import RuleEditor
from ofclab.widgets.spot_viewer import SpotViewer

del _ipywidgets

__all__ = ["RuleEditor", "SpotViewer"]
