"""Feeding XML to a parser."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from phil.errors import InputError, one_line
from phil.graphs.formats.source import line_error

PIECE = 2**20
LONGEST_TAG = 2**22  # bytes


def feed(parser: expat.XMLParserType, path: str | Path, data: bytes) -> None:
    """Parse a document.

    Raises
    ------
    InputError
        If a handler raises it, or if the document is not well-formed; the message names the line.
    """
    try:
        for start in range(0, len(data), PIECE):
            parser.Parse(data[start : start + PIECE], False)
            # With every piece, Expat reads a tag that has not ended yet from its beginning again.
            if start - parser.CurrentByteIndex > LONGEST_TAG:
                what = f"a tag or comment of more than {LONGEST_TAG} bytes; shorten it"
                raise line_error(path, parser.CurrentLineNumber, what)
        parser.Parse(b"", True)
    except InputError:
        raise
    except expat.ExpatError as error:
        what = f"not well-formed XML ({expat.ErrorString(error.code)}); correct or export it again"
        raise line_error(path, error.lineno, what) from error
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        raise line_error(
            path, 1, f"cannot be decoded ({one_line(error)}); save it as UTF-8"
        ) from error
