"""Run pip and say what it is doing, in one line that changes; all of its words only if it fails.

``python tools/install.py pip's words after "install"``; for the Makefile, before anything is there.
"""

import subprocess
import sys
import time

TOLD = ("Collecting", "Downloading", "Building", "Preparing", "Getting", "Installing")
SILENT_FOR = 5.0


def main(words: list[str]) -> int:
    """Return pip's exit status."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *words]
    pip = subprocess.Popen(
        [*command, "--progress-bar=off"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert pip.stdout is not None
    said, told = [], time.monotonic()
    for line in pip.stdout:
        said.append(line)
        doing = line.strip()
        if not doing.startswith(TOLD):
            continue
        if sys.stderr.isatty():
            print(f"\r\033[K  {doing[:76]}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - told > SILENT_FOR:
            told = time.monotonic()
            print(f"  {doing[:76]}", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if pip.wait():
        sys.stderr.writelines(said)
    return pip.returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
