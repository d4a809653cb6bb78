"""Install with uv, or with pip, and say what it is doing, in one line that changes.

``python tools/install.py pip's words after "install"``; for the Makefile, before anything is there.
All of the installer's words are shown only if it fails.
"""

import importlib.util
import re
import subprocess
import sys
import time

TOLD = ("Collecting", "Resolved", "Downloading", "Building", "Preparing", "Getting", "Installing")
SILENT_FOR = 5.0
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
UV = (sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable)


def main(words: list[str]) -> int:
    """Return the exit status of the installer that had the last word."""
    if uv_is_here():
        status, _ = watched([*UV, *words])
        if status == 0:
            return 0
    # the first use compiles what it imports; compiling all of it takes half of the installation
    status, said = watched([*PIP, "install", "--no-compile", "--progress-bar=off", *words])
    if status:
        sys.stderr.writelines(said)
    return status


def uv_is_here() -> bool:
    """Whether uv may and can install: it takes a third of pip's time, from the same index.

    uv does not read pip's configuration: where that names another index or a proxy, pip stays.
    """
    configured = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True)
    if re.search(r"\.(index-url|no-index|proxy)=", configured.stdout):
        return False
    if importlib.util.find_spec("uv") is not None:
        return True
    installed = subprocess.run([*PIP, "install", "--quiet", "uv"], capture_output=True)
    return installed.returncode == 0


def watched(command: list[str]) -> tuple[int, list[str]]:
    """Run an installer, telling its steps: its exit status, and all that it said."""
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert running.stdout is not None
    said, told = [], time.monotonic()
    for line in running.stdout:
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
    return running.wait(), said


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
