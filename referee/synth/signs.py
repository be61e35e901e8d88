"""Where field, oval, sign and corner signs stand on a card, for every layout."""

from __future__ import annotations

import numpy as np

from referee.synth import emblems
from referee.synth.canvas import Canvas, Mask, cast, swollen, turned
from referee.synth.printings import BGR, Printing
from referee.synth.typefaces import names, text_mask

MIDDLE = (28 / 87, 0.5)
WIDTH = 56 / 87


def draw_coloured(canvas: Canvas, look: Printing, symbol: str, letter: str) -> None:
    """Draw a number, Skip, Reverse or Draw Two of colour `letter`."""
    body = look.colour(letter)
    _field(canvas, look, body)
    filled = _oval(canvas, look, body, look.white)
    ink = body if filled else look.white
    if symbol == "D" and not look.sign_text:
        _little_cards(canvas, look, [body, body], [(0.13, -0.13), (-0.13, 0.13)])
    else:
        _sign(canvas, look, _symbol(canvas, look, symbol, MIDDLE, look.sign_height), ink)
    _corners(canvas, look, symbol)
    if look.layout == "flip":
        _logo(canvas, look)


def draw_wild(canvas: Canvas, look: Printing, symbol: str, rng: np.random.Generator) -> None:
    """Draw a black card: W, W4, WX, WM or WC."""
    _field(canvas, look, look.black)
    if symbol == "W":
        _wild_oval(canvas, look, MIDDLE, 1.0)
        if look.wild_word:
            _word(canvas, look, "WILD", 0.15, [look.colour(c) for c in "RBYG"], rise_deg=24)
    elif symbol == "W4":
        _draw_four(canvas, look)
    else:
        canvas.paint(_inside(canvas, look, _oval_mask(canvas, look, 1.0)), look.white)
        if symbol == "WX":
            _two_hands(canvas, look)
        elif symbol == "WM":
            _shuffled_fan(canvas, look)
        elif rng.random() < 0.35:
            _handwriting(canvas, look, rng)
    if symbol == "W4":
        _corners(canvas, look, "W4")
    else:
        width = WIDTH - look.border
        for x, y in ((look.border + 0.062, look.border + 0.085), (width - 0.062, 1 - look.border - 0.085)):
            _wild_oval(canvas, look, (x, y), 0.14)


def _draw_four(canvas: Canvas, look: Printing) -> None:
    if look.layout != "flat":
        _oval(canvas, look, look.black, look.white)
    inks = [look.colour(c) for c in "GBRY"] if look.draw_fan else [look.colour(c) for c in "BRGY"]
    if look.sign_text:
        _sign(canvas, look, _type(canvas, look, "+4", MIDDLE, 0.8 * look.sign_height), look.white)
    else:
        _little_cards(canvas, look, inks, emblems.four_cards(1.0 if look.draw_fan else 0.85))


def draw_back(canvas: Canvas, look: Printing) -> None:
    """Draw the back: an oval with the game's name on it."""
    field = look.black if look.back_red else look.colour("RBGY"[look.seed % 4])
    oval = look.colour("R") if look.back_red else look.black
    _field(canvas, look, field)
    outer = _inside(canvas, look, _oval_mask(canvas, look, 1.0))
    canvas.paint(outer, look.white if look.wild_white_rim else oval)
    canvas.paint(_inside(canvas, look, _oval_mask(canvas, look, 0.94)), oval)
    if look.back_word:
        _word(canvas, look, "UNO", 0.17, [look.colour("Y")] * 3, rise_deg=32 if look.shadow_side < 0 else 20)


def _field(canvas: Canvas, look: Printing, body: BGR) -> None:
    if look.border_black:
        canvas.paint(canvas.rounded(0.0, look.corner_radius), look.black)
    canvas.paint(canvas.rounded(look.border, max(0.012, look.corner_radius - 0.4 * look.border)), body)


