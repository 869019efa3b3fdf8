"""Rich consoles that print text as it is: visible, and never read as markup."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from phil.text import visible


class PlainConsole(Console):
    """Every string passes `render_str`, be it printed by itself or in a cell of a table."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """The text, cleaned before it is measured and wrapped."""
        return super().render_str(visible(text), **options)
