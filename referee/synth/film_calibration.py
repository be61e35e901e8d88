"""The calibration that belongs to a drawn film, as text: where its zones are, and how the camera sees the table."""

from __future__ import annotations

from referee.synth.film_view import FilmView
from referee.synth.tabletop import Layout, Point, Quad


def calibration_toml(layout: Layout, view: FilmView | None = None) -> str:
    """The zones of a layout as a calibration file: coordinates as fractions of the frame.

    With a view that is not straight from above the file has the table's plane, and the zones are fractions of the
    table picture.
    """
    width, height = layout.size_px
    seen_px = layout.size_px if view is None else view.size_px
    oblique = view is not None and not view.straight

    def quad(corners: Quad) -> str:
        return "[" + ", ".join(f"[{x / width:.4f}, {y / height:.4f}]" for x, y in corners) + "]"

    picture = "table picture's" if oblique else "frame's"
    lines = [
        f"# Zones of the drawn table: all coordinates are fractions of the {picture} width and height.",
        "[frame]",
        f"width_px = {seen_px[0]}",
        f"height_px = {seen_px[1]}",
        "",
    ]
    if view is not None and oblique:
        lines += [*_plane(layout, view), ""]
    lines += [
        "[zones]",
        f"discard = {quad(layout.zone('discard'))}",
        f"draw = {quad(layout.zone('draw'))}",
    ]
    for place in layout.seats:
        lines += ["", f"[seats.{place.seat}]", f"place = {quad(place.place)}", f'edge = "{place.edge}"']
    return "\n".join(lines) + "\n"


def _plane(layout: Layout, view: FilmView) -> list[str]:
    """How the camera sees the table: where the corners of the layout lie in its picture."""
    width, height = layout.size_px
    mm = layout.px_per_mm
    corners: tuple[Point, ...] = ((0, 0), (width, 0), (width, height), (0, height))
    seen = [view.point(corner) for corner in corners]
    fractions = ", ".join(f"[{x / view.size_px[0]:.5f}, {y / view.size_px[1]:.5f}]" for x, y in seen)
    return [
        "[plane]",
        f"size_mm = [{width / mm:.1f}, {height / mm:.1f}]",
        f"px_per_mm = {mm:.4f}",
        f"corners = [{fractions}]",
        'how = "drawn"',
    ]