def _inside(canvas: Canvas, look: Printing, mask: Mask) -> Mask:
    return np.minimum(mask, canvas.rounded(look.border, look.corner_radius * 0.7))


def _oval_mask(canvas: Canvas, look: Printing, scale: float) -> Mask:
    half = (look.oval_half[0] * scale, look.oval_half[1] * scale)
    return canvas.ellipse(MIDDLE, half, look.oval_tilt_deg)


def _oval(canvas: Canvas, look: Printing, body: BGR, white: BGR) -> bool:
    """Draw the oval; True when it is filled white, so that the sign takes the card's colour."""
    if look.layout == "flat":
        return False
    outer = _inside(canvas, look, _oval_mask(canvas, look, 1.0))
    if look.layout == "rays":
        for start in range(0, 360, 30):
            ray = canvas.ellipse(MIDDLE, (0.8, 0.8), start, arc_deg=(0, 14))
            canvas.paint(_inside(canvas, look, ray), white, 0.28)
    canvas.paint(outer, white)
    if look.layout in ("ring", "flip"):
        canvas.paint(_inside(canvas, look, _oval_mask(canvas, look, 1 - look.ring_width / 0.3)), body)
        return False
    return True


def _type(canvas: Canvas, look: Printing, text: str, centre: tuple[float, float], height: float) -> Mask:
    return canvas.placed(text_mask(text, look.typeface, max(4, canvas.px(height)), look.slant), centre)


def _symbol(canvas: Canvas, look: Printing, symbol: str, centre: tuple[float, float], height: float) -> Mask:
    if symbol.isdigit():
        mask = _type(canvas, look, symbol, centre, height)
        if symbol in "69" and look.underline:
            half = 0.28 * height
            y = centre[1] + 0.62 * height
            bar = canvas.polygon(
                [
                    (centre[0] - half, y - 0.05 * height),
                    (centre[0] + half, y - 0.05 * height),
                    (centre[0] + half, y + 0.05 * height),
                    (centre[0] - half, y + 0.05 * height),
                ]
            )
            mask = np.maximum(mask, bar)
        return mask
    if symbol == "D":
        return _type(canvas, look, "+2", centre, height * 0.8)
    if symbol == "S":
        half = height * 0.48
        thick = height * (0.12 if look.outline or look.shadow else 0.15)
        ring = canvas.ellipse(centre, (half, half), 0)
        hole = canvas.ellipse(centre, (half - thick, half - thick), 0)
        lean = np.radians(45 if look.shadow_side < 0 or look.seed % 4 else 135)
        reach = np.array([np.cos(lean), -np.sin(lean)]) * (half - thick / 2)
        bar = canvas.stroke(np.array([centre + reach, centre - reach]), thick)
        return np.maximum(ring - np.minimum(ring, hole), bar)
    mask = canvas.blank()
    size = height * (1.0 + 0.06 * (look.seed % 7))
    curl = (0.0, 0.7, 0.9, 1.0, 1.0)[look.seed % 5]
    gap = 0.5 * look.outline + 0.012 if look.outline else 0.03
    for arrow in emblems.reverse_arrows(46 + look.seed % 19, curl, 0.11 + 0.025 * (look.seed % 3), gap):
        mask = np.maximum(mask, canvas.polygon(arrow * size + centre))
    return mask


def _sign(canvas: Canvas, look: Printing, mask: Mask, ink: BGR, scale: float = 1.0) -> None:
    outline = canvas.px(look.outline * scale)
    shadow = canvas.px(look.shadow * scale)
    edged = swollen(mask, outline)
    if shadow:
        canvas.paint(cast(edged, look.shadow_side * shadow, shadow), look.black)
    if outline:
        canvas.paint(edged, look.black)
    canvas.paint(mask, ink)


