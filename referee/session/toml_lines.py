"""Where a key stands in a TOML text: for faults that name their line."""

from __future__ import annotations

import re
from collections.abc import Sequence


def line_of_key(text: str, keys: Sequence[str]) -> int:
    """The line (from 1) of `table.key`, as `["table", "key"]`; of the table if the key is not there; 1 if neither."""
    table, key = ".".join(keys[:-1]), keys[-1] if keys else ""
    here, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([\w.\-\"]+)\s*\]+", line)
        if head:
            here = head[1].replace('"', "")
            if here in (table, ".".join(keys)):
                found = number
        elif here == table and re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=.]", line):
            return number
    return found
