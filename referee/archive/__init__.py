"""Judges whole archives of recorded sessions again: one session is one task, on one machine or on many."""
