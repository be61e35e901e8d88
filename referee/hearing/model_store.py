"""Where fetched speech models lie: one folder a model, in the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_VARIABLE = "REFEREE_SPEECH_MODELS"
"""Environment variable that names another folder."""


UNPACKING = ".unpacking"
"""Ending of a folder that is not a model yet."""


def store_folder() -> Path:
    """The folder of fetched models; it need not exist."""
    if given := os.environ.get(FOLDER_VARIABLE):
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("uno-table-referee", appauthor=False) / "speech-models"


def installed_models() -> list[Path]:
    """The folders of the models that were fetched, by name. Each came into place whole, or not at all."""
    folder = store_folder()
    if not folder.is_dir():
        return []
    return [child for child in sorted(folder.iterdir()) if child.is_dir() and child.suffix != UNPACKING]


def installed_model(name: str) -> Path | None:
    """The folder of a fetched model, or None."""
    return next((folder for folder in installed_models() if folder.name == name), None)
