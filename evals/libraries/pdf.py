"""A PDF document of one page: a red rectangle and a word."""

from __future__ import annotations

__all__ = ["small_pdf"]

CONTENT = b"1 0 0 rg 0 0 100 100 re f BT /F1 24 Tf 1 1 1 rg 10 70 Td (Hello) Tj ET"
OBJECTS = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R"
    b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    b"<< /Length %d >>\nstream\n%s\nendstream" % (len(CONTENT), CONTENT),
)


def small_pdf() -> bytes:
    """The document, with its table of objects."""
    text, places = b"%PDF-1.4\n", list[int]()
    for number, content in enumerate(OBJECTS, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(OBJECTS) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(text))
    return text + b"xref\n0 %d\n0000000000 65535 f \n%s%s" % (size, rows, end)
