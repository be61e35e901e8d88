# Sourced by the other scripts: finds a Python, installs what a bare machine lacks, makes .venv.
# Debian and Ubuntu: system libraries by apt-get (asks sudo when not root). macOS: nothing beyond Python 3.11 or later.

say() { printf '\n== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else say "Please run as root: $*"; return 1
  fi
}

find_python() {
  for name in python3.13 python3.12 python3.11 python3; do
    if command -v "$name" >/dev/null 2>&1 \
      && "$name" -c 'import sys; raise SystemExit(not (3, 11) <= sys.version_info[:2])' 2>/dev/null; then
      command -v "$name"
      return 0
    fi
  done
  return 1
}

# OpenCV opens libGL and GLib; PortAudio is for microphones. Each package is named once, with the library or the
# program that proves it.
missing_packages() {
  for pair in libgl1:libGL.so.1 libglib2.0-0:libgthread-2.0.so.0 libportaudio2:libportaudio.so.2 "$@"; do
    case "${pair#*:}" in
      *.so.*) ldconfig -p 2>/dev/null | grep -q "${pair#*:}" || printf '%s ' "${pair%%:*}" ;;
      *) command -v "${pair#*:}" >/dev/null 2>&1 || printf '%s ' "${pair%%:*}" ;;
    esac
  done
}

prepare() {
  if command -v apt-get >/dev/null 2>&1; then
    wanted=$(missing_packages "$@")
    python=$(find_python) || wanted="$wanted python3"
    if ! "${python:-python3}" -c 'import ensurepip, venv' >/dev/null 2>&1; then wanted="$wanted python3-venv"; fi
    if [ -n "${wanted// /}" ]; then
      say "Installing system packages: $wanted"
      as_root apt-get update -qq
      # shellcheck disable=SC2086  # a list of names
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
    fi
  fi
  python=$(find_python) || { say "Python 3.11 or later is needed: install it and run this again"; exit 2; }
  if [ ! -x .venv/bin/python ]; then
    say "Making a virtual environment in .venv with $("$python" --version)"
    "$python" -m venv .venv
  fi
}
