"""Devices and a clock that follow a script: for tests of the referee, and of programs built on it."""
