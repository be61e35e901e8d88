"""The table referee: reads a real UNO table by camera and microphone, judges it and keeps the score."""

__version__ = "0.1.0"
