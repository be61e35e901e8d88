"""QR codes for links."""

from __future__ import annotations

import segno


def code_of(link: str) -> str:
    """A QR code as SVG, black on white with its quiet zone, so that it scans in dark mode too."""
    code: str = segno.make(link, error="m").svg_inline(scale=8, border=4, dark="#000", light="#fff", omitsize=True)
    return code
