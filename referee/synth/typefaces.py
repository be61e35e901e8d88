"""Glyphs as masks: the only module of the project that imports Pillow.

Fonts are those installed on the machine, chosen among heavy sans-serif families that resemble the printed
digits. Where none of them is installed the font that Pillow carries in itself is used.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]

FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path("/Library/Fonts"),
    Path("/System/Library/Fonts"),
    Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts",
)

HEAVY_FONTS = (
    "Lato-Black", "Lato-BlackItalic", "Lato-Heavy", "Lato-HeavyItalic", "Lato-Bold",
    "Roboto-Black", "Roboto-BlackItalic", "Roboto-Bold", "Roboto-BoldItalic", "RobotoCondensed-Bold",
    "OpenSans-ExtraBold", "OpenSans-ExtraBoldItalic", "OpenSans-Bold", "OpenSans-CondBold",
    "LiberationSans-Bold", "LiberationSans-BoldItalic", "LiberationSansNarrow-Bold",
    "DejaVuSans-Bold", "DejaVuSans-BoldOblique", "DejaVuSansCondensed-Bold",
    "NimbusSans-Bold", "NimbusSans-BoldItalic", "NimbusSansNarrow-Bold", "NimbusSansNarrow-BoldOblique",
    "URWGothic-Demi", "FreeSansBold", "FreeSansBoldOblique", "NotoSans-Black", "NotoSans-ExtraBold",
    "NotoSans-BlackItalic", "NotoSans-CondensedBlack", "NotoSansDisplay-Black", "Cabin-Bold",
    "Cabin-BoldItalic", "Inter-Black", "Inter-ExtraBold", "Inter-BlackItalic", "ClearSans-Bold",
    "Play-Bold", "LeagueSpartan-Bold", "LeagueSpartan-Black", "ComicNeue-Bold", "Cantarell-ExtraBold",
    "Cantarell-Bold", "Carlito-Bold", "Carlito-BoldItalic", "NanumGothicExtraBold", "UniversalisADFStd-Bold",
    "UniversalisADFStd-BoldItalic", "GilliusADF-Bold", "SwitzeraADF-ExtraBold", "SwitzeraADF-Bold",
    "BebasNeue-Regular", "Arial Black", "ariblk", "arialbd", "Impact", "Helvetica",
)  # fmt: skip

BUILT_IN = "built-in"
"""Name of the font that Pillow carries; always there."""


@lru_cache(maxsize=1)
def installed() -> dict[str, Path]:
    """File stem -> font file of every font of `HEAVY_FONTS` found on this machine, in that order."""
    wanted = set(HEAVY_FONTS)
    found: dict[str, Path] = {}
    for folder in FONT_FOLDERS:
        for suffix in ("*.ttf", "*.otf", "*.ttc"):
            for path in sorted(folder.rglob(suffix)) if folder.is_dir() else ():
                if path.stem in wanted:
                    found.setdefault(path.stem, path)
    return {name: found[name] for name in HEAVY_FONTS if name in found}


def names() -> tuple[str, ...]:
    """Typefaces that `text_mask` can draw here: the installed ones, or only `BUILT_IN`."""
    return tuple(installed()) or (BUILT_IN,)


@lru_cache(maxsize=4096)
def text_mask(text: str, typeface: str, height_px: int, slant: float = 0.0) -> Mask:
    """Anti-aliased mask (h, w) uint8 of `text`, trimmed, `height_px` high; read-only.

    slant: sideways shift per pixel of height, positive leans right. An unknown typeface falls back to the
    built-in one, so that a printing described on one machine can be drawn on any.
    """
    path = installed().get(typeface)
    size = max(8, round(height_px * 1.4))
    font = ImageFont.truetype(str(path), size) if path else ImageFont.load_default(size)
    left, top, right, bottom = font.getbbox(text)
    ink = Image.new("L", (max(1, int(right - left)) + 4, max(1, int(bottom - top)) + 4), 0)
    ImageDraw.Draw(ink).text((2 - left, 2 - top), text, font=font, fill=255)
    if slant:
        reach = int(abs(slant) * ink.height) + 2
        wide = Image.new("L", (ink.width + 2 * reach, ink.height), 0)
        wide.paste(ink, (reach, 0))
        lean = (1.0, slant, -slant * ink.height / 2, 0.0, 1.0, 0.0)
        ink = wide.transform(wide.size, Image.Transform.AFFINE, lean, Image.Resampling.BICUBIC)
    box = ink.getbbox()
    trimmed = ink.crop(box) if box else ink
    width = max(1, round(trimmed.width * height_px / trimmed.height))
    mask = np.array(trimmed.resize((width, height_px), Image.Resampling.LANCZOS), dtype=np.uint8)
    mask.setflags(write=False)
    return mask
