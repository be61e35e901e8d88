"""The command starts fast: no command but the one that runs loads a heavy library."""

import json
import resource
import subprocess
import sys

import pytest

HEAVY = ("cv2", "torch", "ultralytics", "vosk", "av", "sounddevice", "numpy", "PIL", "webrtcvad", "lark")

_PROBE = """
import json, sys
sys.argv = ["referee", *{arguments!r}]
from referee.cli.main import main
try:
    main()
except SystemExit as end:
    code = end.code
print(json.dumps({{"code": code, "loaded": sorted(m for m in {heavy!r} if m in sys.modules)}}))
"""


@pytest.mark.parametrize("arguments", [["--help"], ["demo", "--help"], ["replay", "--help"], ["--version"]])
def test_help_loads_none_of_the_heavy_libraries(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE.format(arguments=arguments, heavy=HEAVY)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    report = json.loads(done.stdout.splitlines()[-1])
    assert report == {"code": 0, "loaded": []}


def test_help_answers_in_under_a_second() -> None:
    """Processor time, which a busy machine does not stretch as it does the clock's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "referee.cli.main", "--help"], capture_output=True, check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


def test_help_names_every_command_of_the_contract_that_exists() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee.cli.main", "--help"], capture_output=True, text=True, check=True, timeout=60
    )
    for command in ("demo", "replay", "judge", "read", "hear", "rules", "train"):
        assert f"│ {command} " in done.stdout
