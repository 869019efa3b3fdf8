"""Pictures, interactive 3D views and HTML reports of searches and comparisons."""

from phil.view.curve import LearningCurve
from phil.view.picture import picture, save_picture
from phil.view.playing import play
from phil.view.plot import plot
from phil.view.report import MapView, Report, Shot, report_html, write_report
from phil.view.scene import Scene, scene_html

__all__ = [
    "LearningCurve",
    "MapView",
    "Report",
    "Scene",
    "Shot",
    "picture",
    "play",
    "plot",
    "report_html",
    "save_picture",
    "scene_html",
    "write_report",
]
