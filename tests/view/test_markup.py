"""Text from files in pages and drawings."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from phil.text import visible_lines
from phil.view import LearningCurve, Report, report_html
from phil.view.markup import escape

ANY_TEXT = st.text(st.characters())
HOSTILE = '</title></style></script>"><script>alert(1)</script>&amp;\x1b[31m\u202e\ud83d'


@given(ANY_TEXT)
def test_escaped_text_is_text_again_and_can_be_written(text: str) -> None:
    assert unescape(escape(text)) == visible_lines(text)
    assert not set('<>"') & set(escape(text))
    assert escape(text).encode().decode() == escape(text)


class Elements(HTMLParser):
    """The elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.names.append(tag)


def test_a_report_has_no_elements_from_names() -> None:
    pages = []
    for text in ("plain", HOSTILE):
        curve = LearningCurve(((1, 20.0), (2, 10.0)), 15.0, text)
        report = Report(text, text, text, [], text, curve=curve, facts={text: text})
        pages.append(report_html(report))
    plain, hostile = pages
    assert Elements(hostile).names == Elements(plain).names
    assert hostile.replace("\n", "").isprintable()
