"""A page in one file, which plays recorded races anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from phil.play.bundle import page_script, page_style
from phil.view.markup import escape

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<div class="phil-play"><noscript>The playground needs JavaScript.</noscript></div>
<script type="application/json" id="phil-recording">{recording}</script>
<script type="module">
{script}
startPlayground(
  document.querySelector(".phil-play"),
  recordingTransport(JSON.parse(document.getElementById("phil-recording").textContent)),
);
</script>
</body>
</html>
"""


def export_html(recording: Mapping[str, Any], title: str = "PHIL playground") -> str:
    """The text of a page that plays a recording, without a server and without a network.

    Parameters
    ----------
    recording
        What `phil.play.recording.record` gives.
    title
        The title of the page.
    """
    script = page_script().replace("</script", "<\\/script")
    return PAGE.format(
        title=escape(title),
        style=page_style(),
        # Inside a script element, no text may look like its end.
        recording=json.dumps(recording, separators=(",", ":")).replace("<", "\\u003c"),
        script=script,
    )
