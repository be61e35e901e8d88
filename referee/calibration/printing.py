"""Pages of the marker sheet as SVG, PDF and PNG. All three are made of filled boxes and plain text, so by hand."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import cv2
import numpy as np

from referee.calibration.sheet import Page
from referee.faults import InputFault
from referee.vision.quads import Image

PNG_DPI = 300
SUFFIXES = (".pdf", ".svg", ".png")
_POINTS_PER_MM = 72 / 25.4


def save_sheet(pages: Sequence[Page], path: Path) -> list[Path]:
    """Write the pages in the form that `path` ends with; SVG and PNG hold one page, so the second is `NAME-2`.

    Returns the files written. Raises InputFault for another ending or a folder that cannot be written to.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputFault("is no form of the sheet", where=str(path), mend=f"end it with {', '.join(SUFFIXES)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if suffix == ".pdf":
            path.write_bytes(pdf(pages))
            return [path]
        names = [path if n == 1 else path.with_stem(f"{path.stem}-{n}") for n in range(1, len(pages) + 1)]
        for page, name in zip(pages, names, strict=True):
            name.write_bytes(svg(page).encode() if suffix == ".svg" else png(page))
    except OSError as fault:
        raise InputFault(
            f"cannot be written: {fault.strerror}", where=str(path), mend="choose another --out"
        ) from None
    return names


def svg(page: Page) -> str:
    """The page as SVG whose units are millimetres."""
    width, height = page.size_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" shape-rendering="crispEdges">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
    ]
    for box in page.boxes:
        shade = f"{box.shade:02x}" * 3
        parts.append(
            f'<rect x="{box.x_mm:.3f}" y="{box.y_mm:.3f}" width="{box.width_mm:.3f}" '
            f'height="{box.height_mm:.3f}" fill="#{shade}"/>'
        )
    for words in page.words:
        weight = ' font-weight="bold"' if words.bold else ""
        parts.append(
            f'<text x="{words.x_mm:.2f}" y="{words.y_mm:.2f}" font-size="{words.size_mm:g}" '
            f'font-family="Helvetica, Arial, sans-serif"{weight}>{escape(words.text)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def pdf(pages: Sequence[Page]) -> bytes:
    """The pages as PDF with Helvetica, which every viewer carries. The same pages give the same bytes."""
    objects: list[bytes] = [b"", b""]  # catalogue and page tree, filled in when the pages are numbered
    for name in (b"Helvetica", b"Helvetica-Bold"):
        objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /" + name + b" /Encoding /WinAnsiEncoding >>")
    kids = []
    for page in pages:
        content = zlib.compress(_content(page), 9)
        head = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + content + b"\nendstream")
        width, height = (v * _POINTS_PER_MM for v in page.size_mm)
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
    # A viewer that honours this prints without fitting to the page.
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>"
    listed = " ".join(f"{number} 0 R" for number in kids)
    objects[1] = f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()
    file, starts = b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n", []
    for number, content in enumerate(objects, 1):
        starts.append(len(file))
        file += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{at:010d} 00000 n \n" for at in starts)
    tail = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    return file + table.encode() + tail.encode()


def _content(page: Page) -> bytes:
    lines = [f"{_POINTS_PER_MM:.6f} 0 0 {_POINTS_PER_MM:.6f} 0 0 cm"]
    height = page.size_mm[1]
    for box in page.boxes:
        lines.append(f"{box.shade / 255:.3f} g")
        y = height - box.y_mm - box.height_mm
        lines.append(f"{box.x_mm:.3f} {y:.3f} {box.width_mm:.3f} {box.height_mm:.3f} re f")
    lines.append("0 g")
    for words in page.words:
        text = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if words.bold else "F1"
        lines.append(f"BT /{font} {words.size_mm:g} Tf {words.x_mm:.2f} {height - words.y_mm:.2f} Td ({text}) Tj ET")
    return "\n".join(lines).encode("cp1252")


def raster(page: Page, dpi: float = PNG_DPI) -> Image:
    """The page as a picture uint8 (h, w, 3), its boxes exact to a pixel."""
    scale = dpi / 25.4
    width, height = (round(v * scale) for v in page.size_mm)
    image = np.full((height, width, 3), 255, np.uint8)
    for box in page.boxes:
        left, top = round(box.x_mm * scale), round(box.y_mm * scale)
        right = max(left + 1, round((box.x_mm + box.width_mm) * scale))
        bottom = max(top + 1, round((box.y_mm + box.height_mm) * scale))
        image[top:bottom, left:right] = box.shade
    font = cv2.FontFace("sans")
    for words in page.words:
        at = round(words.x_mm * scale), round(words.y_mm * scale)
        size_px = max(6, round(words.size_mm * scale))
        cv2.putText(image, words.text, at, (0, 0, 0), font, size_px, 700 if words.bold else 400)
    return image


def png(page: Page) -> bytes:
    """The page as PNG at 300 dots an inch, which it says of itself, so that it prints at its size."""
    _, packed = cv2.imencode(".png", cv2.cvtColor(raster(page), cv2.COLOR_BGR2GRAY), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    content = bytes(packed)
    per_metre = round(PNG_DPI / 0.0254).to_bytes(4, "big")
    body = b"pHYs" + per_metre + per_metre + b"\x01"
    chunk = (9).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    after_header = 8 + 25  # the signature and the header chunk
    return content[:after_header] + chunk + content[after_header:]
