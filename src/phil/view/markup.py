"""Text in pages and drawings: all of it passes here, because much of it comes from files."""

from __future__ import annotations

import html

from phil.text import visible_lines


def escape(text: str) -> str:
    r"""Text for HTML or SVG, also for an attribute in double quotes.

    >>> escape('<b>"\x1b[31m')
    '&lt;b&gt;&quot;\\x1b[31m'
    """
    return html.escape(visible_lines(text))
