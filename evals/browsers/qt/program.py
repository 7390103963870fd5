"""A browser made of QtWebEngine, as embedders are, where PyQt6 is installed; settings come as variables."""

from __future__ import annotations

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
