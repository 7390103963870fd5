"""A browser made of QtWebEngine, as embedders are: program.py PORT. It runs offscreen, where PyQt6 is installed."""

from __future__ import annotations

import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QTWEBENGINE_REMOTE_DEBUGGING"] = sys.argv[1]
os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = "--no-sandbox --disable-gpu --site-per-process --remote-allow-origins=*"

from PyQt6.QtCore import QUrl
from PyQt6.QtWebEngineCore import QWebEnginePage
from PyQt6.QtWebEngineWidgets import QWebEngineView
from PyQt6.QtWidgets import QApplication

views: list[QWebEngineView] = []


class View(QWebEngineView):
    """A window of its own for each page; scripts may open and close them."""

    def __init__(self) -> None:
        super().__init__()
        self.resize(900, 700)
        self.page().windowCloseRequested.connect(self.leave)
        views.append(self)
        self.show()

    def createWindow(self, kind: QWebEnginePage.WebWindowType) -> QWebEngineView:  # noqa: N802 - Qt's name
        return View()

    def leave(self) -> None:
        views.remove(self)
        self.deleteLater()


app = QApplication(["qt-browser", "--no-sandbox"])
app.setQuitOnLastWindowClosed(False)
View().load(QUrl("about:blank"))
app.exec()
