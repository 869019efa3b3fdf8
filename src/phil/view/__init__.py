"""SHOWING what a search or a comparison did: pictures and HTML reports."""

from phil.view.curve import LearningCurve
from phil.view.picture import picture, save_picture
from phil.view.report import MapView, Report, Shot, report_html, write_report

__all__ = [
    "LearningCurve",
    "MapView",
    "Report",
    "Shot",
    "picture",
    "report_html",
    "save_picture",
    "write_report",
]
