"""Session folders as a live table leaves them, without media: for tests."""

from __future__ import annotations

from pathlib import Path

from referee.observations import Observation
from referee.session.folder import close_session, create_session, log_of
from referee.session.log import LOG_FILE, SessionLog
from referee.session.plan import SessionPlan
from referee.session.rejudging import judge_log
from tests.session.drawn_log import PLAN, write


def record(folder: Path, observations: list[Observation], plan: SessionPlan = PLAN) -> Path:
    """A closed session of these observations, with the rulings that were given at the table."""
    create_session(folder, plan, calibration=None)
    lines = write(folder / LOG_FILE, observations)
    log = SessionLog(folder / LOG_FILE)
    for ruling in judge_log(lines, plan).ruling_records():
        payload = {name: value for name, value in ruling.items() if name not in ("type", "t_s", "picture")}
        log.append("ruling", float(ruling["t_s"]), payload)
    log.close()
    close_session(folder, plan, log_of(folder))
    return folder