def _corners(canvas: Canvas, look: Printing, symbol: str) -> None:
    text = {"D": "+2", "W4": "+4"}.get(symbol)
    reach_x = look.border + 0.028 + look.corner_height * 0.38
    reach_y = look.border + 0.028 + look.corner_height * 0.52
    if text:
        reach_x += look.corner_height * 0.30
        mask = _type(canvas, look, text, (reach_x, reach_y), look.corner_height * 0.85)
    else:
        mask = _symbol(canvas, look, symbol, (reach_x, reach_y), look.corner_height)
    for corner in (mask, np.ascontiguousarray(mask[::-1, ::-1])):
        _sign(canvas, look, corner, look.white, 0.4)


def _little_cards(canvas: Canvas, look: Printing, inks: list[BGR], places: list[tuple[float, float]]) -> None:
    height = look.sign_height * (1.12 if len(inks) == 2 else 1.2)
    slant = 0.0 if look.draw_fan and len(inks) == 4 else 0.12 + look.slant
    card_h = height * (0.62 if len(inks) == 2 else 0.44)
    card_w = card_h * (0.62 if slant else 0.72)
    for ink, (dx, dy) in zip(inks, places, strict=True):
        centre = (MIDDLE[0] + dx * height, MIDDLE[1] + dy * height)
        edge = canvas.polygon(emblems.little_card(card_w, card_h, slant) + centre)
        dark = swollen(edge, canvas.px(max(look.outline * 0.6, 0.003)))
        canvas.paint(cast(dark, look.shadow_side * canvas.px(look.shadow), canvas.px(look.shadow)), look.black)
        canvas.paint(edge, look.white)
        rim = 0.86 if not look.draw_fan or len(inks) == 2 else 0.98
        canvas.paint(canvas.polygon(emblems.little_card(card_w * (rim - 0.08), card_h * rim, slant) + centre), ink)


def _wild_oval(canvas: Canvas, look: Printing, centre: tuple[float, float], scale: float) -> None:
    half = (look.oval_half[0] * scale, max(look.oval_half[1], look.oval_half[0] * 1.35) * scale)
    rim = 1.06 if scale < 1 else 1.0
    inner = (half[0] * 0.93, half[1] * 0.95) if look.wild_white_rim else half
    oval = canvas.ellipse(centre, inner, look.oval_tilt_deg)
    if look.wild_white_rim:
        outer = canvas.ellipse(centre, (half[0] * rim, half[1] * rim), look.oval_tilt_deg)
        canvas.paint(_inside(canvas, look, outer), look.white)
    along = look.oval_tilt_deg if look.seed % 3 else look.seed % 20 - 10.0
    for i, letter in enumerate(look.wild_order):
        quarter = canvas.ellipse(centre, (1.0, 1.0), along, arc_deg=(180 + 90 * i, 270 + 90 * i))
        canvas.paint(_inside(canvas, look, np.minimum(oval, quarter)), look.colour(letter))


