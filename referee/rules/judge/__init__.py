"""The judge: an observed entry and the state before it go in, the state after it and a ruling come out."""

from referee.rules.judge.court import judge

__all__ = ["judge"]
