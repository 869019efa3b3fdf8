"""The same section as Markdown and as HTML."""

from __future__ import annotations

from reproduction.markup import Section, section_html, section_markdown, table_markdown

SECTION = Section("Sums & more", ["Made by `phil <x>`."], ["family", "PHIL"], [["forest", "1 < 2"]])


def test_markdown() -> None:
    assert table_markdown(SECTION) == "| family | PHIL |\n|---|---|\n| forest | 1 < 2 |"
    assert section_markdown(SECTION).startswith("## Sums & more\n\nMade by `phil <x>`.\n\n| family")


def test_html_is_escaped_and_the_focus_stands_out() -> None:
    page = section_html(SECTION, focus="PHIL")
    assert "<h2>Sums &amp; more</h2>" in page
    assert "<code>phil &lt;x&gt;</code>" in page
    assert '<td class="focus">1 &lt; 2</td>' in page
    assert "class" not in section_html(SECTION).replace('class="scroll"', "")


def test_without_a_table() -> None:
    assert "table" not in section_html(Section("Title", ["Text."]))
    assert section_markdown(Section("Title", ["Text."])) == "## Title\n\nText.\n"
