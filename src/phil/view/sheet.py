"""Pictures side by side on one sheet, each under its title."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

MARGIN, LINE, TEXT = 12, 26, 16  # pixels


def sheet(pictures: Sequence[tuple[str, Image.Image]], across: int) -> Image.Image:
    """Titles and pictures in rows of so many; every place is as large as the largest picture.

    >>> square = Image.new("RGB", (100, 100))
    >>> sheet([("one", square), ("two", square), ("three", square)], across=2).size
    (236, 288)
    """
    width = max(picture.width for _, picture in pictures) + MARGIN
    height = max(picture.height for _, picture in pictures) + MARGIN + LINE
    rows = -(-len(pictures) // across)
    columns = min(across, len(pictures))
    found = Image.new("RGB", (columns * width + MARGIN, rows * height + MARGIN), "white")
    draw = ImageDraw.Draw(found)
    font = ImageFont.load_default(TEXT)
    for place, (title, picture) in enumerate(pictures):
        left, top = MARGIN + place % across * width, MARGIN + place // across * height
        draw.text((left, top), title, fill="black", font=font)
        found.paste(picture, (left, top + LINE))
    return found