def _word(canvas: Canvas, look: Printing, word: str, height: float, inks: list[BGR], *, rise_deg: float) -> None:
    """A word across the card, rising to the right, each letter in its own ink on a dark block."""
    high = canvas.px(height)
    letters = [text_mask(c, look.typeface, high, look.slant) for c in word]
    gap = max(1, high // 16)
    total = sum(m.shape[1] for m in letters) + gap * (len(letters) - 1)
    fit = min(1.0, 0.92 * (canvas.width_px - 2 * canvas.px(look.border)) / (total * np.cos(np.radians(rise_deg))))
    letters = [text_mask(c, look.typeface, max(4, int(high * fit)), look.slant) for c in word]
    total = sum(m.shape[1] for m in letters) + gap * (len(letters) - 1)
    sheets, x = [], 0
    for mask in letters:
        sheet = np.zeros((mask.shape[0], total), np.uint8)
        sheet[:, x : x + mask.shape[1]] = mask
        sheets.append(canvas.placed(turned(sheet, -rise_deg), MIDDLE))
        x += mask.shape[1] + gap
    whole = np.maximum.reduce(sheets)
    backing = cast(swollen(whole, canvas.px(0.012)), canvas.px(0.018), canvas.px(0.018))
    if look.wild_white_rim:
        canvas.paint(swollen(backing, canvas.px(0.008)), look.white)
    canvas.paint(backing, look.black)
    for sheet, ink in zip(sheets, inks, strict=True):
        canvas.paint(sheet, ink)


def _two_hands(canvas: Canvas, look: Printing) -> None:
    """Two hands that hold out cards to each other; editions differ in where they come from and how they are drawn."""
    rng = np.random.default_rng([look.seed, 5])
    apart, bearing, turn = rng.uniform(0.055, 0.11), rng.uniform(-2.2, -0.6), rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    size = look.sign_height * rng.uniform(0.6, 0.95)
    stretch = np.array([rng.uniform(0.8, 1.3), rng.uniform(0.8, 1.2)])
    width = rng.uniform(0.003, 0.009)
    for sign in (1, -1):
        centre = np.array(MIDDLE) + sign * apart * np.array([np.cos(bearing), np.sin(bearing)])
        for line in emblems.hand_with_cards():
            canvas.paint(canvas.stroke((line * stretch) @ spin * sign * size + centre, width), look.black)


def _shuffled_fan(canvas: Canvas, look: Printing) -> None:
    size = look.sign_height * 0.5
    for i, letter in enumerate(look.wild_order):
        turn = np.radians(-36 + 24 * i)
        corners = emblems.little_card(0.5 * size, 0.8 * size, 0.0) + np.array((0.0, -0.35 * size))
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        leaf = canvas.polygon(corners @ spin + (MIDDLE[0], MIDDLE[1] + 0.2 * size))
        canvas.paint(swollen(leaf, canvas.px(0.006)), look.black)
        canvas.paint(leaf, look.colour(letter) if look.draw_fan else look.white)
    for start in (100, 280) if look.seed % 2 else (20, 140, 260):
        arrow = emblems.circling_arrow(start) * look.sign_height * 1.2 * (0.85, 1.1)
        canvas.paint(canvas.polygon(arrow + MIDDLE), look.black)


def _handwriting(canvas: Canvas, look: Printing, rng: np.random.Generator) -> None:
    """A house rule written on the blank card: words of some hand, or a scrawl."""
    if rng.random() < 0.5:
        typefaces = names()
        typeface, high = typefaces[int(rng.integers(len(typefaces)))], rng.uniform(0.025, 0.05)
        for row in range(int(rng.integers(1, 5))):
            word = "".join(chr(int(c)) for c in rng.integers(97, 123, int(rng.integers(3, 9))))
            mask = text_mask(word, typeface, max(4, canvas.px(high)), float(rng.uniform(0, 0.4)))
            spot = (MIDDLE[0] + rng.normal(0, 0.02), MIDDLE[1] + (row - 1.5) * 1.6 * high + rng.normal(0, 0.005))
            canvas.paint(canvas.placed(turned(mask, float(rng.normal(-8, 8))), spot), look.black, 0.85)
        return
    for row in range(int(rng.integers(1, 4))):
        x = np.linspace(0.16, rng.uniform(0.34, 0.48), 40)
        y = 0.40 + 0.08 * row + 0.014 * np.sin(np.cumsum(rng.uniform(0.2, 1.6, 40))) - 0.12 * (x - 0.3)
        canvas.paint(canvas.stroke(np.stack([x, y], axis=1), 0.006), look.black, 0.8)


def _logo(canvas: Canvas, look: Printing) -> None:
    """The name of the edition in the upper right corner, as on FLIP cards."""
    x = WIDTH - look.border - 0.085
    for word, y, high, ink in (("UNO", 0.10, 0.062, look.colour("Y")), ("FLIP!", 0.158, 0.036, look.white)):
        mask = canvas.placed(text_mask(word, look.typeface, max(4, canvas.px(high)), 0.0), (x, y))
        canvas.paint(swollen(mask, canvas.px(0.022)), look.white)
        canvas.paint(swollen(mask, canvas.px(0.008)), look.black)
        canvas.paint(mask, ink)
