"""The report has pages inside one page."""

from __future__ import annotations

import base64
from pathlib import Path

from reproduction.everything.report import chapter_html


def test_headings_go_down_and_pictures_inside(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("<svg/>")
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n## Part\n\nSome `code` & <text>.\n\n![A picture](a.svg)\n\n"
                    "![Gone](gone.png)\n")  # fmt: skip
    html = chapter_html(page)
    assert "<h2>Title</h2>" in html
    assert "<h3>Part</h3>" in html
    assert "<code>code</code> &amp; &lt;text&gt;" in html
    assert f"data:image/svg+xml;base64,{base64.b64encode(b'<svg/>').decode()}" in html
    assert 'alt="A picture"' in html
    assert 'src="gone.png"' in html
